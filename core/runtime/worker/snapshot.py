"""What a folder holds, before and after: the runtime's own word on what a tool changed (resolution, part 4)."""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# [kind, mode, size, mtime_ns, ctime_ns, inode, link target]: a list, since it crosses a pipe as JSON
Entry = list["Any"]
FILE, FOLDER, LINK, OTHER = "file", "directory", "symlink", "other"
HASH_LIMIT = 1 << 28
HASH_BUDGET = 1 << 30
MAX_CHANGES = 10_000
_CHUNK = 1 << 20


def entry_of(info: os.stat_result, link: str | None = None) -> Entry:
    """Return the entry for what ``os.lstat`` said; ``link`` is the target of a symbolic link."""
    kind = _kind(info.st_mode)
    return [kind, stat.S_IMODE(info.st_mode), info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino, link]


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return FILE
    if stat.S_ISDIR(mode):
        return FOLDER
    return LINK if stat.S_ISLNK(mode) else OTHER


class Scan:
    """What was found: ``entries`` by relative path, and the folders in ``unlisted`` that hold more, or could."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.unlisted: set[str] = set()

    def filled(self, before: dict[str, Entry]) -> dict[str, Entry]:
        """Return the entries, with those of ``before`` where nobody could look, for nothing is known to have changed.

        ``before`` names a folder before what it holds.
        """
        if not self.unlisted:
            return self.entries
        unknown, kept = set(self.unlisted), {}
        for path, entry in before.items():
            if path not in self.entries and path.rpartition("/")[0] in unknown:
                unknown.add(path)
                kept[path] = entry
        return {**kept, **self.entries}

    def look(self, folder: str, full: str, limit: int) -> list[str]:
        """Add what ``folder`` holds, up to ``limit`` entries in all; return the folders in it."""
        below: list[str] = []
        try:
            with os.scandir(full) as items:
                for item in items:
                    if len(self.entries) >= limit:
                        self.unlisted.add(folder)
                        break
                    entry = _looked_at(item)
                    if entry is not None:
                        path = f"{folder}/{item.name}" if folder else item.name
                        self.entries[path] = entry
                        below += [path] if entry[0] == FOLDER else []
        except OSError:
            self.unlisted.add(folder)
        return below


def scan(
    root: str, skip: Callable[[str], bool] = lambda _path: False, *, limit: int = 200_000, unlock: bool = False
) -> Scan:
    """Look at what lies below ``root``; no link is followed, nothing is opened.

    The content of folders that ``skip`` names is not looked at; what lies beyond ``limit`` entries isn't either.
    ``unlock`` opens folders to their owner first; their entries tell the modes from before.
    """
    found = Scan()
    queue = [""]
    while queue:
        folder = queue.pop()
        full = os.path.join(root, folder) if folder else root
        if unlock:
            _unlock(full, found.entries.get(folder))
        queue += [path for path in found.look(folder, full, limit) if not skip(path)]
    return found


def _unlock(full: str, entry: Entry | None) -> None:
    if entry is None or entry[1] & 0o700 != 0o700:
        try:
            os.chmod(full, 0o700)
        except OSError:
            return  # it is found to be unlisted


def _looked_at(item: os.DirEntry[str]) -> Entry | None:
    try:
        info = item.stat(follow_symlinks=False)
        return entry_of(info, os.readlink(item.path) if stat.S_ISLNK(info.st_mode) else None)
    except OSError:
        return None


def hash_file(path: str) -> str | None:
    """Return the sha256 of a regular file in hex; None for anything else, or beyond 256 MiB."""
    from hashlib import sha256

    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode) or info.st_size > HASH_LIMIT:
            return None
        found = sha256()
        while chunk := os.read(fd, _CHUNK):
            found.update(chunk)
        return found.hexdigest()
    except OSError:
        return None
    finally:
        os.close(fd)


def changes(
    before: dict[str, Entry], after: dict[str, Entry], hash_before: Callable[[str], str | None], root: str
) -> tuple[list[dict[str, Any]], int]:
    """Return what differs between two scans of ``root``, sorted by path, and how many more there are.

    A file that was written and restored is ``modified`` too: its time of change tells. At most 1 GiB is hashed.
    """
    paths = sorted(p for p in before.keys() | after.keys() if _differs(before.get(p), after.get(p)))
    budget = _Budget()
    listed = [_change(p, before.get(p), after.get(p), hash_before, root, budget) for p in paths[:MAX_CHANGES]]
    return listed, len(paths) - len(listed)


class _Budget:
    """How much may still be hashed."""

    def __init__(self) -> None:
        self._left = HASH_BUDGET

    def covers(self, entry: Entry | None) -> bool:
        """Whether the file of ``entry`` may be hashed, which is counted then."""
        if entry is None or entry[0] != FILE or entry[2] > self._left:
            return False
        self._left -= entry[2]
        return True


def _differs(old: Entry | None, new: Entry | None) -> bool:
    if old is None or new is None or old[0] != new[0]:
        return True
    if old[0] == FOLDER:
        return bool(old[1] != new[1])
    return bool(old[6] != new[6]) if old[0] == LINK else old != new


def _change(
    path: str,
    old: Entry | None,
    new: Entry | None,
    hash_before: Callable[[str], str | None],
    root: str,
    budget: _Budget,
) -> dict[str, Any]:
    kind = (new or old or [OTHER])[0]
    change: dict[str, Any] = {
        "path": path,
        "change": "created" if old is None else "deleted" if new is None else "modified",
        "size_before": _size(old),
        "size_after": _size(new),
        "hash_before": hash_before(path) if budget.covers(old) else None,
        "hash_after": hash_file(os.path.join(root, path)) if budget.covers(new) else None,
    }
    return change if kind == FILE else {**change, "type": kind}


def _size(entry: Entry | None) -> int | None:
    return entry[2] if entry is not None and entry[0] == FILE else None
