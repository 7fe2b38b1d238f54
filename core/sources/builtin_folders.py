"""The built-in tools for folders (language, part 4)."""

from __future__ import annotations

import os

from core.sources.beneath import folder
from core.sources.builtin_base import kind_of, plain, read_parts, shown, write_parts
from core.sources.removal import remove_tree_at

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Arguments = dict[str, Any]
    Output = dict[str, Any]

_LISTED = 1_000


def list_directory(root: str, arguments: Arguments) -> Output:
    """List a folder, entries sorted by name, folders' content after them; ``.git`` is named, not entered."""
    parts = read_parts(root, arguments.get("path", "."))
    limit = arguments.get("limit", _LISTED)
    recursive = arguments.get("recursive", False)
    entries: list[dict[str, Any]] = []
    for path, name, info in walk(root, parts, recursive=recursive):
        if len(entries) == limit:
            return {"entries": entries, "truncated": True}
        entries.append({"path": shown([*path, name]), "type": kind_of(info.st_mode), "size": info.st_size})
    return {"entries": entries, "truncated": False}


def walk(root: str, parts: list[str], *, recursive: bool) -> Iterator[tuple[list[str], str, os.stat_result]]:
    """Yield folder, name and state of each entry below ``parts``; no link is followed."""
    queue = [parts]
    while queue:
        here = queue.pop(0)
        with folder(root, here) as fd:
            found = _entries(fd)
        for name, info in found:
            yield here, name, info
            if recursive and kind_of(info.st_mode) == "directory" and name != ".git":
                queue.append([*here, name])


def _entries(fd: int) -> list[tuple[str, os.stat_result]]:
    found = []
    with os.scandir(fd) as items:
        for item in items:
            try:
                found.append((item.name, item.stat(follow_symlinks=False)))
            except OSError:
                continue  # deleted since
    return sorted(found, key=lambda entry: plain(entry[0]))


def create_directory(root: str, arguments: Arguments) -> Output:
    """Make a folder and those above it; one that is there already is fine."""
    parts = write_parts(root, arguments["path"])
    with folder(root, parts, make=True):
        return {"path": shown(parts)}


def delete_directory(root: str, arguments: Arguments) -> Output:
    """Delete an empty folder, or with ``recursive`` one with all that it holds; links in it are not followed."""
    parts = write_parts(root, arguments["path"], follow=False)
    with folder(root, parts[:-1]) as parent:
        if arguments.get("recursive", False):
            remove_tree_at(parent, parts[-1])
        else:
            os.rmdir(parts[-1], dir_fd=parent)
    return {"path": shown(parts)}


def _bound(tool: Callable[[str, Arguments], Output]) -> Callable[[dict[str, Any]], Callable[[Arguments], Output]]:
    return lambda data: lambda arguments: tool(data["root"], arguments)


TOOLS = {tool.__name__: _bound(tool) for tool in (list_directory, create_directory, delete_directory)}
