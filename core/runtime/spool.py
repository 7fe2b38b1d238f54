"""Changed files of a copy that is already gone: their contents lie in a file without a name.

The system frees such a file when the program ends, however it ends, so nothing is left to clean up.
"""

from __future__ import annotations

import os
import stat
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path

_CHUNK = 1 << 20
MOST = 1 << 28


class Spool:
    """Contents by path, together at most 256 MiB."""

    def __init__(self, folder: Path) -> None:
        self._fd, name = tempfile.mkstemp(dir=folder)
        os.unlink(name)
        self._places: dict[str, tuple[int, int]] = {}
        self._size = 0
        self.close = weakref.finalize(self, os.close, self._fd)

    def take(self, root: str, path: str) -> bool:
        """Keep the regular file at ``path`` below ``root``; False when it is none, or too large."""
        try:
            source = os.open(os.path.join(root, path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            info = os.fstat(source)
            if not stat.S_ISREG(info.st_mode) or self._size + info.st_size > MOST:
                return False
            start = self._size
            while chunk := os.read(source, _CHUNK):
                self._size += os.pwrite(self._fd, chunk, self._size)
            self._places[path] = (start, self._size - start)
        except OSError:
            return False
        finally:
            os.close(source)
        return True

    def __contains__(self, path: str) -> bool:
        return path in self._places

    def read(self, path: str) -> Iterator[bytes]:
        """Yield the content of ``path`` in pieces."""
        start, left = self._places[path]
        while left:
            chunk = os.pread(self._fd, min(_CHUNK, left), start)
            if not chunk:
                return
            start, left = start + len(chunk), left - len(chunk)
            yield chunk
