"""Watching a workspace: by the system's events where they can be had, else by looking every two seconds."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.workspace.poll import polled

STEP_MS, MOST_MS = 10, 240
TURN_MS = 250
NOTHING: frozenset[str] = frozenset()
LOOK_S = 2.0


class WatchState(StrEnum):
    """How the workspace is watched now."""

    EVENTS = "watching"
    POLLING = "polling"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Change:
    """Something may have changed; ``state`` says how it is watched from now on, ``notice`` why not better.

    ``paths`` are all that can have changed since the change before, relative to the root with ``/``; None where that
    isn't known.
    """

    state: WatchState
    notice: str = ""
    paths: frozenset[str] | None = None


def watch(root: Path, stop: threading.Event, *, look_s: float = LOOK_S) -> Iterator[Change]:
    """Yield a change whenever files below ``root`` may differ, until ``stop`` is set.

    The first change comes at once, and another once the watch is armed, for what happened until then. A root that
    vanishes is waited for; a system without free watches is polled, and the change says so.
    """
    armed = WatchState.EVENTS
    notice = ""
    while not stop.is_set():
        identity = _identity(root)
        if identity is None:
            yield Change(WatchState.GONE, "the workspace is gone; waiting for it to come back")
            if not _wait_for(root, stop, look_s):
                return
            continue
        yield Change(armed, notice)
        try:
            yield from _armed(root, stop, identity, armed, notice, look_s)
        except OSError as error:
            if armed is WatchState.POLLING:
                raise
            armed, notice = WatchState.POLLING, f"no file events ({_first_line(error)}); looking every {look_s:g} s"


def _armed(
    root: Path, stop: threading.Event, identity: tuple[int, int], state: WatchState, notice: str, look_s: float
) -> Iterator[Change]:
    """Yield once armed, until ``stop`` or until the folder at ``root`` is no longer the one that was armed."""
    armed = False
    looks = polled(root, stop, look_s) if state is WatchState.POLLING else _events(root, stop)
    for paths in looks:
        if _identity(root) != identity:
            return
        if paths != NOTHING or not armed:
            yield Change(state, notice, paths if armed else None)
        armed = True


def _events(root: Path, stop: threading.Event) -> Iterator[frozenset[str] | None]:
    from watchfiles import watch as events

    found = events(
        root,
        watch_filter=None,
        debounce=MOST_MS,
        step=STEP_MS,
        stop_event=stop,
        rust_timeout=TURN_MS,
        yield_on_timeout=True,
        raise_interrupt=True,
        force_polling=False,
        ignore_permission_denied=True,
    )
    for changes in found:
        yield _relative(root, (path for _, path in changes))


def _relative(root: Path, paths: Iterable[str]) -> frozenset[str] | None:
    """Return ``paths`` as seen from ``root``; None where one isn't below it."""
    above = os.path.join(root, "")
    found = set()
    for path in paths:
        if not path.startswith(above):
            return None
        found.add(path[len(above) :].replace(os.sep, "/"))
    return frozenset(found)


def _wait_for(root: Path, stop: threading.Event, look_s: float) -> bool:
    while _identity(root) is None:
        if stop.wait(look_s / 4):
            return False
    return True


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        found = root.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _first_line(error: OSError) -> str:
    return (str(error).splitlines() or ["unknown reason"])[0]
