"""The real program on a real pseudo-terminal: what it writes byte by byte, and how it leaves the terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyte

PATIENCE_S = 60.0


class Terminal:
    """One program on one pseudo-terminal."""

    def __init__(self, arguments: Sequence[str], size: tuple[int, int], environment: dict[str, str]) -> None:
        self.master, slave = pty.openpty()
        self._slave = slave
        self.before = termios.tcgetattr(slave)
        self.written = b""
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.resize(*size)
        self.process = subprocess.Popen(
            arguments,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=environment,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if hasattr(self, "process"):
            os.kill(self.process.pid, signal.SIGWINCH)

    def pump(self, seconds: float = 0.05) -> None:
        """Read what there is."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if ready:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            self.written += data
            self._stream.feed(data)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def until(self, wanted: str) -> None:
        """Read until ``wanted`` stands on the screen."""
        self._wait(lambda: wanted in self.text, f"{wanted!r} never came")

    def until_gone(self, unwanted: str) -> None:
        """Read until ``unwanted`` stands on the screen no more."""
        self._wait(lambda: unwanted not in self.text, f"{unwanted!r} never went")

    def until_written(self, wanted: bytes) -> None:
        """Read until these bytes have come."""
        self._wait(lambda: wanted in self.written, f"{wanted!r} never came")

    def until_stopped(self) -> None:
        """Read until the program has been stopped, as a shell does it, and all that it wrote before."""
        self._wait(lambda: self._state == "T", "it never stopped")
        while select.select([self.master], [], [], 0)[0]:
            self.pump()

    @property
    def _state(self) -> str:
        return Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]

    def _wait(self, condition: Callable[[], bool], complaint: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < end, f"{complaint}:\n{self.text}"
            assert self.process.poll() is None, f"it ended: {complaint}:\n{self.text}"
            self.pump()

    def ended(self) -> int:
        """Read to the end and return the exit status."""
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it never ended:\n{self.text}"
            self.pump()
        for _ in range(20):
            self.pump(0.02)
        return self.process.returncode

    @property
    def restored(self) -> bool:
        """Whether the terminal is as it was: its modes, the normal screen, the cursor, no mouse reports."""
        modes = termios.tcgetattr(self._slave)[:4] == self.before[:4]
        on, off = self.written.rfind(b"\x1b[?1049h"), self.written.rfind(b"\x1b[?1049l")
        cursor = self.written.rfind(b"\x1b[?25h") > self.written.rfind(b"\x1b[?25l")
        mouse = self.written.rfind(b"\x1b[?1000l") > self.written.rfind(b"\x1b[?1000h")
        return modes and off > on and cursor and mouse

    def hang_up(self) -> None:
        """Close the terminal's window."""
        os.close(self.master)
        self.master = -1

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.master >= 0:
            os.close(self.master)
        os.close(self._slave)


@contextmanager
def running(
    *arguments: str, size: tuple[int, int] = (100, 30), script: str | None = None, **environment: str
) -> Iterator[Terminal]:
    """Run the program with ``arguments``, or ``script`` with them, on a terminal of ``size`` columns and rows."""
    program = ["-c", script] if script else ["-m", "explorer"]
    inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    given = {**inherited, "TERM": "xterm-256color", "PYTHONPATH": str(Path(__file__).parents[2]), **environment}
    terminal = Terminal([sys.executable, "-P", *program, *arguments], size, given)
    try:
        yield terminal
    finally:
        terminal.close()
