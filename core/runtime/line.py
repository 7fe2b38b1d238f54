"""The explorer's end of the line to a supervisor: start it, send orders, hear messages, and see it gone."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from typing import Any

from core.runtime.python import ENVIRONMENT, supervisor_command
from core.runtime.worker.frames import FrameBuffer, FrameTooLong, packed

MESSAGE_LIMIT = 1 << 27
_CHUNK = 1 << 16
_GONE_PATIENCE_S = 30.0


class LineLost(Exception):  # noqa: N818 - it names a state of the line
    """The supervisor is gone, or does not answer in time."""


class Line:
    """One supervisor process. Closing the line is enough for it to end everything."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            supervisor_command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            env=ENVIRONMENT,
            start_new_session=True,
        )
        self._frames = FrameBuffer(MESSAGE_LIMIT)
        self._heard: list[bytes] = []
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)

    @property
    def _out(self) -> int:
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def send(self, order: dict[str, Any]) -> None:
        """Send one order; a supervisor that is gone is noticed by the next ``hear``."""
        assert self._process.stdin is not None
        left = memoryview(packed(json.dumps(order).encode()))
        try:
            while left:
                left = left[os.write(self._process.stdin.fileno(), left) :]
        except OSError:
            return

    def hear(self, seconds: float) -> tuple[dict[str, Any], bytes | None] | None:
        """Return the next message and the frame that it announces; None when nothing came within ``seconds``.

        Raises:
            LineLost: the supervisor has ended.
        """
        until = time.monotonic() + seconds
        while (message := self._whole()) is None:
            left = until - time.monotonic()
            if left <= 0:
                return None
            if self._poll.poll(left * 1000):
                self._read()
        return message

    def _whole(self) -> tuple[dict[str, Any], bytes | None] | None:
        if not self._heard:
            return None
        message: dict[str, Any] = json.loads(self._heard[0])
        wanted = 2 if message["payload"] else 1
        if len(self._heard) < wanted:
            return None
        payload = self._heard[1] if wanted == 2 else None
        del self._heard[:wanted]
        return message, payload

    def _read(self) -> None:
        data = os.read(self._out, _CHUNK)
        if not data:
            raise LineLost("the supervisor of the call ended unexpectedly")
        try:
            self._heard += self._frames.feed(data)
        except FrameTooLong:
            raise LineLost("the supervisor of the call sent more than it may") from None

    def close(self) -> None:
        """Let the supervisor go and wait until it has cleaned up; one that doesn't is killed."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(_GONE_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
