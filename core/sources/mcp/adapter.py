"""MCP servers as a source of tools: the four stages over the pool (ADR-030, tool source unification)."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from core.diagnostics import Place
from core.model.discovery import DiscoveredServer, DiscoveredTool
from core.protocol import SkillErrorType
from core.resolve.views import McpDefinition, ToolDefinition
from core.sources.identity import ExecutionIdentity
from core.sources.interface import AdapterSettings, Executed, Invocation
from core.sources.mcp.failures import McpFailure, ServerRefused
from core.sources.mcp.identity import NOT_SANDBOXED, REMOTE, server_digest, server_identity
from core.sources.mcp.pool import ServerPool
from core.sources.mcp.servers import Approved, Caller
from core.sources.mcp.spec import ServerSpec, is_url, read_spec
from core.text import nearest


class McpAdapter:
    """Reaches MCP servers; keeps them connected between calls. Only what its caller calls approved is started."""

    def __init__(self, settings: AdapterSettings, environ: Mapping[str, str] | None = None) -> None:
        self._root = settings.root
        self._environ = dict(os.environ) if environ is None else environ
        self._pool = ServerPool(self._environ, changed=self._tell, memory=settings.memory)
        self._changed = settings.changed
        self._declared: dict[str, str] = {}
        self._calls: dict[int, Approved] = {}

    def identities(
        self, definition: ToolDefinition, arguments: Mapping[str, Any], isolation: str
    ) -> tuple[ExecutionIdentity, ...]:
        """Return what starting the server would run; nothing for one that cannot be started as it is declared."""
        server = cast("McpDefinition", definition)
        try:
            found = server_identity(self._spec(server), _place(server))
        except McpFailure:
            return ()
        return (found,)

    def isolation(self, definition: ToolDefinition) -> str | None:
        """Return that a server is a program, or a service, of its own."""
        return REMOTE if is_url(cast("McpDefinition", definition).server.model) else NOT_SANDBOXED

    def discover(self, call: Invocation) -> DiscoveredTool:
        """Return what the server says of the tool; connects it where it isn't.

        Raises:
            SkillFailure: the server may not be started, could not be connected, or did not list its tools.
        """
        definition = cast("McpDefinition", call.definition)
        with _failures_of(call):
            found = self._pool.discover(self._server_of(call), _caller(call))
        if found.error is not None:
            details = {"server": found.label, **({"stderr": found.stderr.splitlines()} if found.stderr else {})}
            raise call.failure(SkillErrorType.TOOL_ACTIVATION_FAILURE, found.error, **details)
        if definition.tool in found.changed and call.record.problem is None:
            told = f"{found.label} says something else of {definition.tool} than when it was first listed"
            call.log("explorer", told)
        return _tool_of(found, definition.tool)

    def activate(self, call: Invocation) -> None:
        """Have the server connected; it stays so for later calls.

        Raises:
            SkillFailure: it could not be connected.
        """
        with _failures_of(call):
            self._pool.connect(self._server_of(call), _caller(call))

    def execute(self, call: Invocation) -> Executed:
        """Call the tool once; ``timeout_s`` bounds each wait for an answer or for progress, ten times it the whole.

        Raises:
            SkillFailure: the tool or the server failed, or the call was cancelled.
        """
        definition = cast("McpDefinition", call.definition)
        with _failures_of(call):
            server = self._server_of(call)
            reply = self._pool.call(server, definition.tool, call.arguments, call.timeout_s, _caller(call))
        return Executed(reply.output, reply.duration_ms)

    def deactivate(self, call: Invocation) -> None:
        """Leave the server connected; one that is not used ends by itself."""
        self._calls.pop(id(call), None)

    def discover_servers(
        self,
        servers: Mapping[str, McpDefinition],
        *,
        approved: Collection[str],
        progress: Callable[[int, int], None] = lambda _done, _total: None,
        cancel: threading.Event | None = None,
    ) -> dict[str, DiscoveredServer]:
        """Return the answer of each server, by the same keys, at most four connecting at a time.

        A server that cannot be started, or whose digest is not ``approved``, answers with the reason as its ``error``.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        found: dict[str, DiscoveredServer] = {}
        ready: dict[str, Approved] = {}
        for key, definition in servers.items():
            try:
                ready[key] = self._approved(definition, approved)
            except McpFailure as failure:
                found[key] = DiscoveredServer(label=definition.server.label, error=failure.message)
        found |= self._pool.discover_all(ready, progress=progress, cancel=cancel) if ready else {}
        return {key: found[key] for key in servers}

    def connected(self, definition: McpDefinition) -> bool:
        """Whether the server runs now, so that asking it starts nothing."""
        try:
            return self._pool.connected(self._spec(definition))
        except McpFailure:
            return False

    def revoke(self, digests: Collection[str]) -> None:
        """End the servers that were started under these approvals, at once."""
        self._pool.revoke(frozenset(digests))

    def running(self) -> frozenset[str]:
        """Return the approvals under which servers run, or are being started."""
        return self._pool.running()

    def close(self) -> None:
        """End every server within about a second; safe to call twice."""
        self._pool.close()

    def _spec(self, definition: McpDefinition) -> ServerSpec:
        server = definition.server
        return read_spec(server.label, server.model, self._root, self._environ)

    def _server_of(self, call: Invocation) -> Approved:
        """Return the server of ``call``, checked once for all its stages; the start checks it again."""
        if id(call) not in self._calls:
            self._calls[id(call)] = self._approved(cast("McpDefinition", call.definition), call.approved)
        return self._calls[id(call)]

    def _approved(self, definition: McpDefinition, approved: Collection[str]) -> Approved:
        spec = self._spec(definition)
        digest = server_digest(spec)
        if digest not in approved:
            raise ServerRefused(f"what {spec.label} would run has not been approved as it is now")
        self._declared[spec.key] = definition.key
        return Approved(spec, digest)

    def _tell(self, spec: ServerSpec) -> None:
        if spec.key in self._declared:
            self._changed(self._declared[spec.key])


def _place(definition: McpDefinition) -> Place:
    return definition.source.place(definition.server.span)


def _caller(call: Invocation) -> Caller:
    return Caller(call.log, call.progress, call.cancel)


def _tool_of(found: DiscoveredServer, name: str) -> DiscoveredTool:
    for tool in found.tools:
        if tool.name == name:
            return tool
    near = nearest(name, (tool.name for tool in found.tools))
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return DiscoveredTool(name, problem=f"the server {found.label} has no tool {name!r}{hint}")


@contextmanager
def _failures_of(call: Invocation) -> Iterator[None]:
    """Turn an ``McpFailure`` into the failure of the call's stage."""
    try:
        yield
    except McpFailure as error:
        raise call.failure(error.kind, error.message, output=error.output, **error.details) from error
