"""The built-in tools and groups: always registered, in every workspace (language, part 4).

This is the table alone; ``core.sources`` carries the tools out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

from core.model.capability import ToolCapability

PREFIX = "builtin/"
_TEXT = {"type": "string"}
_PATH = {"type": "string", "minLength": 1, "description": "Path inside the workspace, relative to its root."}
_FLAG = {"type": "boolean"}
_COUNT = {"type": "integer", "minimum": 0}


def _object(properties: dict[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


def _limit(default: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "default": default, "description": "Most entries to return."}


def _list_of(properties: dict[str, Any], key: str) -> dict[str, Any]:
    item = {"type": "object", "properties": properties}
    return _object({key: {"type": "array", "items": item}, "truncated": _FLAG}, (key,))


@dataclass(frozen=True, slots=True)
class Builtin:
    """One built-in tool: how it is called and what it is allowed to do."""

    tool: str
    group: str
    description: str
    capability: ToolCapability
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]

    @property
    def name(self) -> str:
        """The fully-qualified name."""
        return PREFIX + self.tool


_READ = ToolCapability(read_only=True)
_WRITE = ToolCapability(writes=True, checkpointable=True, checkpoint_scope="file")
_SHELL = ToolCapability(
    writes=True, unsafe=True, human_approval_required=True, checkpointable=True, checkpoint_scope="snapshot"
)
_ENTRY = {"path": _TEXT, "type": _TEXT, "size": _COUNT}
_DONE = _object({"path": _TEXT, "bytes": _COUNT}, ("path",))
_MOVED = _object({"path": _TEXT, "destination": _TEXT}, ("path", "destination"))
_REVISION = {"type": "string", "minLength": 1, "description": "A revision that git understands."}

_FILES = (
    Builtin(
        "read_file",
        "file_operations",
        "Reads a text file and returns its content.",
        _READ,
        _object({"path": _PATH}, ("path",)),
        _object({"path": _TEXT, "content": _TEXT, "size": _COUNT}, ("path", "content")),
    ),
    Builtin(
        "write_file",
        "file_operations",
        "Writes a text file, making it where it is missing.",
        _WRITE,
        _object({"path": _PATH, "content": {**_TEXT, "description": "The whole new content."}}, ("path", "content")),
        _DONE,
    ),
    Builtin(
        "edit_file",
        "file_operations",
        "Replaces one piece of text in a file; the old text must stand there exactly once.",
        _WRITE,
        _object(
            {"path": _PATH, "old_text": {"type": "string", "minLength": 1}, "new_text": _TEXT},
            ("path", "old_text", "new_text"),
        ),
        _DONE,
    ),
    Builtin("delete_file", "file_operations", "Deletes a file.", _WRITE, _object({"path": _PATH}, ("path",)), _DONE),
    Builtin(
        "move_file",
        "file_operations",
        "Moves or renames a file; refuses to replace another one.",
        _WRITE,
        _object({"path": _PATH, "destination": _PATH}, ("path", "destination")),
        _MOVED,
    ),
    Builtin(
        "copy_file",
        "file_operations",
        "Copies a file; refuses to replace another one.",
        _WRITE,
        _object({"path": _PATH, "destination": _PATH}, ("path", "destination")),
        _MOVED,
    ),
    Builtin(
        "search_files",
        "file_operations",
        "Finds lines that hold a text, in files below a folder.",
        _READ,
        _object(
            {
                "pattern": {"type": "string", "minLength": 1, "description": "The text to look for."},
                "path": {**_PATH, "default": "."},
                "recursive": {"type": "boolean", "default": True},
                "limit": _limit(200),
            },
            ("pattern",),
        ),
        _list_of({"path": _TEXT, "line": _COUNT, "text": _TEXT}, "matches"),
    ),
    Builtin(
        "get_file_info",
        "file_operations",
        "Returns type, size, mode and time of change of a file or folder.",
        _READ,
        _object({"path": _PATH}, ("path",)),
        _object({**_ENTRY, "mode": _TEXT, "modified": _TEXT}, ("path", "type")),
    ),
)
_FOLDERS = (
    Builtin(
        "list_directory",
        "directory_operations",
        "Lists the entries of a folder.",
        _READ,
        _object(
            {
                "path": {**_PATH, "default": "."},
                "recursive": {"type": "boolean", "default": False},
                "limit": _limit(1000),
            }
        ),
        _list_of(_ENTRY, "entries"),
    ),
    Builtin(
        "create_directory",
        "directory_operations",
        "Makes a folder and the folders above it.",
        _WRITE,
        _object({"path": _PATH}, ("path",)),
        _DONE,
    ),
    Builtin(
        "delete_directory",
        "directory_operations",
        "Deletes a folder: an empty one, or all of it when recursive.",
        _WRITE,
        _object({"path": _PATH, "recursive": {"type": "boolean", "default": False}}, ("path",)),
        _DONE,
    ),
)
_GIT = (
    Builtin(
        "git_status",
        "git_operations",
        "Shows what differs between the last commit, the index and the files.",
        _READ,
        _object({"path": {**_PATH, "default": "."}}),
        _object(
            {
                "branch": {"type": ["string", "null"]},
                "clean": _FLAG,
                "entries": {"type": "array", "items": _object({"status": _TEXT, "path": _TEXT})},
            },
            ("clean", "entries"),
        ),
    ),
    Builtin(
        "git_diff",
        "git_operations",
        "Shows the changes since a revision, or those not yet staged.",
        _READ,
        _object({"revision": _REVISION, "path": _PATH}),
        _object({"diff": _TEXT, "truncated": _FLAG}, ("diff",)),
    ),
    Builtin(
        "git_log",
        "git_operations",
        "Lists commits, newest first.",
        _READ,
        _object({"revision": _REVISION, "path": _PATH, "limit": _limit(20)}),
        _list_of({"commit": _TEXT, "author": _TEXT, "date": _TEXT, "subject": _TEXT}, "commits"),
    ),
    Builtin(
        "git_blame",
        "git_operations",
        "Says for each line of a file which commit wrote it.",
        _READ,
        _object({"path": _PATH, "revision": _REVISION, "limit": _limit(1000)}, ("path",)),
        _list_of({"line": _COUNT, "commit": _TEXT, "author": _TEXT, "text": _TEXT}, "lines"),
    ),
)
_SHELL_TOOLS = (
    Builtin(
        "shell_execute",
        "shell_operations",
        "Runs a command with the shell and returns what it printed.",
        _SHELL,
        _object({"command": {"type": "string", "minLength": 1}}, ("command",)),
        _object({"exit_code": {"type": "integer"}, "stdout": _TEXT, "stderr": _TEXT}, ("exit_code",)),
    ),
)

BUILTINS: dict[str, Builtin] = {b.name: b for b in (*_FILES, *_FOLDERS, *_GIT, *_SHELL_TOOLS)}
GROUPS: dict[str, tuple[Builtin, ...]] = {
    "file_operations": _FILES,
    "directory_operations": _FOLDERS,
    "git_operations": _GIT,
    "shell_operations": _SHELL_TOOLS,
}
_OBJECT_FIRST = {
    "file-read": "read_file",
    "file-write": "write_file",
    "file-edit": "edit_file",
    "file-delete": "delete_file",
    "file-move": "move_file",
    "file-copy": "copy_file",
    "file-search": "search_files",
    "file-list": "list_directory",
}


def canonical_builtin(name: str) -> str | None:
    """Return the fully-qualified name for ``name`` or an alias of it; None when it is no built-in."""
    if not name.startswith(PREFIX):
        return None
    tool = name[len(PREFIX) :]
    found = PREFIX + _OBJECT_FIRST.get(tool.replace("_", "-"), tool.replace("-", "_"))
    return found if found in BUILTINS else None


def builtin_spellings() -> frozenset[str]:
    """Return every name that stands for a built-in, in full."""
    found = {PREFIX + alias for alias in _OBJECT_FIRST}
    for alias in (*_OBJECT_FIRST, *(builtin.tool for builtin in BUILTINS.values())):
        words = re.split("[-_]", alias)
        for marks in product("-_", repeat=len(words) - 1):
            found.add(PREFIX + words[0] + "".join(map("".join, zip(marks, words[1:], strict=True))))
    return frozenset(found)
