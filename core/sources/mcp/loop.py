"""One event loop in one background thread, for callers that have none or must not lend theirs."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from core.sources.mcp.failures import Cancelled

_T = TypeVar("_T")
_POLL_S = 0.02
_IDLE_POLL_S = 0.5


class LoopThread:
    """Starts with the first use; a daemon, so that it never holds up the end of the program."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopped = False

    @property
    def running(self) -> bool:
        """Whether the thread has been started and not stopped."""
        return self._loop is not None

    def loop(self) -> asyncio.AbstractEventLoop:
        """Return the loop, started where it isn't running.

        Raises:
            Cancelled: it was stopped.
        """
        with self._lock:
            if self._stopped:
                raise Cancelled("the servers have been closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._loop.set_default_executor(_DaemonExecutor())
                self._loop.set_exception_handler(_ignore)
                self._thread = threading.Thread(target=_run, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return self._loop

    def call(
        self,
        work: Callable[[], Coroutine[Any, Any, _T]],
        cancel: threading.Event | None = None,
        within_s: float | None = None,
    ) -> _T:
        """Run ``work()`` on the loop and return its result; a set ``cancel`` cancels it, as does an interrupt.

        Raises:
            Cancelled: ``cancel`` was set, the loop was stopped, or ``within_s`` passed, before the end.
        """
        loop = self.loop()
        future = asyncio.run_coroutine_threadsafe(work(), loop)
        until = None if within_s is None else time.monotonic() + within_s
        try:
            while not wait([future], _POLL_S if cancel is not None else _IDLE_POLL_S).done:
                late = until is not None and time.monotonic() > until
                if late or loop.is_closed() or (cancel is not None and cancel.is_set()):
                    break
        finally:
            future.cancel()
        if future.cancelled():
            raise Cancelled
        return future.result()

    def stop(self, within_s: float) -> None:
        """Stop the loop for good; what still runs there is cancelled once and then left behind."""
        with self._lock:
            loop, thread, self._loop = self._loop, self._thread, None
            self._stopped = True
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(within_s)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        pending = asyncio.all_tasks(loop)
        for task in pending:
            task.cancel()
        if pending:
            loop.run_until_complete(asyncio.wait(pending, timeout=0.5))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _ignore(_loop: asyncio.AbstractEventLoop, _context: dict[str, Any]) -> None:
    """Keep what asyncio would print from the terminal; every failure that matters reaches its caller."""


class _DaemonExecutor(ThreadPoolExecutor):
    """Runs each piece of work in a daemon thread: a name lookup that hangs does not hold up the end of the program."""

    def submit(self, fn: Callable[..., _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        future: Future[_T] = Future()

        def work() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(fn(*args, **kwargs))
                except BaseException as error:  # noqa: BLE001 - the future carries it to whoever waits
                    future.set_exception(error)

        threading.Thread(target=work, daemon=True).start()
        return future
