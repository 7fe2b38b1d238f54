"""Work on files strictly below one folder: every step is taken by descriptor, and no link is followed out of it.

Standard library alone: it is used inside workers too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.language.containment import Uncontained, contained, real_parts

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1 << 20


def parts_of(root: str, path: str, *, follow: bool = True) -> list[str]:
    """Return the parts of ``path`` below ``root``, links replaced by what they lead to; the last one if ``follow``.

    Raises:
        PermissionError: the path leaves ``root``, or is no path that could stay in it.
    """
    above, slash, last = path.rstrip("/").rpartition("/")
    try:
        if follow or last in ("", ".", "..") or "\0" in last or (slash and not above):
            return _real(root, path)
        return [*(_real(root, above) if slash else []), last]
    except Uncontained as error:
        raise PermissionError(f"{path}: {error}") from None


def _real(root: str, path: str) -> list[str]:
    plain = contained(Path(root), path)
    return real_parts(Path(root), [] if plain == "." else plain.split("/"))


@contextmanager
def folder(root: str, parts: list[str], *, make: bool = False) -> Iterator[int]:
    """Open the folder ``parts`` below ``root``; with ``make``, missing ones are made."""
    fd = os.open(root, _FOLDER & ~os.O_NOFOLLOW)
    try:
        for part in parts:
            if make:
                _make(fd, part)
            inner = os.open(part, _FOLDER, dir_fd=fd)
            os.close(fd)
            fd = inner
        yield fd
    finally:
        os.close(fd)


def _make(fd: int, name: str) -> None:
    try:
        os.mkdir(name, dir_fd=fd)
    except FileExistsError:
        return


@contextmanager
def opened(root: str, parts: list[str]) -> Iterator[int]:
    """Open the file ``parts`` for reading, without waiting for a pipe's other end."""
    with folder(root, parts[:-1]) as parent:
        fd = os.open(parts[-1], _READ, dir_fd=parent)
    try:
        yield fd
    finally:
        os.close(fd)


def replace_file(parent: int, name: str, pieces: Iterator[bytes], mode: int) -> int:
    """Write ``name`` in ``parent`` in one step, so that a reader sees the old content or the new; return its size."""
    fresh = f".{name[:200]}.{os.urandom(4).hex()}"
    size = _fill(parent, fresh, pieces, mode)
    try:
        os.replace(fresh, name, src_dir_fd=parent, dst_dir_fd=parent)
    except OSError:
        os.unlink(fresh, dir_fd=parent)
        raise
    return size


def create_file(parent: int, name: str, pieces: Iterator[bytes], mode: int) -> int:
    """Write a file that isn't there yet.

    Raises:
        FileExistsError: something of that name is there; it stays as it is.
    """
    return _fill(parent, name, pieces, mode)


def _fill(parent: int, name: str, pieces: Iterator[bytes], mode: int) -> int:
    fd = os.open(name, _CREATE, 0o600, dir_fd=parent)
    size = 0
    try:
        for piece in pieces:
            left = memoryview(piece)
            while left:
                written = os.write(fd, left)
                left, size = left[written:], size + written
        os.fchmod(fd, mode)
    except BaseException:
        os.unlink(name, dir_fd=parent)
        raise
    finally:
        os.close(fd)
    return size


def pieces_of(fd: int) -> Iterator[bytes]:
    """Yield what is left to read of ``fd``."""
    while piece := os.read(fd, _CHUNK):
        yield piece
