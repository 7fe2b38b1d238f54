"""Where a tool works: on a copy, on the real workspace under watch, or on the real one that it only reads."""

from __future__ import annotations

import os

from core.runtime.worker import diffs
from core.runtime.worker.scratch import INSTALLED, Copy, CopyRefused
from core.runtime.worker.snapshot import FILE, OTHER, Entry, changes, hash_file, scan

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Report = dict[str, Any]

_KEPT_TEXT = 1 << 25
_MAX_MASKS = 200


def place_of(order: dict[str, Any]) -> Place:
    """Return the place that ``order`` asks for: ``copy``, ``real``, ``sealed``, or ``read`` for our own readers."""
    place = order["place"]
    kinds: dict[str, type[Place]] = {"copy": Copied, "real": Watched, "sealed": Sealed, "read": Place}
    return kinds[place["kind"]](place)


class Place:
    """The real workspace as it is; ``binds`` are mounts that confinement adds."""

    def __init__(self, place: dict[str, Any]) -> None:
        self.root: str = place["source"]
        self.binds: list[tuple[str, str]] = []

    def prepare(self, keep_going: Callable[[], bool]) -> list[str]:
        """Make the place ready and return what is to be said about it.

        Raises:
            CopyRefused: the workspace is gone, or over a limit.
        """
        if not os.path.isdir(self.root):
            raise CopyRefused("the workspace no longer exists")
        return []

    def report(self) -> Report:
        """Return what has changed since ``prepare``."""
        return {"changes": [], "more": 0, "diffs": []}


class Copied(Place):
    """A copy in the call's own folder; whatever changes in it is the tool's doing."""

    def __init__(self, place: dict[str, Any]) -> None:
        super().__init__(place)
        self.root = place["target"]
        self._copy = Copy(
            place["source"], self.root, entries=place["entries"], size=place["bytes"], exclude=place["exclude"]
        )

    def prepare(self, keep_going: Callable[[], bool]) -> list[str]:
        """Make the copy; return what is said about it."""
        copy = self._copy
        copy.make(keep_going)
        self.binds = [(os.path.join(copy.source, p), os.path.join(self.root, p)) for p in copy.installed]
        self.binds += [(origin, origin) for _, origin in copy.objects]
        return [
            copy.way(),
            *_note("sockets, pipes and devices left out of the copy", copy.special),
            *_note("links that leave the workspace lead nowhere in the copy", copy.leaving),
            *_note("unreadable, left out of the copy", copy.unreadable),
        ]

    def report(self) -> Report:
        """Return what changed since the copy was made."""
        copy = self._copy
        after = scan(self.root)
        found, more = changes(copy.before, after, self._hash_before, self.root)
        made = diffs.diffs(found, self.root, self._text_before)
        entries = {c["path"]: [copy.originals.get(c["path"]), after.get(c["path"])] for c in found}
        return {"changes": found, "more": more, "diffs": made, "entries": entries}

    def _hash_before(self, path: str) -> str | None:
        origin = self._copy.original_file(path)
        return hash_file(origin) if origin else None

    def _text_before(self, path: str) -> bytes | None:
        origin = self._copy.original_file(path)
        return diffs.content(origin) if origin else None


class Watched(Place):
    """The real workspace; what others change meanwhile can't be told from what the tool changes."""

    def __init__(self, place: dict[str, Any]) -> None:
        super().__init__(place)
        self._before: dict[str, Entry] = {}
        self._hashes: dict[str, str | None] = {}
        self._texts: dict[str, bytes | None] = {}

    def prepare(self, keep_going: Callable[[], bool]) -> list[str]:
        """Look at everything; the texts of small files are kept for the diffs, up to 32 MiB in all."""
        super().prepare(keep_going)
        self._before = scan(self.root, _uninteresting)
        kept = 0
        for path, entry in self._before.items():
            if entry[0] != FILE:
                continue
            if not keep_going():
                break
            full = os.path.join(self.root, path)
            self._hashes[path] = hash_file(full)
            if entry[2] <= diffs.SIZE_LIMIT and kept + entry[2] <= _KEPT_TEXT:
                self._texts[path] = diffs.content(full)
                kept += entry[2]
        return []

    def report(self) -> Report:
        """Return what changed since ``prepare``."""
        found, more = changes(self._before, scan(self.root, _uninteresting), self._hashes.get, self.root)
        return {"changes": found, "more": more, "diffs": diffs.diffs(found, self.root, self._texts.get)}


class Sealed(Place):
    """The real workspace, mounted so that the tool can't change it; sockets and pipes in it are covered up."""

    def __init__(self, place: dict[str, Any]) -> None:
        super().__init__(place)
        self._nothing: str = place["nothing"]

    def prepare(self, keep_going: Callable[[], bool]) -> list[str]:
        """Find what could be reached through a read-only mount all the same."""
        super().prepare(keep_going)
        special = [
            p for p, e in scan(self.root, lambda p: not keep_going() or _uninteresting(p)).items() if e[0] == OTHER
        ]
        if len(special) > _MAX_MASKS:
            raise CopyRefused(f"the workspace holds {len(special):,} sockets, pipes and devices; at most {_MAX_MASKS}")
        os.close(os.open(self._nothing, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o400))
        self.binds = [(self._nothing, os.path.join(self.root, path)) for path in special]
        return _note("sockets, pipes and devices covered up", special)


def _uninteresting(path: str) -> bool:
    return path.rpartition("/")[2] in INSTALLED or path.endswith(".git/objects")


def _note(what: str, paths: list[str]) -> list[str]:
    if not paths:
        return []
    rest = f" and {len(paths) - 5:,} more" if len(paths) > 5 else ""
    return [f"{what}: {', '.join(sorted(paths)[:5])}{rest}"]
