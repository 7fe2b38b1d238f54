"""The servers of one program: a facade that any thread may use, over one loop in one background thread."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from core.model.discovery import DiscoveredServer
from core.sources.mcp.failures import Cancelled
from core.sources.mcp.loop import LoopThread
from core.sources.mcp.owner import House
from core.sources.mcp.requests import Reply
from core.sources.mcp.servers import Approved, Caller, Servers
from core.sources.mcp.spec import ServerSpec
from core.sources.memory import Memory, ProcessMemory

CONNECT_AT_ONCE = 4
KEPT_IDLE = 8
IDLE_S = 300.0
_CLOSE_S = 2.0


class ServerPool:
    """Connects servers when they are needed, at most four at a time, and ends those that nobody needs.

    ``changed`` is called from another thread when a server's listing has changed, at most every 0.4 s.
    ``memory`` keeps which protocol each server speaks.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        *,
        idle_s: float = IDLE_S,
        kept_idle: int = KEPT_IDLE,
        changed: Callable[[ServerSpec], None] = lambda _spec: None,
        memory: Memory | None = None,
    ) -> None:
        self._thread = LoopThread("mcp-servers")
        gate = asyncio.Semaphore(CONNECT_AT_ONCE)
        self._servers = Servers(House(environ, gate, idle_s, changed, memory or ProcessMemory()), kept_idle)
        atexit.register(self.close)

    def discover(self, server: Approved, caller: Caller | None = None) -> DiscoveredServer:
        """Return what the server has now; what it does wrong is the answer's ``error``.

        Raises:
            Cancelled: ``caller.cancel`` was set, or the pool was closed.
        """
        who = caller or Caller()
        return self._thread.call(lambda: self._servers.discover(server, who), who.cancel)

    def discover_all(
        self,
        servers: Mapping[str, Approved],
        *,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
        cancel: threading.Event | None = None,
    ) -> dict[str, DiscoveredServer]:
        """Return the answer of each server, by the same keys; ``progress`` is told how many have answered.

        Raises:
            Cancelled: ``cancel`` was set, or the pool was closed.
        """
        return self._thread.call(lambda: self._servers.discover_all(servers, progress), cancel)

    def connect(self, server: Approved, caller: Caller) -> None:
        """Have the server connected.

        Raises:
            McpFailure: that failed, or was cancelled.
        """
        return self._thread.call(lambda: self._servers.connect(server, caller), caller.cancel)

    def call(self, server: Approved, tool: str, arguments: dict[str, Any], timeout_s: float, caller: Caller) -> Reply:
        """Call ``tool`` once; it is never tried again by itself, since it may have acted.

        Raises:
            McpFailure: whatever went wrong, or the call was cancelled.
        """
        return self._thread.call(lambda: self._servers.call(server, tool, arguments, timeout_s, caller), caller.cancel)

    def states(self) -> dict[str, str]:
        """Return the state of each server that was ever used, by its label."""
        return self._servers.states()

    def connected(self, spec: ServerSpec) -> bool:
        """Whether ``spec`` has a session now."""
        return self._servers.connected(spec.key)

    def running(self) -> frozenset[str]:
        """Return the digests under which servers have a session, or are getting one."""
        return self._servers.running()

    def revoke(self, digests: frozenset[str]) -> None:
        """End the servers that were approved under one of ``digests``, within about a second; calls in flight fail."""
        if self._thread.running:
            with contextlib.suppress(Cancelled):
                self._thread.call(lambda: self._servers.revoke(digests))

    def stop(self, specs: Iterable[ServerSpec] | None = None) -> None:
        """End the given servers, or all; calls in flight fail. They start again when they are needed."""
        keys = None if specs is None else frozenset(spec.key for spec in specs)
        if self._thread.running:
            self._thread.call(lambda: self._servers.stop(keys))

    def close(self) -> None:
        """End everything, within about a second; afterwards every use is refused. Safe to call twice."""
        atexit.unregister(self.close)
        if self._thread.running:
            with contextlib.suppress(Cancelled):
                self._thread.call(lambda: self._servers.stop(None, at_once=True), within_s=_CLOSE_S)
        self._thread.stop(0.5)
