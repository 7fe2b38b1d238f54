"""Keeps the user's environment from tools that no sandbox keeps from looking at other processes."""

from __future__ import annotations

import ctypes
from functools import cache

_SET_DUMPABLE = 4


@cache
def hide_environment() -> bool:
    """Have the system refuse other programs of this user a look into this process; False where it can't.

    It stays so for good: debuggers are refused too, and a crash leaves no core file. A tool that runs as root is
    not kept out.
    """
    try:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
    except (OSError, AttributeError):
        return False
    return bool(prctl(_SET_DUMPABLE, 0, 0, 0, 0) == 0)
