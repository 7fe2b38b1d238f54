"""A copy of the workspace for one call: complete enough to work in, bounded, and gone afterwards.

Left out: sockets, FIFOs and devices; the content of folders that packages are installed in; and the objects of git
repositories, which the copy borrows from the original. A link that leaves the workspace is there, but leads nowhere:
who follows links by their text refuses it as in the workspace, and who just opens it reaches nothing real.

Blocks are shared where the file system can. No overlay is mounted instead: without privileges it refuses to rename
folders that are there already, and what others save in the workspace meanwhile shows through it.
"""

from __future__ import annotations

import os
import stat

from core.runtime.worker.snapshot import FILE, Entry, entry_of

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

INSTALLED = frozenset({".venv", "node_modules", "__pycache__"})
_CLONE = 0x40049409  # ioctl FICLONE: share the blocks until one side writes
_CHUNK = 1 << 20
_NOWHERE = "/nonexistent/outside-the-workspace"
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class CopyRefused(Exception):  # noqa: N818 - it names what happened
    """The copy was not made; the message is for the user."""


class Copy:
    """One copy being made; afterwards ``before`` and ``originals`` hold what both sides looked like."""

    def __init__(self, source: str, target: str, *, entries: int, size: int, exclude: Iterable[str] = ()) -> None:
        self.source = os.path.realpath(source)
        self.target = target
        self.entries_left, self.bytes_left = entries, size
        self.limits = (entries, size)
        self.exclude = frozenset(exclude)
        self.before: dict[str, Entry] = {}
        self.originals: dict[str, Entry] = {}
        self.installed: list[str] = []
        self.objects: list[tuple[str, str]] = []
        self.special: list[str] = []
        self.leaving: list[str] = []
        self.unreadable: list[str] = []
        self.cloned, self.filled = 0, 0
        self._can_clone = True

    def make(self, keep_going: Callable[[], bool] = lambda: True) -> None:
        """Copy everything; stop early when ``keep_going`` says so.

        Raises:
            CopyRefused: the workspace is gone or over a limit, or the disk is full.
        """
        if not os.path.isdir(self.source):
            raise CopyRefused("the workspace no longer exists")
        os.mkdir(self.target, 0o700)
        queue = [""]
        while queue:
            folder = queue.pop()
            queue += self._copy_folder(folder)
            if not keep_going():
                return

    def _copy_folder(self, folder: str) -> list[str]:
        items = self._list(folder)
        names = {item.name for item in items}
        repository = {"HEAD", "objects", "refs"} <= names
        below = []
        for item in items:
            path = f"{folder}/{item.name}" if folder else item.name
            if item.path in self.exclude:
                continue
            if self._copy_item(item, path):
                if repository and item.name == "objects":
                    self._borrow_objects(path, item.path)
                elif item.name in INSTALLED:
                    self.installed.append(path)
                else:
                    below.append(path)
        return below

    def _list(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self.source, folder)) as items:
                return list(items)
        except OSError:
            self.unreadable.append(folder)
            return []

    def _copy_item(self, item: os.DirEntry[str], path: str) -> bool:
        """Copy one entry without what is below it; whether it is a folder."""
        self._count_entry()
        try:
            info = item.stat(follow_symlinks=False)
            if stat.S_ISDIR(info.st_mode):
                os.mkdir(os.path.join(self.target, path), stat.S_IMODE(info.st_mode) & 0o777 | 0o700)
                self._note(path, info)
                return True
            if stat.S_ISREG(info.st_mode):
                self._copy_file(item.path, path)
            elif stat.S_ISLNK(info.st_mode):
                self._copy_link(item.path, path, info)
            else:
                self.special.append(path)
        except PermissionError:
            self.unreadable.append(path)
        except FileNotFoundError:
            return False  # deleted since the folder was listed
        except OSError as error:
            raise CopyRefused(f"the workspace can't be copied: {error.strerror} ({path})") from error
        return False

    def _count_entry(self) -> None:
        self.entries_left -= 1
        if self.entries_left < 0:
            raise CopyRefused(f"the workspace is too large for a copy: over {self.limits[0]:,} files and folders")

    def _count_bytes(self, size: int) -> None:
        self.bytes_left -= size
        if self.bytes_left < 0:
            raise CopyRefused(f"the workspace is too large for a copy: over {self.limits[1] >> 20:,} MiB")

    def _copy_file(self, origin: str, path: str) -> None:
        source = os.open(origin, _READ)
        try:
            info = os.fstat(source)
            if not stat.S_ISREG(info.st_mode):
                self.special.append(path)
                return
            self._count_bytes(info.st_size)
            target = os.open(os.path.join(self.target, path), _WRITE, stat.S_IMODE(info.st_mode) & 0o777 | 0o600)
            try:
                self._fill(source, target)
                os.utime(target, ns=(info.st_atime_ns, info.st_mtime_ns))
                self.before[path] = entry_of(os.fstat(target))
            finally:
                os.close(target)
            self.originals[path] = entry_of(info)
        finally:
            os.close(source)

    def _fill(self, source: int, target: int) -> None:
        if self._can_clone:
            self._can_clone = _clone(source, target)
            if self._can_clone:
                self.cloned += 1
                return
        self.filled += 1
        while chunk := os.read(source, _CHUNK):
            left = memoryview(chunk)
            while left:
                left = left[os.write(target, left) :]

    def _copy_link(self, origin: str, path: str, info: os.stat_result) -> None:
        real, link = os.path.realpath(origin), os.readlink(origin)
        text = link
        if real != self.source and not real.startswith(self.source + os.sep):
            self.leaving.append(path)
            text = _NOWHERE
        elif os.path.isabs(link):
            text = os.path.relpath(real, os.path.dirname(os.path.join(self.source, path)))
        os.symlink(text, os.path.join(self.target, path))
        self._note(path, info, link)

    def _note(self, path: str, info: os.stat_result, link: str | None = None) -> None:
        made = os.path.join(self.target, path)
        self.before[path] = entry_of(os.lstat(made), os.readlink(made) if link is not None else None)
        self.originals[path] = entry_of(info, link)

    def _borrow_objects(self, path: str, origin: str) -> None:
        """Let the copy's repository read the original's objects: git's own way, and nothing to copy."""
        self.objects.append((path, origin))
        info = os.path.join(self.target, path, "info")
        os.mkdir(info, 0o700)
        with open(os.path.join(info, "alternates"), "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(origin + "\n")
        for made in ("info", "info/alternates"):
            self.before[f"{path}/{made}"] = entry_of(os.lstat(os.path.join(self.target, path, made)))

    def way(self) -> str:
        """Say in words how the files were copied."""
        size = f"{(self.limits[1] - self.bytes_left) / (1 << 20):,.1f} MiB"
        if not self.filled and not self.cloned:
            return "copied: there are no files"
        if not self.filled:
            return f"copied by sharing blocks until one side writes: {self.cloned:,} files, {size}"
        shared = f", {self.cloned:,} more by sharing blocks" if self.cloned else ""
        return f"copied in full, since the file system shares no blocks: {self.filled:,} files, {size}{shared}"

    def original_file(self, path: str) -> str | None:
        """Return the original's path if it is still as it was when it was copied."""
        known = self.originals.get(path)
        origin = os.path.join(self.source, path)
        try:
            same = known is not None and known[0] == FILE and entry_of(os.lstat(origin)) == known
        except OSError:
            return None
        return origin if same else None


def _clone(source: int, target: int) -> bool:
    from fcntl import ioctl

    try:
        ioctl(target, _CLONE, source)
    except OSError:
        return False
    return True
