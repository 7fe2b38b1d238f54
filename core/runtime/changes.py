"""What a tool changed in its copy, kept to be carried over into the workspace or dropped (resolution, part 4)."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from core.runtime.errors import plain
from core.runtime.spool import Spool
from core.runtime.worker.snapshot import FILE, FOLDER, LINK, Entry, entry_of
from core.sources.beneath import create_file, folder, parts_of, replace_file

_REPOSITORY = ".git"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Refused(Exception):  # noqa: N818 - it names what happens to a path
    """A change that isn't carried over."""


class KeptChanges:
    """The changes of one call. Files that have changed since the copy was made are refused, and so is ``.git``."""

    def __init__(
        self, root: Path, report: Mapping[str, Any], spool_folder: Path, exclude: Collection[str] = ()
    ) -> None:
        self._root = str(root)
        self._exclude = tuple(map(os.path.realpath, exclude))
        self._entries: dict[str, tuple[Entry | None, Entry | None]] = {
            path: (old, new) for path, (old, new) in report["entries"].items()
        }
        self._spool = Spool(spool_folder)
        self._lock = threading.Lock()
        for path, (_, new) in self._entries.items():
            if new is not None and new[0] == FILE:
                self._spool.take(report["files"], path)

    def apply(self) -> tuple[str, ...]:
        """Carry the changes over; return the paths that were refused. A second time does nothing."""
        with self._lock:
            refused = [plain(path) for path in self._in_order() if not self._carried_over(path)]
            self._drop()
        return tuple(sorted(refused))

    def discard(self) -> None:
        """Forget the changes; safe to call twice."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        self._entries = {}
        self._spool.close()

    def _in_order(self) -> list[str]:
        """Return the paths: what is new or changed from the outside in, then what is gone from the inside out."""
        kept = sorted(path for path, (_, new) in self._entries.items() if new is not None)
        gone = sorted((path for path, (_, new) in self._entries.items() if new is None), reverse=True)
        return [*kept, *gone]

    def _carried_over(self, path: str) -> bool:
        old, new = self._entries[path]
        try:
            self._carry(path, old, new)
        except (Refused, OSError):
            return False
        return True

    def _carry(self, path: str, old: Entry | None, new: Entry | None) -> None:
        parts = path.split("/")
        if _REPOSITORY in (part.casefold() for part in parts) or (old and new and old[0] != new[0]):
            raise Refused
        place = os.path.join(os.path.realpath(self._root), path)
        if any(place == left_out or place.startswith(left_out + os.sep) for left_out in self._exclude):
            raise Refused
        with folder(self._root, parts[:-1]) as parent:
            if _present(parent, parts[-1], old) != old:
                raise Refused
            if new is None:
                _remove(parent, parts[-1], old)
            elif new[0] == FOLDER:
                _put_folder(parent, parts[-1], old, new)
            elif new[0] == LINK:
                self._put_link(parent, parts, old, new)
            else:
                self._put_file(parent, path, old, new)

    def _put_file(self, parent: int, path: str, old: Entry | None, new: Entry) -> None:
        if new[0] != FILE or path not in self._spool:
            raise Refused
        put = create_file if old is None else replace_file
        put(parent, path.rpartition("/")[2], self._spool.read(path), new[1] & 0o777)

    def _put_link(self, parent: int, parts: list[str], old: Entry | None, new: Entry) -> None:
        if os.path.isabs(new[6]) or _climbs_again(new[6]):
            raise Refused
        parts_of(self._root, "/".join([*parts[:-1], new[6]]))
        if old is not None:
            os.unlink(parts[-1], dir_fd=parent)
        os.symlink(new[6], parts[-1], dir_fd=parent)


def _present(parent: int, name: str, like: Entry | None) -> Entry | None:
    """Return what stands at ``name`` now; a folder of the mode of ``like`` is ``like``, whatever its times."""
    try:
        info = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None
    entry = entry_of(info)
    if entry[0] == LINK:
        entry[6] = os.readlink(name, dir_fd=parent)
    if like is not None and like[0] == entry[0] == FOLDER and like[1] == entry[1]:
        return like
    return entry


def _climbs_again(text: str) -> bool:
    """Whether a link goes up after it has gone down: by way of another link, which may come later, that leads out."""
    parts = [part for part in text.split("/") if part not in ("", ".")]
    return ".." in parts[next((at for at, part in enumerate(parts) if part != ".."), len(parts)) :]


def _put_folder(parent: int, name: str, old: Entry | None, new: Entry) -> None:
    if old is None:
        os.mkdir(name, dir_fd=parent)
    made = os.open(name, _FOLDER, dir_fd=parent)
    try:
        os.fchmod(made, new[1] & 0o777)
    finally:
        os.close(made)


def _remove(parent: int, name: str, old: Entry | None) -> None:
    if old is not None and old[0] == FOLDER:
        os.rmdir(name, dir_fd=parent)
    else:
        os.unlink(name, dir_fd=parent)
