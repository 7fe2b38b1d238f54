"""All servers of one loop: found by what they are, used by any number of tasks, trimmed when too many lie idle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from core.model.discovery import DiscoveredServer
from core.sources.mcp.failures import McpFailure
from core.sources.mcp.owner import House, Owner
from core.sources.mcp.requests import Reply, call_tool, list_tools
from core.sources.mcp.spec import ServerSpec

_MOST_LINES = 5000
_ORDERLY_S = 5.0
_TURNS_TO_HEAR = 20


@dataclass(frozen=True, slots=True)
class Approved:
    """A server and the digest under which it was approved; anything else than that is refused at the start."""

    spec: ServerSpec
    digest: str


@dataclass(slots=True)
class Caller:
    """Who asks: hears log lines and progress while it lasts (from another thread, so quickly), and may give up."""

    log: Callable[[str, str], None] = lambda _stream, _text: None
    progress: Callable[[dict[str, Any]], None] = lambda _data: None
    cancel: Event = field(default_factory=Event)


class Servers:
    """The owners of all servers, by key; used on the loop alone."""

    def __init__(self, house: House, kept_idle: int) -> None:
        self._house = house
        self._kept_idle = kept_idle
        self._owners: dict[str, Owner] = {}

    def states(self) -> dict[str, str]:
        """Return the state of each server that was ever used, by its label."""
        return {owner.spec.label: owner.state for owner in tuple(self._owners.values())}

    def connected(self, key: str) -> bool:
        """Whether the server of ``key`` has a session now."""
        owner = self._owners.get(key)
        return owner is not None and owner.state == "ready"

    def _owner(self, spec: ServerSpec) -> Owner:
        return self._owners.setdefault(spec.key, Owner(spec, self._house))

    async def connect(self, server: Approved, caller: Caller) -> None:
        """Have ``server`` connected, if it isn't."""
        owner = self._owner(server.spec)
        with _hearing(owner, caller):
            async with owner.session(server.digest):
                return

    async def discover(self, server: Approved, caller: Caller) -> DiscoveredServer:
        """Return what ``server`` has; a failure is in the answer."""
        owner = self._owner(server.spec)
        try:
            with _hearing(owner, caller):
                async with owner.session(server.digest) as live:
                    return await list_tools(live)
        except McpFailure as failure:
            stderr = "\n".join(failure.details.get("stderr", ()))
            return DiscoveredServer(label=server.spec.label, error=failure.message, stderr=stderr)
        finally:
            self._trim()

    async def discover_all(
        self, servers: Mapping[str, Approved], progress: Callable[[int, int], None]
    ) -> dict[str, DiscoveredServer]:
        """Return the answers of all ``servers``; ``progress`` is told how many have answered."""
        found: dict[str, DiscoveredServer] = {}

        async def one(key: str, server: Approved) -> None:
            found[key] = await self.discover(server, Caller())
            progress(len(found), len(servers))

        async with asyncio.TaskGroup() as group:
            for key, server in servers.items():
                group.create_task(one(key, server))
        return {key: found[key] for key in servers}

    async def call(
        self, server: Approved, tool: str, arguments: dict[str, Any], timeout_s: float, caller: Caller
    ) -> Reply:
        """Call ``tool`` once."""
        owner = self._owner(server.spec)
        try:
            with _hearing(owner, caller):
                async with owner.session(server.digest) as live:
                    try:
                        return await call_tool(live, tool, arguments, timeout_s, caller.progress)
                    finally:
                        await _hear_out()
        finally:
            self._trim()

    def _trim(self) -> None:
        """End the sessions that have lain idle longest, down to the number that may."""
        idle = sorted((o for o in self._owners.values() if o.idle), key=lambda owner: owner.last_used)
        for owner in idle[: max(0, len(idle) - self._kept_idle)]:
            owner.stop()

    def running(self) -> frozenset[str]:
        """Return the digests under which there are sessions, also those being made."""
        return frozenset(owner.digest for owner in tuple(self._owners.values()) if owner.state != "idle")

    async def revoke(self, digests: frozenset[str]) -> None:
        """End the servers that were approved under one of ``digests``."""
        await self._end([owner for owner in self._owners.values() if owner.runs(digests)], at_once=True)

    async def stop(self, keys: frozenset[str] | None, *, at_once: bool = False) -> None:
        """End the servers of ``keys``, or all."""
        owners = [owner for key, owner in self._owners.items() if keys is None or key in keys]
        await self._end(owners, at_once=at_once)

    async def _end(self, owners: list[Owner], *, at_once: bool) -> None:
        for owner in owners:
            owner.stop(at_once=at_once)
        await asyncio.gather(*(owner.gone(0.8 if at_once else _ORDERLY_S) for owner in owners))


async def _hear_out() -> None:
    """Let what a server printed before its answer be read: that comes by another pipe, in no order with the answer."""
    for _ in range(_TURNS_TO_HEAR):
        await asyncio.sleep(0)


@contextmanager
def _hearing(owner: Owner, caller: Caller) -> Iterator[None]:
    """Pass lines on while the block lasts, at most 5,000 of them."""
    count = 0

    def listen(stream: str, text: str) -> None:
        nonlocal count
        count += 1
        if count <= _MOST_LINES:
            caller.log(stream, text)
        elif count == _MOST_LINES + 1:
            caller.log("client", f"more than {_MOST_LINES:,} lines; the rest is not kept")

    owner.listeners.add(listen)
    try:
        yield
    finally:
        owner.listeners.discard(listen)
