"""Ctrl-C while a tool runs: the first cancels the call, the second ends the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED_STATUS = 130


@contextmanager
def interrupting(cancel: threading.Event) -> Iterator[threading.Event]:
    """Let an interrupt set ``cancel`` instead of raising, and yield an event that says whether one came.

    A second interrupt ends the program at once, as the signal does by itself. Where interrupts are ignored, or
    outside the main thread, nothing changes.
    """
    came = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def interrupted(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        came.set()
        cancel.set()

    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield came
        return
    signal.signal(signal.SIGINT, interrupted)
    try:
        yield came
    finally:
        if not came.is_set():
            signal.signal(signal.SIGINT, before)
