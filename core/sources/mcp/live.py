"""A connected server: made in its owner's task, used from any task of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, Final

from core.sources.mcp.failures import ServerRefused
from core.sources.mcp.hearing import Hearing, Listener
from core.sources.mcp.identity import runs_python_of_workspace, server_digest
from core.sources.mcp.process import ExitStatus
from core.sources.mcp.redactor import Redactor
from core.sources.mcp.secrets import of_host
from core.sources.mcp.spec import STDIO, Expanded, ServerSpec, child_environment, expand_spec

if TYPE_CHECKING:
    from mcp import ClientSession

    from core.model.discovery import DiscoveredServer
    from core.sources.mcp.session import Dispatcher
    from core.sources.mcp.stdio import StdioTransport

_DRAIN_S = 0.3
_LOG_LEVEL: Final = "info"


class Live:
    """One session. ``busy`` counts the requests in flight; ``listing`` holds what the server last said it has.

    ``known`` has the digest of each tool as it was first listed, in this session or one before.
    """

    def __init__(
        self,
        spec: ServerSpec,
        digest: str,
        environ: Mapping[str, str],
        listeners: set[Listener],
        known: dict[str, str],
    ) -> None:
        expanded = expand_spec(spec, environ)
        self.spec = spec
        self.digest = digest
        self.notes = tuple(f"the variable {name} is not set" for name in expanded.unset)
        self.hearing = Hearing(_redactor(spec, expanded, environ), listeners)
        self.known = known
        self.session: ClientSession
        self.dispatcher: Dispatcher
        self.stdio: StdioTransport | None = None
        self.listing: DiscoveredServer | None = None
        self.busy = 0
        self.stopped = False
        self.lost = asyncio.Event()
        self.used = asyncio.Event()
        self._expanded = expanded
        self._fault: str | None = None

    @property
    def fault(self) -> str | None:
        """What went wrong below the protocol, where that is known."""
        return self.stdio.fault if self.stdio is not None and self.stdio.fault else self._fault

    @property
    def protocol(self) -> str:
        """The version that was agreed on."""
        return self.session.protocol_version or ""

    @property
    def by_handshake(self) -> bool:
        """Whether that is one of the versions before 2026."""
        return self.session.initialize_result is not None

    @property
    def name(self) -> str:
        """How the server calls itself; empty where it doesn't."""
        info = self.session.server_info
        return self.hearing.redactor.text(f"{info.name} {info.version}".strip()) if info else ""

    def heard_fault(self, text: str, lost: bool) -> None:
        """Remember a fault of the transport; ``lost`` ends the session."""
        self._fault = self.hearing.redactor.text(text)
        if lost:
            self.lost.set()

    def hurry(self) -> None:
        """Give the server next to no time to end by itself."""
        if self.stdio is not None:
            self.stdio.grace_s, self.stdio.term_s = 0.2, 0.2

    async def connect(
        self, stack: AsyncExitStack, probe: bool, changed: Callable[[], None], environ: Mapping[str, str]
    ) -> None:
        """Enter transport and session on ``stack`` and agree on a version; ``probe`` asks for the newest first."""
        from mcp import ClientSession
        from mcp_types import Implementation

        from core.sources.mcp.session import Dispatcher, negotiate

        if server_digest(self.spec) != self.digest:
            raise ServerRefused("what the server would run has changed since it was approved")
        streams = await self._open(stack, environ)
        self._changed = changed
        self.dispatcher = Dispatcher(streams, self.hearing, changed)
        client = Implementation(name="skill-explorer", version="1")
        session = ClientSession(dispatcher=self.dispatcher, client_info=client, log_level=_LOG_LEVEL)
        self.session = await stack.enter_async_context(session)
        await negotiate(self.session, legacy=self.spec.legacy, probe=probe, timeout_s=self.spec.timeout_s)

    async def _open(self, stack: AsyncExitStack, environ: Mapping[str, str]) -> tuple[Any, Any]:
        if self.spec.transport != STDIO:
            from core.sources.mcp.http import open_http

            return await open_http(stack, self.spec, self._expanded.headers, self.heard_fault)
        from core.sources.mcp.stdio import StdioTransport

        environment = child_environment(self.spec.root, self._expanded.env, environ)
        if runs_python_of_workspace(self.spec):  # what it would compile there would count as changed code
            environment.setdefault("PYTHONDONTWRITEBYTECODE", "1")
        self.stdio = StdioTransport(self.spec, environment, self.hearing)
        return await stack.enter_async_context(self.stdio)

    async def tune(self) -> None:
        """Ask for log messages and for news of the listing, in the way of the agreed version."""
        from core.sources.mcp.session import ask_for_logs, watch_listing

        if self.by_handshake:
            await ask_for_logs(self.session, _LOG_LEVEL)
        else:
            await watch_listing(self.session, self._changed)

    async def until_lost(self) -> None:
        """Return when nothing more can come of the session."""
        waits: list[asyncio.Task[Any]] = [
            asyncio.create_task(self.dispatcher.ended.wait()),
            asyncio.create_task(self.lost.wait()),
        ]
        if self.stdio is not None and self.stdio.process is not None:
            waits.append(asyncio.create_task(_later(self.stdio.process.exited)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()


def _redactor(spec: ServerSpec, expanded: Expanded, environ: Mapping[str, str]) -> Redactor:
    """Return what masks the values as they are written and as they are used, and the host's by themselves."""
    host = of_host([*spec.env.values(), *spec.headers.values()], environ)
    env = [*spec.env.items(), *expanded.env.items(), *host]
    return Redactor(env, [*spec.headers.values(), *expanded.headers.values()])


async def _later(exited: asyncio.Future[ExitStatus]) -> None:
    """Wait for the end of the process, and then for the rest of what it has written."""
    await asyncio.wait([exited])
    await asyncio.sleep(_DRAIN_S)
