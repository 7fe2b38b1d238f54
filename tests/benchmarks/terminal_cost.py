"""What a program costs on a real terminal up to a frame: CPU seconds of all its threads, and its memory."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyte

SIZE = (120, 36)
PATIENCE_S = 120.0


@dataclass
class Cost:
    """CPU seconds from the start of the process to the frame, resident MiB then, and what was printed at the end."""

    cpu_s: float
    memory: float
    printed: str = ""


def cost_to(arguments: Sequence[str], shown: Callable[[str], bool], compiled: Path, quit_key: str = "") -> Cost:
    """Run Python with ``arguments`` on a terminal until ``shown`` accepts what stands on the screen.

    Compiled modules are kept in the folder ``compiled``, as installing a program keeps them.
    """
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    command = [sys.executable, *arguments]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=_environment(compiled))
    screen = pyte.Screen(*SIZE)
    stream = pyte.ByteStream(screen)
    try:
        _feed(master, stream, process, lambda: shown("\n".join(screen.display)))
        found = Cost(_cpu_s(process.pid), _resident(process.pid))
        os.write(master, quit_key.encode())
        if quit_key:
            _feed(master, stream, process, lambda: process.poll() is not None, over=True)
            found.printed = "\n".join(screen.display)
        return found
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(master)
        os.close(slave)


def _environment(compiled: Path) -> dict[str, str]:
    inherited = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "PYTHONDONTWRITEBYTECODE")}
    return {**inherited, "TERM": "xterm-256color", "PYTHONPYCACHEPREFIX": str(compiled)}


def _feed(
    master: int,
    stream: pyte.ByteStream,
    process: subprocess.Popen[bytes],
    done: Callable[[], bool],
    *,
    over: bool = False,
) -> None:
    end = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < end, "it never came"
        assert over or process.poll() is None, "it ended"
        if select.select([master], [], [], 0.02)[0]:
            stream.feed(os.read(master, 1 << 20))


def _cpu_s(pid: int) -> float:
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9


def _resident(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024
