"""Holds the program of a sandbox still, so that what the shim leaves behind in it can be counted.

A sandbox ends everything in it as soon as it notices that the shim has ended: who counted then would race with it.
"""

from __future__ import annotations

import os
import signal

from core.sources.reaper import name_of

SANDBOX = "bwrap"
_FIRST_INSIDE = "2"
"""The number of the shim in its own world: 1 is the sandbox's."""


def hold(sandbox: int) -> int | None:
    """Stop the process ``sandbox`` and return a descriptor that is readable once the shim in it has ended.

    None, and nothing is stopped, where it is no sandbox or the shim can't be found.
    """
    if name_of(sandbox) != SANDBOX or not hasattr(os, "pidfd_open"):
        return None
    try:
        shim = _shim_below(sandbox)
        ended = None if shim is None else os.pidfd_open(shim)
    except OSError:
        return None
    if ended is not None:
        os.kill(sandbox, signal.SIGSTOP)
    return ended


def _shim_below(sandbox: int) -> int | None:
    inside = [pid for init in _children(sandbox) for pid in _children(init)]
    return next((pid for pid in inside if _number_inside(pid) == _FIRST_INSIDE), None)


def _children(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def _number_inside(pid: int) -> str:
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
        line = next((line for line in file if line.startswith("NSpid:")), "")
    return line.split()[-1] if line else ""
