"""One task for each server: it alone enters and leaves the session, however many callers use it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from core.sources.mcp.endings import connect_failure
from core.sources.mcp.failures import ConnectFailure, McpFailure
from core.sources.mcp.hearing import Listener
from core.sources.mcp.live import Live
from core.sources.mcp.spec import ServerSpec
from core.sources.memory import Memory

_DEBOUNCE_S = 0.4
_LEGACY = "legacy"
_T = TypeVar("_T")


@dataclass(slots=True)
class House:
    """What all servers share: at most a few of them connect at a time."""

    environ: Mapping[str, str]
    gate: asyncio.Semaphore
    idle_s: float
    changed: Callable[[ServerSpec], None]
    memory: Memory


class Owner:
    """Keeps at most one session for ``spec``; made anew when it is gone and somebody asks."""

    def __init__(self, spec: ServerSpec, house: House) -> None:
        self.spec = spec
        self._house = house
        self._task: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[Live] | None = None
        self._live: Live | None = None
        self._stop = asyncio.Event()
        self.listeners: set[Listener] = set()
        self._known: dict[str, str] = {}
        self.last_used = 0.0
        self._digest = ""
        self._waiting = 0
        self._tell: asyncio.TimerHandle | None = None

    @property
    def state(self) -> str:
        """``idle``, ``connecting``, ``ready`` or ``closing``."""
        if self._task is None:
            return "idle"
        if self._ready is not None and not self._ready.done():
            return "connecting"
        return "closing" if self._stop.is_set() else "ready"

    @property
    def digest(self) -> str:
        """Under which approval the session was made, or is being made."""
        return self._digest

    def runs(self, digests: Collection[str]) -> bool:
        """Whether a session is kept, or being made, that was approved under one of ``digests``."""
        return self._task is not None and self._digest in digests

    @property
    def idle(self) -> bool:
        """Whether a session is kept that nobody uses."""
        return self.state == "ready" and self._live is not None and not self._live.busy

    @asynccontextmanager
    async def session(self, digest: str) -> AsyncIterator[Live]:
        """Give the connected server, which stays at least as long as it is used.

        Raises:
            McpFailure: it could not be connected.
        """
        live = await self._acquire(digest)
        live.busy += 1
        try:
            yield live
        finally:
            live.busy -= 1
            live.used.set()
            self.last_used = asyncio.get_running_loop().time()

    async def _acquire(self, digest: str) -> Live:
        while True:
            while self._task is not None and (self._stop.is_set() or self._is_over(digest)):
                await asyncio.wait([self._task])
            live = await self._connected(digest)
            if live.digest == digest:  # else somebody asked for it before what it runs was changed
                return live

    def _is_over(self, digest: str) -> bool:
        """Whether the session is lost, or runs what was approved earlier; such a one is ended."""
        if self._live is None:
            return False
        if self._live.digest != digest:
            self.stop()
        elif self._live.lost.is_set():
            self._stop.set()
        return self._stop.is_set()

    async def _connected(self, digest: str) -> Live:
        if self._task is None or self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._stop = asyncio.Event()
            self._digest = digest
            self._task = asyncio.create_task(self._own(digest, self._ready, self._stop))
        ready, task = self._ready, self._task
        self._waiting += 1
        try:
            return await asyncio.shield(ready)
        except asyncio.CancelledError:
            if self._waiting == 1 and not ready.done():
                self._stop.set()
                task.cancel()  # nobody is left who wants the connection; who comes now has one of its own made
            raise
        finally:
            self._waiting -= 1

    def stop(self, *, at_once: bool = False) -> None:
        """Have the session ended; ``at_once`` gives the server next to no time for it."""
        self._stop.set()
        live = self._live
        if live is not None:
            live.stopped = True
            if at_once:
                live.hurry()
        elif self._task is not None:
            self._task.cancel()

    async def gone(self, within_s: float) -> bool:
        """Whether the session ends in time."""
        task = self._task
        if task is not None:
            await asyncio.wait([task], timeout=within_s)
        return task is None or task.done()

    async def _own(self, digest: str, ready: asyncio.Future[Live], stop: asyncio.Event) -> None:
        live = Live(self.spec, digest, self._house.environ, self.listeners, self._known)
        failure: McpFailure = ConnectFailure(f"cannot connect to {self.spec.label}: it was stopped")
        try:
            async with AsyncExitStack() as stack:
                await self._connect(live, stack)
                self._live = live
                ready.set_result(live)
                await self._serve(live, stop)
        except Exception as error:  # noqa: BLE001 - whatever leaves the SDK ends this one session
            failure = await connect_failure(live, error)
            if not ready.done():
                await self._remember(live, "")  # what is remembered may be why
        finally:
            self._task = self._live = None
            if not ready.done():
                ready.set_exception(failure)
                ready.exception()  # callers that have gone away leave it unread

    async def _connect(self, live: Live, stack: AsyncExitStack) -> None:
        worked = await _aside(self._house.memory.recall, _memory_key(live))
        async with self._house.gate:
            await _load_sdk()
            async with asyncio.timeout(self.spec.timeout_s):
                try:
                    await live.connect(stack, worked != _LEGACY, self._listing_changed, self._house.environ)
                except BaseException:
                    live.hurry()
                    raise
        await self._remember(live, _LEGACY if live.by_handshake else live.protocol)

    async def _remember(self, live: Live, works: str) -> None:
        """Keep what works with the server, unless the declaration forces it and so says nothing of the server."""
        key, memory = _memory_key(live), self._house.memory
        if not self.spec.legacy and works != (await _aside(memory.recall, key) or ""):
            await _aside(memory.remember, key, works)

    async def _serve(self, live: Live, stop: asyncio.Event) -> None:
        """Wait until the session is stopped, lost, or unused for long enough."""
        lost = asyncio.create_task(live.until_lost())
        stopped = asyncio.create_task(stop.wait())
        listening = asyncio.create_task(live.tune())
        try:
            while True:
                live.used.clear()
                used = asyncio.create_task(live.used.wait())
                limit = None if live.busy else self._house.idle_s
                done, _ = await asyncio.wait({lost, stopped, used}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
                used.cancel()
                if lost in done:
                    live.hurry()
                if lost in done or stopped in done or (not done and not live.busy):
                    return
        finally:
            stop.set()
            for task in (lost, stopped, listening):
                task.cancel()
            await asyncio.wait([listening])

    def _listing_changed(self) -> None:
        """Forget the listing now, and tell at most once in a while that it has changed."""
        if self._live is not None:
            self._live.listing = None
        if self._tell is None:
            self._tell = asyncio.get_running_loop().call_later(_DEBOUNCE_S, self._announce)

    def _announce(self) -> None:
        self._tell = None
        self._house.changed(self.spec)


def _memory_key(live: Live) -> str:
    return f"protocol {live.digest}"


async def _load_sdk() -> None:
    """Import the SDK once."""
    await _aside(_import_sdk)


async def _aside(work: Callable[..., _T], *arguments: str) -> _T:
    """Do ``work`` in a thread of its own, so that the loop goes on answering."""
    return await asyncio.get_running_loop().run_in_executor(None, work, *arguments)


@cache
def _import_sdk() -> None:
    """Import it once, and keep what it logs from the terminal."""
    import logging
    from importlib import import_module

    for module in ("session", "stdio", "http"):
        import_module(f"core.sources.mcp.{module}")
    for name in ("mcp", "client", "httpx2", "httpcore2"):
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.addHandler(logging.NullHandler())
        logger.setLevel(logging.CRITICAL)
