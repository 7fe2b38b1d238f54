"""The terminal the program runs in: whether it can hold a screen, and leaving it tidily when a signal asks."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import subprocess

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


LOOKS_EVERY_S, GRACE_S = 0.1, 1.0


class AskedToLeaveError(Exception):
    """A signal asked this program to end while another one had the terminal."""


def run_in_front(command: Sequence[str]) -> int:
    """Run another program on the terminal and return its exit status.

    A signal that asks this program to end ends the other one, within ``GRACE_S`` seconds.

    Raises:
        AskedToLeaveError: after such a signal; the handler of ``on_signals`` runs when the loop does again.
        OSError: it could not be started.
    """
    import subprocess

    with _noted_signals() as asked, subprocess.Popen(command) as process:
        while process.poll() is None and not asked:
            with suppress(subprocess.TimeoutExpired):
                process.wait(LOOKS_EVERY_S)
        _end(process)
    if asked:
        raise AskedToLeaveError
    return process.returncode


@contextmanager
def _noted_signals() -> Iterator[list[int]]:
    """Note what comes: a loop that waits for another program calls no handlers of its own."""
    asked: list[int] = []
    before = {number: signal.signal(number, lambda got, _frame: asked.append(got)) for number in SIGNALS}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(process: subprocess.Popen[bytes]) -> None:
    import subprocess

    process.terminate()
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
