"""Ends every descendant of a process, also those that left its session and group.

For helper processes that start one foreign program each; standard library alone, quick to import.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False  # importing typing would cost more than the rest
if TYPE_CHECKING:
    from collections.abc import Callable

_SET_CHILD_SUBREAPER = 36
_SET_PARENT_DEATH_SIGNAL = 1
_KILL = 9
_PAUSE_S = 0.003


def _prctl() -> Callable[..., int] | None:
    try:
        import ctypes

        return ctypes.CDLL(None, use_errno=True).prctl
    except (ImportError, OSError, AttributeError):
        return None


def become_subreaper() -> bool:
    """Make orphaned descendants children of this process; False where the system can't."""
    prctl = _prctl()
    return prctl is not None and prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def finds_descendants() -> bool:
    """Whether a subreaper on this system can find, and so end, processes that have left their group."""
    return _prctl() is not None and os.path.exists(f"/proc/{os.getpid()}/stat")


def die_with_parent() -> None:
    """Have this process killed when the thread that started it ends; does nothing where the system can't."""
    prctl = _prctl()
    if prctl is not None:
        prctl(_SET_PARENT_DEATH_SIGNAL, _KILL, 0, 0, 0)


def signal_group(leader: int, number: int) -> None:
    """Send ``number`` to the process group of ``leader``; a group that is gone is no error."""
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):
        return


def end_descendants(
    budget_s: float = 5.0, reaped: dict[int, int] | None = None, uncounted: str = "", group: int | None = None
) -> tuple[int, bool]:
    """Kill and reap every descendant; return how many were killed and whether none is left.

    ``reaped`` receives the wait statuses; processes of the name ``uncounted`` are ended but not counted. The
    processes of ``group`` are killed with them, even where descendants can't be found. Only a subreaper finds processes
    whose parents have died.
    """
    killed: set[int] = set()
    until = time.monotonic() + budget_s
    while True:
        living = descendants(os.getpid())
        killed.update(pid for pid in living if pid not in killed and name_of(pid) != uncounted)
        if group is not None:
            signal_group(group, _KILL)
        for pid in living:
            _kill(pid)
        if _reap(reaped if reaped is not None else {}):
            return len(killed), True
        if time.monotonic() > until:
            return len(killed), False
        time.sleep(_PAUSE_S)


def _reap(statuses: dict[int, int]) -> bool:
    """Collect the children that have ended; whether there is no child at all."""
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return False
            statuses[pid] = status
    except ChildProcessError:
        return True


def _kill(pid: int) -> None:
    try:
        os.kill(pid, _KILL)
    except (ProcessLookupError, PermissionError):
        return


def descendants(ancestor: int) -> list[int]:
    """Return the living descendants of ``ancestor``, zombies left out; empty where there is no ``/proc``."""
    children = _children_by_parent()
    found: list[int] = []
    queue = [ancestor]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


def _children_by_parent() -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return children
    for name in names:
        if name.isdecimal() and (parent := _parent(name)) is not None:
            children.setdefault(parent, []).append(int(name))
    return children


def name_of(pid: int) -> str:
    """Return the name of the program that ``pid`` runs; empty if it is gone."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().rstrip("\n")
    except OSError:
        return ""


def _parent(name: str) -> int | None:
    try:
        with open(f"/proc/{name}/stat", "rb") as file:
            state, parent = file.read().rpartition(b")")[2].split()[:2]
    except (OSError, ValueError):
        return None
    return None if state == b"Z" else int(parent)
