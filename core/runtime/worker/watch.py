"""Holds a running shim to its time, its output limits and the order of its stages."""

from __future__ import annotations

import json
import os
import select
import time

from core.runtime.worker.explorer import Explorer
from core.runtime.worker.frames import FrameBuffer, FrameTooLong, too_deep
from core.runtime.worker.held import SANDBOX, hold
from core.runtime.worker.launch import Child
from core.runtime.worker.pipes import LogPipe, Outbox
from core.sources.reaper import end_descendants, signal_group

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from typing import Any

_CHUNK = 1 << 16
_TERM = 15
_TERM_GRACE_S = 0.2
_EXIT_GRACE_S = 1.0
_CLOSED_GRACE_S = 0.3
_DRAIN_S = 0.1
_FINISH = "finish"


class Watch:
    """The shim from its start to its end. ``why`` says what ended it, ``stage`` what it was asked for then."""

    def __init__(self, explorer: Explorer, child: Child, order: dict[str, Any]) -> None:
        self.explorer = explorer
        self.child = child
        self.requests = Outbox(child.requests)
        self.replies: FrameBuffer | None = FrameBuffer(order["reply_limit"])
        limit = order["log_limit"]
        self.logs = [LogPipe(child.stdout, "stdout", limit), LogPipe(child.stderr, "stderr", limit)]
        self.why: str | None = None
        self.stage: str | None = None
        self.sent_at = 0.0
        self.deadline: float | None = None
        self.at_deadline = "timeout"
        self.reaped: dict[int, int] = {}
        self.pidfd = _pidfd(child.pid)
        self.held: int | None = None

    def run(self) -> dict[str, Any]:
        """Serve until the shim has ended or must; return what is said about its end."""
        while self.why is None:
            self.wait()
            self.look_at_orders()
            if self.why is None and self.deadline is not None and time.monotonic() >= self.deadline:
                self.why = self.at_deadline
        took = (time.monotonic() - self.sent_at) * 1000
        leftover, clean = self.wind_down()
        self.drain()
        for log in self.logs:
            self.tell(log, log.rest())
        status = self.reaped.get(self.child.pid)
        return {
            "m": "ended",
            "why": self.why,
            "stage": self.stage,
            "ms": took,
            "status": None if status is None else os.waitstatus_to_exitcode(status),
            "leftover": leftover,
            "clean": clean,
            "dropped": {log.stream: log.dropped for log in self.logs if log.dropped},
        }

    def wait(self) -> None:
        """Wait for whatever comes next and take care of it."""
        ready = {fd for fd, _ in self.poller().poll(self.patience_ms())}
        if self.child.requests in ready:
            self.requests.flush()
        for log in self.logs:
            if log.fd in ready:
                self.tell(log, log.read())
        if self.child.replies in ready:
            self.look_at_replies()
        if self.held in ready or ((self.pidfd is None or self.pidfd in ready) and self.has_ended()):
            self.look_at_replies()
            self.why = self.why or "exit"

    def poller(self) -> select.poll:
        """Return a poll over everything that may happen now."""
        poller = select.poll()
        self.explorer.register(poller)
        if self.requests.waiting:
            poller.register(self.child.requests, select.POLLOUT)
        if self.replies is not None:
            poller.register(self.child.replies, select.POLLIN)
        if self.pidfd is not None:
            poller.register(self.pidfd, select.POLLIN)
        if self.held is not None:
            poller.register(self.held, select.POLLIN)
        for log in self.logs:
            if log.open:
                poller.register(log.fd, select.POLLIN)
        return poller

    def patience_ms(self) -> float | None:
        """Return how long nothing may happen; without a pidfd the shim's end must be asked for."""
        waits = [] if self.deadline is None else [max(0.0, self.deadline - time.monotonic())]
        if self.pidfd is None:
            waits.append(0.02)
        return min(waits) * 1000 + 1 if waits else None

    def look_at_orders(self) -> None:
        """Pass a stage on to the shim, or begin the end."""
        self.explorer.take_orders()
        if self.explorer.lost:
            self.why = "lost"
        elif self.explorer.cancelled:
            self.why = "cancel"
        elif self.stage is None and self.explorer.orders:
            self.begin(self.explorer.orders.pop(0))

    def begin(self, order: dict[str, Any]) -> None:
        """Ask the shim for a stage, or let it go when none is left."""
        if order["op"] == _FINISH:
            self.held = hold(self.child.pid)
            os.close(self.child.requests)
            self.stage = _FINISH
            return self.allow(_EXIT_GRACE_S, "exit")
        self.stage = order["request"]["stage"]
        self.requests.put(json.dumps(order["request"]).encode())
        self.sent_at = time.monotonic()
        if self.replies is None:
            return self.allow(_CLOSED_GRACE_S, "closed")
        return self.allow(order["deadline_s"], "timeout")

    def allow(self, seconds: float, then: str) -> None:
        """Set when the present stage must be over, and what it means if it isn't."""
        self.deadline, self.at_deadline = time.monotonic() + seconds, then

    def look_at_replies(self) -> None:
        """Pass the answer to the present stage on; anything else that the shim sends is nobody's."""
        while self.replies is not None:
            try:
                data = os.read(self.child.replies, _CHUNK)
            except BlockingIOError:
                return
            if not data:
                self.replies_closed()
                return
            try:
                frames = self.replies.feed(data)
            except FrameTooLong:
                self.why, self.replies = "too_long", None
                return
            for frame in frames:
                self.answer(frame)

    def answer(self, frame: bytes) -> None:
        """Pass one answer on, with the time that the stage took by this clock."""
        if self.stage is None or self.stage == _FINISH:
            return
        took = (time.monotonic() - self.sent_at) * 1000
        deep = too_deep(frame)
        self.explorer.say({"m": "reply", "stage": self.stage, "ms": took, "too_deep": deep}, b"" if deep else frame)
        self.stage = self.deadline = None

    def replies_closed(self) -> None:
        """The shim can answer no more: it is about to end, or has closed everything to go on unseen."""
        self.replies = None
        if self.stage not in (None, _FINISH):
            self.allow(_CLOSED_GRACE_S, "closed")

    def tell(self, log: LogPipe, text: str) -> None:
        """Pass on what was printed."""
        if text:
            self.explorer.say({"m": "log", "stream": log.stream, "text": text})

    def wind_down(self) -> tuple[int, bool]:
        """End the shim and everything that it has started; return how many it left behind and whether all are gone."""
        if self.why in ("timeout", "cancel"):
            signal_group(self.child.pid, _TERM)
            self.wait_for_end(_TERM_GRACE_S)
        alone = self.has_ended() or (self.held is not None and _readable(self.held))
        killed, clean = end_descendants(reaped=self.reaped, uncounted=SANDBOX, group=self.child.pid)
        return (killed if alone else 0), clean

    def wait_for_end(self, seconds: float) -> None:
        """Give the shim a moment to end by itself; what it prints meanwhile is still read."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.has_ended():
            self.drain()
            time.sleep(0.005)

    def drain(self) -> None:
        """Read what is in the pipes now; a process that we could not end may hold them open."""
        until = time.monotonic() + _DRAIN_S
        for log in self.logs:
            while log.open and time.monotonic() < until and log.ready():
                self.tell(log, log.read())

    def has_ended(self) -> bool:
        """Whether the shim has ended; it stays unreaped where the system allows, so that its number stays taken."""
        pid = self.child.pid
        if pid in self.reaped:
            return True
        try:
            if hasattr(os, "waitid"):
                return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
            ended, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return True
        if ended:
            self.reaped[pid] = status
        return bool(ended)


def _pidfd(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _readable(fd: int) -> bool:
    poller = select.poll()
    poller.register(fd, select.POLLIN)
    return bool(poller.poll(0))
