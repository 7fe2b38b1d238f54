"""Keeps one server process: starts it, ends it when told, and leaves nothing of it behind.

Runs as a process of its own, with the standard library alone. The server gets this process' stdin, stdout and
stderr. Over the control socket the explorer sends JSON lines: first ``{"path", "argv", "env", "cwd"}``, later
perhaps ``{"stop": [grace_s, term_s]}``; it is told ``{"pid": n}`` or ``{"failed": text}``, and once
``{"exit": status}`` (negative: the signal). When the socket closes, however that came about, the server and all
its descendants are killed at once.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time

from core.sources.reaper import become_subreaper, end_descendants, signal_group

TYPE_CHECKING = False  # importing typing would cost more than the rest
if TYPE_CHECKING:
    from typing import Any

_SWEEP_LIMIT_S = 10.0
_IGNORED_HERE = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def main(control: int) -> None:
    """Serve the one server that the first line describes."""
    for number in _IGNORED_HERE:
        signal.signal(number, signal.SIG_IGN)
    os.set_inheritable(control, False)
    adopted = become_subreaper()
    wake = _child_alarm()
    lines = _Lines(control)
    order = lines.wait_for_one()
    if order is None:
        return
    pid, failure = _start(order)
    if failure:
        _send(control, {"failed": failure})
        return
    _forget_server_pipes()
    _send(control, {"pid": pid})
    status = _watch(pid, lines, wake)
    if status is not None:
        _send(control, {"exit": status})
    if status is None or not adopted:  # a reaped leader's group id may already be somebody else's
        signal_group(pid, signal.SIGKILL)
    end_descendants(_SWEEP_LIMIT_S)


class _Lines:
    """JSON lines from the control socket; ``closed`` once the other side is gone."""

    def __init__(self, control: int) -> None:
        self.fd = control
        self.closed = False
        self._rest = b""

    def read(self) -> list[dict[str, Any]]:
        """Return the lines that one read completes."""
        chunk = os.read(self.fd, 65536)
        self.closed = not chunk
        *done, self._rest = (self._rest + chunk).split(b"\n")
        return [json.loads(line) for line in done]

    def wait_for_one(self) -> dict[str, Any] | None:
        """Return the first line, or None when the other side goes away before it is complete."""
        while not self.closed:
            for line in self.read():
                return line
        return None


def _child_alarm() -> int:
    """Return a descriptor that becomes readable when a child has ended."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    return read


def _start(order: dict[str, Any]) -> tuple[int, str | None]:
    """Fork and exec the server in a session of its own; return its pid and why it failed."""
    report, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        _exec(order, tell)
    os.close(tell)
    with os.fdopen(report, encoding="utf-8", errors="replace") as pipe:
        return pid, pipe.read() or None


def _exec(order: dict[str, Any], tell: int) -> None:
    """Become the server; what prevents that is written to ``tell``."""
    what = order["cwd"]
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (*_IGNORED_HERE, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(order["cwd"])
        what = order["path"]
        os.execve(order["path"], order["argv"], order["env"])
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        os.write(tell, f"{what}: {reason}".encode())
    finally:
        os._exit(127)


def _forget_server_pipes() -> None:
    """Let go of the server's pipes, so that their ends are seen when the server goes."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    os.close(nothing)


def _watch(pid: int, lines: _Lines, wake: int) -> int | None:
    """Wait until the server ends, and return its status; None when the explorer went first."""
    steps: list[tuple[float, signal.Signals]] = []
    while True:
        wait = max(0.0, steps[0][0] - time.monotonic()) if steps else None
        ready, _, _ = select.select([lines.fd, wake], [], [], wait)
        if wake in ready:
            os.read(wake, 512)
        status = _reap(pid)
        if status is not None:
            return status
        if lines.fd in ready:
            for order in lines.read():
                grace, term = order["stop"]
                now = time.monotonic()
                steps = [(now + grace, signal.SIGTERM), (now + grace + term, signal.SIGKILL)]
            if lines.closed:
                return None
        if steps and time.monotonic() >= steps[0][0]:
            signal_group(pid, steps.pop(0)[1])


def _reap(server: int) -> int | None:
    """Collect every child that has ended; return the server's status when it is among them."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid == 0:
            return found
        if pid == server:
            found = os.waitstatus_to_exitcode(status)


def _send(control: int, line: dict[str, Any]) -> None:
    try:
        os.write(control, json.dumps(line).encode() + b"\n")
    except OSError:
        return  # the explorer is gone; the sweep is what still matters
