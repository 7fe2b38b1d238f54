"""What of a workspace would run: its execution identities, and the discovery of its MCP servers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from core.model.discovery import DiscoveredServer
from core.resolve.catalogue import Catalogue
from core.resolve.views import McpDefinition, ToolDefinition
from core.runtime.call import CallOptions, ExecutionIdentity
from core.runtime.runtime import ToolRuntime

if TYPE_CHECKING:
    from core.registry.approvals import Approvals
    from core.sources.mcp.adapter import McpAdapter

Approve = Callable[[ExecutionIdentity], bool]
DiscoveryProgress = Callable[[int, int], None]
NOT_APPROVED = "not approved: what it runs has to be approved before it is started"


def identities_of(catalogue: Catalogue, runtime: ToolRuntime) -> tuple[ExecutionIdentity, ...]:
    """Return each identity that a call of any tool of the workspace needs, once, by place; nothing runs."""
    found: dict[str, ExecutionIdentity] = {}
    for definition, isolation in _runnable(catalogue, runtime):
        for identity in runtime.adapter(definition).identities(definition, {}, isolation):
            found.setdefault(identity.digest, identity)
    return tuple(sorted(found.values(), key=lambda i: (i.path, i.line, i.title)))


def _runnable(catalogue: Catalogue, runtime: ToolRuntime) -> Iterator[tuple[ToolDefinition, str]]:
    for row in catalogue.skills():
        flat = catalogue.flatten(row.name)
        for record, definition in zip(flat.records, flat.definitions, strict=True):
            yield definition, runtime.isolation(record, definition, CallOptions())
    for definition in server_definitions(catalogue).values():
        yield definition, runtime.adapter(definition).isolation(definition) or ""


def server_definitions(catalogue: Catalogue, skill: str | None = None) -> dict[str, McpDefinition]:
    """Return the MCP servers of the workspace, or of ``skill`` and what it includes, by key."""
    wanted = _below(catalogue, skill) if skill is not None else None
    return {
        entry.key: McpDefinition(entry.key, entry.decl, entry.source, "")
        for entry in catalogue.servers()
        if wanted is None or wanted & set(entry.skills)
    }


def _below(catalogue: Catalogue, skill: str) -> set[str]:
    found, waiting = {skill}, [skill]
    while waiting:
        row = catalogue.skill(waiting.pop())
        fresh = [i.name for i in row.includes if i.name not in found] if row else []
        found.update(fresh)
        waiting += fresh
    return found


def discover(
    definitions: Mapping[str, McpDefinition],
    runtime: ToolRuntime,
    approvals: Approvals,
    approve: Approve | None,
    progress: DiscoveryProgress | None,
    cancel: threading.Event | None,
) -> dict[str, DiscoveredServer]:
    """Ask each approved server for its tools; one that is not approved answers with that as its error."""
    if not definitions:
        return {}
    adapter = cast("McpAdapter", runtime.adapter(next(iter(definitions.values()))))
    allowed, refused = {}, {}
    for key, definition in definitions.items():
        wanted = adapter.identities(definition, {}, adapter.isolation(definition) or "")
        if all(approvals.allows(i) or (approve is not None and approve(approvals.compared(i))) for i in wanted):
            allowed[key] = definition
        else:
            refused[key] = DiscoveredServer(definition.server.label, error=NOT_APPROVED)
    heard = progress or (lambda _done, _total: None)
    return refused | adapter.discover_servers(allowed, progress=heard, cancel=cancel)
