"""A copy of the workspace for one call: complete enough to work in, bounded, and gone afterwards.

Blocks are shared where the file system can. ``overlay`` is the way out where it can't and there is much to copy.
"""

from __future__ import annotations

import os
import stat

from core.runtime.worker.snapshot import Entry, entry_of, scan
from core.runtime.worker.tree import Tree

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Iterable

_CLONE = 0x40049409  # ioctl FICLONE: share the blocks until one side writes
_CHUNK = 1 << 20
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Copy(Tree):
    """One copy being made."""

    def __init__(self, source: str, target: str, *, entries: int, size: int, exclude: Iterable[str] = ()) -> None:
        super().__init__(source, target, entries=entries, size=size, exclude=exclude)
        self.cloned, self.filled = 0, 0
        self._can_clone = True

    def put_folder(self, path: str, info: os.stat_result) -> None:
        """Make the folder; its owner may always write in it."""
        os.mkdir(os.path.join(self.base, path), stat.S_IMODE(info.st_mode) & 0o777 | 0o700)
        self.originals[path] = entry_of(info)
        self.note_made(path)

    def put_file(self, path: str, origin: str, info: os.stat_result) -> None:
        """Copy the file as it is once it is open."""
        source = os.open(origin, _READ)
        try:
            info = os.fstat(source)
            if not stat.S_ISREG(info.st_mode):
                self.take_special(path)
                return
            self.count_bytes(info.st_size)
            target = os.open(os.path.join(self.base, path), _WRITE, stat.S_IMODE(info.st_mode) & 0o777 | 0o600)
            try:
                self._fill(source, target, info.st_size)
                os.utime(target, ns=(info.st_atime_ns, info.st_mtime_ns))
                self.before[path] = entry_of(os.fstat(target))
            finally:
                os.close(target)
            self.originals[path] = entry_of(info)
        finally:
            os.close(source)

    def _fill(self, source: int, target: int, size: int) -> None:
        """Give ``target`` the first ``size`` bytes of ``source``, however much follows by now."""
        if self._can_clone:
            self._can_clone = _clone(source, target)
            if self._can_clone:
                self.cloned += 1
                return
        self.filled += 1
        while size and (chunk := os.read(source, min(size, _CHUNK))):
            size -= len(chunk)
            left = memoryview(chunk)
            while left:
                left = left[os.write(target, left) :]

    def put_link(self, path: str, info: os.stat_result, link: str, text: str) -> None:
        """Make the link."""
        os.symlink(text, os.path.join(self.base, path))
        self.originals[path] = entry_of(info, link)
        self.note_made(path)

    def leave_out(self, path: str) -> None:
        """Nothing is there unless it is made."""

    def hollow(self, path: str) -> None:
        """Nothing is in a folder unless it is put there."""

    def after(self) -> dict[str, Entry]:
        """Return what the copy holds now."""
        found = scan(self.base, unlock=True)
        self.unlisted = len(found.unlisted)
        return found.filled(self.before)

    def way(self) -> str:
        """Say in words how the files were copied."""
        size = f"{self.bytes / (1 << 20):,.1f} MiB"
        if not self.filled and not self.cloned:
            return "copied: there are no files"
        if not self.filled:
            return f"copied by sharing blocks until one side writes: {self.cloned:,} files, {size}"
        shared = f", {self.cloned:,} more by sharing blocks" if self.cloned else ""
        return f"copied in full, since the file system shares no blocks: {self.filled:,} files, {size}{shared}"


def shares_blocks(origin: str, target: str) -> bool:
    """Whether the file ``origin`` can share its blocks with the new file ``target``, found by trying."""
    source = os.open(origin, _READ)
    try:
        made = os.open(target, _WRITE, 0o600)
        try:
            return _clone(source, made)
        finally:
            os.close(made)
    finally:
        os.close(source)


def _clone(source: int, target: int) -> bool:
    from fcntl import ioctl

    try:
        ioctl(target, _CLONE, source)
    except OSError:
        return False
    return True
