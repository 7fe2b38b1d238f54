"""Where a tool works: on a copy, on the real workspace under watch, or on the real one that it only reads."""

from __future__ import annotations

import os

from core.runtime.worker import diffs
from core.runtime.worker.scratch import Copy, shares_blocks
from core.runtime.worker.snapshot import FILE, OTHER, Entry, changes, hash_file, scan
from core.runtime.worker.tree import INSTALLED, CopyRefused

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from core.runtime.worker.overlay import Overlay

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

    overlaid = False

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

    def leave(self) -> None:
        """Take away what ``prepare`` has made beyond files; safe to call whatever became of it."""


class Copied(Place):
    """A copy in the call's own folder, or an overlay; whatever changes in it is the tool's doing."""

    def __init__(self, place: dict[str, Any]) -> None:
        super().__init__(place)
        self.root = place["target"]
        self._place = place
        self._made: Copy | Overlay | None = None

    def prepare(self, keep_going: Callable[[], bool]) -> list[str]:
        """Make the place; return what is said about it."""
        made = self._made = self._choose(keep_going)
        self.overlaid = made.what == "overlay"
        self.binds = [(os.path.join(made.source, p), os.path.join(self.root, p)) for p in made.installed]
        self.binds += [(origin, origin) for _, origin in made.objects]
        return [
            made.way(),
            *_note("sockets, pipes and devices left out of the copy", made.special),
            *_note("links that leave the workspace lead nowhere in the copy", made.leaving),
            *_note("unreadable, left out of the copy", made.unreadable),
        ]

    def _choose(self, keep_going: Callable[[], bool]) -> Copy | Overlay:
        """Return a copy wherever that is quick, else an overlay where there is one, else a copy if it is allowed."""
        offer = self._place["overlay"]
        if offer is None:
            return self._copy(keep_going)
        from core.runtime.worker.overlay import NoOverlay

        try:
            overlay = self._overlay(offer)
            overlay.make(keep_going)
            if self._is_quick_to_copy(overlay, offer):
                return self._copy(keep_going)
            overlay.mount()
        except NoOverlay as missing:
            try:
                return self._copy(keep_going)
            except CopyRefused as refused:
                raise CopyRefused(f"{refused}; an overlay is not possible either: {missing}") from refused
        return overlay

    def _copy(self, keep_going: Callable[[], bool]) -> Copy:
        place = self._place
        copy = Copy(place["source"], self.root, entries=place["entries"], size=place["bytes"], exclude=place["exclude"])
        copy.make(keep_going)
        return copy

    def _overlay(self, offer: dict[str, Any]) -> Overlay:
        from core.runtime.worker.overlay import Overlay

        place = self._place
        return Overlay(place["source"], self.root, offer["layers"], entries=offer["entries"], exclude=place["exclude"])

    def _is_quick_to_copy(self, overlay: Overlay, offer: dict[str, Any]) -> bool:
        many, size = len(overlay.before), overlay.bytes
        if many <= offer["quick_entries"] and size <= offer["quick_bytes"]:
            return True
        allowed = many <= self._place["entries"] and size <= self._place["bytes"]
        sample = overlay.sample
        return allowed and sample is not None and shares_blocks(sample, os.path.join(offer["layers"], "sample"))

    def report(self) -> Report:
        """Return what changed since the place was made."""
        made = self._made
        if made is None:
            return super().report()
        after = made.after()
        found, more = changes(made.before, after, self._hash_before, made.base)
        texts = diffs.diffs(found, made.base, self._text_before)
        entries = {c["path"]: [made.originals.get(c["path"]), after.get(c["path"])] for c in found}
        report = {"changes": found, "more": more, "diffs": texts, "unlisted": made.unlisted}
        return {**report, "entries": entries, "files": made.base}

    def leave(self) -> None:
        """Take the overlay away; what was changed is still there."""
        if self._made is not None:
            self._made.leave()

    def _hash_before(self, path: str) -> str | None:
        origin = self._made.original_file(path) if self._made else None
        return hash_file(origin) if origin else None

    def _text_before(self, path: str) -> bytes | None:
        origin = self._made.original_file(path) if self._made else None
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
        self._before = scan(self.root, _uninteresting).entries
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
        looked = scan(self.root, _uninteresting)
        found, more = changes(self._before, looked.filled(self._before), self._hashes.get, self.root)
        texts = diffs.diffs(found, self.root, self._texts.get)
        return {"changes": found, "more": more, "diffs": texts, "unlisted": len(looked.unlisted)}


class Sealed(Place):
    """The real workspace, mounted so that the tool can't change it; sockets and pipes in it are covered up."""

    def __init__(self, place: dict[str, Any]) -> None:
        super().__init__(place)
        self._nothing: str = place["nothing"]

    def prepare(self, keep_going: Callable[[], bool]) -> list[str]:
        """Find what could be reached through a read-only mount all the same."""
        super().prepare(keep_going)
        found = scan(self.root, lambda p: not keep_going() or _uninteresting(p)).entries
        special = [path for path, entry in found.items() if entry[0] == OTHER]
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
