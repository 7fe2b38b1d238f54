"""The supervisor of one call: a process between the explorer and the tool.

It makes the copy, starts the shim, holds it to its time and its limits, passes on what it prints and answers,
ends every process that is left, says what changed, and removes the copy. It reads orders from stdin and answers
on stdout, both in frames; when stdin ends, however that came about, everything ends with it.
"""

from __future__ import annotations

import fcntl
import os
import time

from core.runtime.worker.explorer import Explorer
from core.runtime.worker.launch import Child, ignore_signals, launch
from core.runtime.worker.places import Place, place_of
from core.runtime.worker.tree import CopyRefused
from core.runtime.worker.watch import Watch
from core.sources.reaper import become_subreaper
from core.sources.removal import remove_tree

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from typing import Any

_ABANDONED_AFTER_S = 5


def main() -> None:
    """Serve one call and leave nothing behind."""
    ignore_signals()
    adopts = become_subreaper()
    explorer = Explorer()
    order = explorer.next_order()
    if order is None:
        return
    scratch, place = Scratch(order["scratch"]), place_of(order)
    try:
        serve(order, explorer, scratch, place, adopts)
    finally:
        place.leave()
        scratch.remove()


class Refused(Exception):  # noqa: N818 - it names what happened
    """The call could not begin; ``why`` is ``cancel``, ``place`` or ``start``."""

    def __init__(self, why: str, text: str) -> None:
        super().__init__(text)
        self.why = why


def serve(order: dict[str, Any], explorer: Explorer, scratch: Scratch, place: Place, adopts: bool) -> None:
    """Prepare, run and report; then wait for the explorer to have read the copy."""
    try:
        notes = prepared(order, place, explorer, scratch)
        child = started(order, place)
    except Refused as refused:
        explorer.say({"m": "refused", "why": refused.why, "text": str(refused)})
        explorer.next_order()
        return
    explorer.say({"m": "started", "pid": child.pid, "notes": notes, "adopts": adopts, "overlaid": place.overlaid})
    ended = Watch(explorer, child, order).run()
    if not explorer.lost:
        explorer.say({**ended, **place.report()})
        explorer.next_order()


def prepared(order: dict[str, Any], place: Place, explorer: Explorer, scratch: Scratch) -> list[str]:
    """Make the call's folder and the tool's place; return what is said about them."""
    try:
        scratch.make(order["folders"])
        notes: list[str] = place.prepare(explorer.keeps_going)
    except CopyRefused as refused:
        raise Refused("place", str(refused)) from refused
    except OSError as error:
        raise Refused("place", f"{error.strerror}: {error.filename}") from error
    if not explorer.keeps_going():
        raise Refused("cancel", "cancelled before it began")
    return notes


def started(order: dict[str, Any], place: Place) -> Child:
    """Start the shim, with the mounts that the place asks for put into its command line."""
    argv, at = order["argv"], order["binds_at"]
    binds = [word for origin, target in place.binds for word in ("--ro-bind", origin, target)]
    try:
        child, problem = launch(order, argv if at is None else [*argv[:at], *binds, *argv[at:]])
    except Exception as error:  # told to the explorer, which shows it as a failed call
        raise Refused("start", f"{type(error).__name__}: {error}") from error
    if child is None:
        raise Refused("start", problem)
    return child


class Scratch:
    """The call's own folder, locked for as long as this process lives."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock: int | None = None

    def make(self, folders: list[str]) -> None:
        """Make the folder and ``folders`` in it."""
        os.mkdir(self.path, 0o700)
        self._lock = os.open(os.path.join(self.path, "lock"), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        for folder in folders:
            os.mkdir(os.path.join(self.path, folder), 0o700)

    def remove(self) -> None:
        """Remove the folder, and those beside it whose supervisor was killed."""
        if self._lock is not None:
            remove_tree(self.path)
            sweep(os.path.dirname(self.path))


def sweep(folder: str) -> None:
    """Remove the folders below ``folder`` that nobody holds locked any more."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        try:
            if time.time() - os.lstat(path).st_mtime >= _ABANDONED_AFTER_S:
                _remove_unlocked(path)
        except OSError:
            continue  # another supervisor's, or already gone


def _remove_unlocked(path: str) -> None:
    lock = os.open(os.path.join(path, "lock"), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove_tree(path)
    finally:
        os.close(lock)
