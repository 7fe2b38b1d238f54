"""The built-in tools for single files (language, part 4)."""

from __future__ import annotations

import os
import stat

from core.sources.beneath import create_file, folder, opened, pieces_of, replace_file
from core.sources.builtin_base import (
    COPY_LIMIT,
    READ_LIMIT,
    ToolError,
    read_parts,
    regular,
    shown,
    taken,
    write_parts,
)

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Arguments = dict[str, Any]
    Output = dict[str, Any]

_NEW_MODE = 0o644


def read_file(root: str, arguments: Arguments) -> Output:
    """Return a UTF-8 text file of at most 4 MiB."""
    parts, content = _text(root, arguments["path"])
    return {"path": shown(parts), "content": content, "size": len(content.encode())}


def write_file(root: str, arguments: Arguments) -> Output:
    """Write the whole content; missing folders above the file are made."""
    parts = write_parts(root, arguments["path"])
    size = _put(root, parts, arguments["content"], make=True)
    return {"path": shown(parts), "bytes": size}


def edit_file(root: str, arguments: Arguments) -> Output:
    """Replace ``old_text``, which must stand in the file exactly once."""
    parts = write_parts(root, arguments["path"])
    _, content = _text(root, arguments["path"])
    old = arguments["old_text"]
    count = content.count(old) if old else 0
    if count != 1:
        where = "doesn't stand" if count == 0 else f"stands {count:,} times"
        raise ToolError(f"old_text {where} in {shown(parts)}; it must stand there exactly once")
    return {"path": shown(parts), "bytes": _put(root, parts, content.replace(old, arguments["new_text"]))}


def delete_file(root: str, arguments: Arguments) -> Output:
    """Delete a file; of a link, the link itself."""
    parts = write_parts(root, arguments["path"], follow=False)
    with folder(root, parts[:-1]) as parent:
        _no_folder(parent, parts)
        os.unlink(parts[-1], dir_fd=parent)
    return {"path": shown(parts)}


def move_file(root: str, arguments: Arguments) -> Output:
    """Move a file to a path where nothing is yet."""
    source = write_parts(root, arguments["path"], follow=False)
    target = write_parts(root, arguments["destination"], follow=False)
    with folder(root, source[:-1]) as old, folder(root, target[:-1], make=True) as new:
        _no_folder(old, source)
        os.link(source[-1], target[-1], src_dir_fd=old, dst_dir_fd=new, follow_symlinks=False)
        os.unlink(source[-1], dir_fd=old)
    return {"path": shown(source), "destination": shown(target)}


def copy_file(root: str, arguments: Arguments) -> Output:
    """Copy a file of at most 256 MiB to a path where nothing is yet."""
    source = read_parts(root, arguments["path"])
    target = write_parts(root, arguments["destination"], follow=False)
    if not source:
        raise ToolError(f"{arguments['path']}: this is the workspace itself")
    with opened(root, source) as fd:
        info = regular(fd, shown(source), COPY_LIMIT)
        with folder(root, target[:-1], make=True) as parent:
            create_file(parent, target[-1], pieces_of(fd), stat.S_IMODE(info.st_mode) & 0o777)
    return {"path": shown(source), "destination": shown(target)}


def _text(root: str, path: str) -> tuple[list[str], str]:
    parts = read_parts(root, path)
    if not parts:
        raise ToolError(f"{path}: this is the workspace itself")
    with opened(root, parts) as fd:
        regular(fd, shown(parts), READ_LIMIT)
        data = taken(fd, READ_LIMIT)
    try:
        return parts, data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(f"{shown(parts)} is no UTF-8 text (byte {error.start + 1:,})") from None


def _put(root: str, parts: list[str], content: str, *, make: bool = False) -> int:
    with folder(root, parts[:-1], make=make) as parent:
        try:
            info = os.stat(parts[-1], dir_fd=parent, follow_symlinks=False)
        except FileNotFoundError:
            return create_file(parent, parts[-1], iter([content.encode()]), _NEW_MODE)
        if not stat.S_ISREG(info.st_mode):
            raise ToolError(f"{shown(parts)} is no regular file")
        return replace_file(parent, parts[-1], iter([content.encode()]), stat.S_IMODE(info.st_mode) & 0o777)


def _no_folder(parent: int, parts: list[str]) -> None:
    if stat.S_ISDIR(os.stat(parts[-1], dir_fd=parent, follow_symlinks=False).st_mode):
        raise ToolError(f"{shown(parts)} is a folder")


def _bound(tool: Callable[[str, Arguments], Output]) -> Callable[[dict[str, Any]], Callable[[Arguments], Output]]:
    return lambda data: lambda arguments: tool(data["root"], arguments)


TOOLS = {tool.__name__: _bound(tool) for tool in (read_file, write_file, edit_file, delete_file, move_file, copy_file)}
