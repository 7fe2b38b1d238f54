"""The built-in tools that look at files without giving them whole (language, part 4)."""

from __future__ import annotations

import os
import stat
import time

from core.sources.beneath import folder, opened, parts_of
from core.sources.builtin_base import READ_LIMIT, ToolError, kind_of, read_parts, regular, shown, taken
from core.sources.builtin_folders import walk

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Arguments = dict[str, Any]
    Output = dict[str, Any]

_FOUND = 200
_LINE_LIMIT = 500
_BINARY = 8_192


def search_files(root: str, arguments: Arguments) -> Output:
    """Find the lines that hold ``pattern`` as it is; binary files, and files over 4 MiB, are passed over."""
    pattern, limit = arguments["pattern"], arguments.get("limit", _FOUND)
    matches: list[dict[str, Any]] = []
    for parts in _files(root, read_parts(root, arguments.get("path", ".")), arguments.get("recursive", True)):
        for number, text in _matching(root, parts, pattern):
            if len(matches) == limit:
                return {"matches": matches, "truncated": True}
            matches.append({"path": shown(parts), "line": number, "text": text[:_LINE_LIMIT]})
    return {"matches": matches, "truncated": False}


def _files(root: str, parts: list[str], recursive: bool) -> Iterator[list[str]]:
    if parts:
        with folder(root, parts[:-1]) as parent:
            if stat.S_ISREG(os.stat(parts[-1], dir_fd=parent, follow_symlinks=False).st_mode):
                yield parts
                return
    for here, name, info in walk(root, parts, recursive=recursive):
        if stat.S_ISREG(info.st_mode):
            yield [*here, name]


def _matching(root: str, parts: list[str], pattern: str) -> Iterator[tuple[int, str]]:
    try:
        with opened(root, parts) as fd:
            regular(fd, shown(parts), READ_LIMIT)
            data = taken(fd, READ_LIMIT)
    except (OSError, ToolError):
        return  # unreadable or too large: passed over
    if b"\0" in data[:_BINARY]:
        return
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if pattern in line:
            yield number, line.rstrip("\r")


def get_file_info(root: str, arguments: Arguments) -> Output:
    """Return kind, size, mode and time of change (UTC); of a link, the link's own."""
    parts = parts_of(root, arguments["path"], follow=False)
    with folder(root, parts[:-1]) as parent:
        info = os.stat(parts[-1], dir_fd=parent, follow_symlinks=False) if parts else os.stat(parent)
    modified = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(info.st_mtime))
    return {
        "path": shown(parts),
        "type": kind_of(info.st_mode),
        "size": info.st_size,
        "mode": f"{stat.S_IMODE(info.st_mode):04o}",
        "modified": modified,
    }


def _bound(tool: Callable[[str, Arguments], Output]) -> Callable[[dict[str, Any]], Callable[[Arguments], Output]]:
    return lambda data: lambda arguments: tool(data["root"], arguments)


TOOLS = {tool.__name__: _bound(tool) for tool in (search_files, get_file_info)}
