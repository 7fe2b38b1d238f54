"""The supervisor's line to the explorer: orders on stdin, answers on stdout; its end is the end of the call."""

from __future__ import annotations

import json
import os
import select

from core.runtime.worker.frames import FrameBuffer
from core.runtime.worker.pipes import Outbox

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from typing import Any

ORDERS_FD, ANSWERS_FD = 0, 1
ORDER_LIMIT = 1 << 26
_CHUNK = 1 << 16


class Explorer:
    """What the explorer wants, and whether it is still there."""

    def __init__(self) -> None:
        self.lost = False
        self.cancelled = False
        self.orders: list[dict[str, Any]] = []
        self.outbox = Outbox(ANSWERS_FD)
        self._frames = FrameBuffer(ORDER_LIMIT)
        os.set_blocking(ORDERS_FD, False)

    def say(self, message: dict[str, Any], payload: bytes | None = None) -> None:
        """Send one message, and the frame that it announces."""
        self.outbox.put(json.dumps({**message, "payload": payload is not None}).encode())
        if payload is not None:
            self.outbox.put(payload)

    def next_order(self) -> dict[str, Any] | None:
        """Wait for an order, sending meanwhile what is still to be sent; None once the explorer is gone."""
        while not self.orders and not self.lost:
            poller = select.poll()
            self.register(poller)
            poller.poll()
            self.take_orders()
        return self.orders.pop(0) if self.orders else None

    def register(self, poller: select.poll) -> None:
        """Have ``poller`` wait for this line too."""
        poller.register(ORDERS_FD, select.POLLIN)
        if self.outbox.waiting:
            poller.register(ANSWERS_FD, select.POLLOUT)

    def take_orders(self) -> None:
        """Read the orders that are there and send what can be sent, without waiting."""
        self.outbox.flush()
        try:
            data = os.read(ORDERS_FD, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self.lost = True
        for frame in self._frames.feed(data):
            order = json.loads(frame)
            if order["op"] == "cancel":
                self.cancelled = True
            else:
                self.orders.append(order)

    def keeps_going(self) -> bool:
        """Whether the explorer is still there and still wants the call."""
        self.take_orders()
        return not self.lost and not self.cancelled
