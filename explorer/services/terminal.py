"""The terminal the program runs in: whether it can hold a screen, and leaving it tidily when a signal asks."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping
from typing import TextIO

SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name))


def refusal(
    environment: Mapping[str, str] | None = None, stdin: TextIO | None = None, stdout: TextIO | None = None
) -> str | None:
    """Return one line that says why no screen can be opened here; None when it can."""
    environment = os.environ if environment is None else environment
    for stream in (stdin or sys.stdin, stdout or sys.stdout):
        if stream is None or not stream.isatty():
            return "the screen needs a terminal; `skill-explorer check` and `list` work without one"
    if environment.get("TERM", "") in ("dumb", "unknown"):
        return f"the terminal TERM={environment['TERM']} cannot hold a screen; `skill-explorer check` works in it"
    return None


def on_signals(leave: Callable[[int], None]) -> None:
    """Call ``leave`` with the exit status when a signal asks the program to end; needs a running loop."""
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        try:
            loop.add_signal_handler(number, leave, 128 + int(number))
        except (NotImplementedError, RuntimeError, ValueError):
            return  # not the main thread, or a system without these signals
