"""What the built-in tools share: their error, their limits, and the paths that they may write."""

from __future__ import annotations

import os
import stat

from core.sources.beneath import parts_of

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from typing import Any

READ_LIMIT = 4 << 20
COPY_LIMIT = 1 << 28
OUTPUT_LIMIT = 1 << 20
_REPOSITORY = ".git"


class ToolError(Exception):
    """A built-in tool can't do what it is asked for; the message is for whoever asked."""


def read_parts(root: str, path: str) -> list[str]:
    """Return the parts of ``path`` with every link in it followed.

    Raises:
        PermissionError: it leads out of the workspace.
    """
    return parts_of(root, path)


def write_parts(root: str, path: str, *, follow: bool = True) -> list[str]:
    """Return the parts of a path that is to be written; ``follow`` says whether a link at its end is meant itself.

    Raises:
        PermissionError: it leads out of the workspace, or into a repository's own files, which git runs.
        ToolError: it is the workspace itself.
    """
    parts = parts_of(root, path, follow=follow)
    if not parts:
        raise ToolError(f"{path}: this is the workspace itself")
    if any(part.casefold() == _REPOSITORY for part in parts):
        raise PermissionError(f"{path}: the files of a git repository itself are not written")
    return parts


def shown(parts: list[str]) -> str:
    """Return the path of ``parts`` relative to the workspace."""
    return plain("/".join(parts) or ".")


def plain(text: str) -> str:
    """Return ``text`` without lone surrogates, which come from names that aren't UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def kind_of(mode: int) -> str:
    """Return the kind of thing that ``mode`` says."""
    tests: list[tuple[Any, str]] = [
        (stat.S_ISREG, "file"),
        (stat.S_ISDIR, "directory"),
        (stat.S_ISLNK, "symlink"),
        (stat.S_ISFIFO, "pipe"),
        (stat.S_ISSOCK, "socket"),
    ]
    return next((name for test, name in tests if test(mode)), "device")


def regular(fd: int, path: str, limit: int) -> os.stat_result:
    """Return what is known of an open regular file of at most ``limit`` bytes; raises ToolError for anything else."""
    info = os.fstat(fd)
    if not stat.S_ISREG(info.st_mode):
        raise ToolError(f"{path} is a {kind_of(info.st_mode)}, no regular file")
    if info.st_size > limit:
        raise ToolError(f"{path} has {info.st_size:,} bytes; at most {limit:,} are taken")
    return info


def taken(fd: int, limit: int) -> bytes:
    """Return what is left of ``fd``, at most ``limit`` bytes."""
    data = bytearray()
    while len(data) < limit and (piece := os.read(fd, min(1 << 20, limit - len(data)))):
        data += piece
    return bytes(data)
