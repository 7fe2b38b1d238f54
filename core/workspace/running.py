"""What of a workspace would run: its execution identities, and the discovery of its MCP servers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from core.model import ToolStatus
from core.model.discovery import DiscoveredServer
from core.resolve.catalogue import Catalogue
from core.resolve.views import FlatSkill, McpDefinition, ToolDefinition
from core.runtime.call import CallOptions, ExecutionIdentity
from core.runtime.identity import ApprovalStore
from core.runtime.runtime import ToolRuntime

if TYPE_CHECKING:
    from core.sources.mcp.adapter import McpAdapter

Approve = Callable[[ExecutionIdentity], bool]
DiscoveryProgress = Callable[[int, int], None]
NOT_APPROVED = "not approved: what it runs has to be approved before it is started"
CANCELLED = "cancelled"


@dataclass(slots=True)
class Answers:
    """What servers said, and the digests under which they were asked, both by the keys of their declarations."""

    servers: dict[str, DiscoveredServer] = field(default_factory=dict)
    approved: dict[str, frozenset[str]] = field(default_factory=dict)


def identities_of(catalogue: Catalogue, runtime: ToolRuntime) -> tuple[ExecutionIdentity, ...]:
    """Return each identity that a call of any tool of the workspace needs, once, by place; nothing runs."""
    found: dict[str, ExecutionIdentity] = {}
    for definition, isolation in _runnable(catalogue, runtime):
        for identity in runtime.adapter(definition).identities(definition, {}, isolation):
            found.setdefault(identity.digest, identity)
    return tuple(sorted(found.values(), key=lambda i: (i.path or "", i.line or 0, i.title)))


def _runnable(catalogue: Catalogue, runtime: ToolRuntime) -> Iterator[tuple[ToolDefinition, str]]:
    for row in catalogue.skills():
        flat = catalogue.flatten(row.name)
        for record, definition in zip(flat.records, flat.definitions, strict=True):
            yield definition, runtime.isolation(record, definition, CallOptions())
    for definition in server_definitions(catalogue).values():
        yield definition, server_isolation(runtime, definition)


def server_isolation(runtime: ToolRuntime, definition: McpDefinition) -> str:
    """Return in words where the effects of a server take place."""
    return runtime.adapter(definition).isolation(definition) or ""


def server_identities(runtime: ToolRuntime, definition: McpDefinition) -> tuple[ExecutionIdentity, ...]:
    """Return what starting a server would run."""
    return runtime.adapter(definition).identities(definition, {}, server_isolation(runtime, definition))


def server_definitions(catalogue: Catalogue, skill: str | None = None) -> dict[str, McpDefinition]:
    """Return the MCP servers of the workspace, or of ``skill`` and what it includes, by key."""
    return _definitions(catalogue, None if skill is None else below(catalogue, [skill]))


def servers_of(catalogue: Catalogue, skills: Iterable[str]) -> dict[str, McpDefinition]:
    """Return the MCP servers of ``skills`` and what they include, by key."""
    return _definitions(catalogue, below(catalogue, skills))


def _definitions(catalogue: Catalogue, wanted: set[str] | None) -> dict[str, McpDefinition]:
    return {
        entry.key: McpDefinition(entry.key, entry.decl, entry.source, "")
        for entry in catalogue.servers()
        if wanted is None or not wanted.isdisjoint(entry.skills)
    }


def below(catalogue: Catalogue, skills: Iterable[str]) -> set[str]:
    """Return ``skills`` and all that they include, however far down."""
    found = set(skills)
    waiting = list(found)
    while waiting:
        row = catalogue.skill(waiting.pop())
        fresh = [i.name for i in row.includes if i.name not in found] if row else []
        found.update(fresh)
        waiting += fresh
    return found


def servers_to_ask(catalogue: Catalogue, flat: FlatSkill, tool: str) -> dict[str, McpDefinition]:
    """Return the servers that must be asked before it is known what ``tool`` of the skill is; mostly none."""
    for record, definition in zip(flat.records, flat.definitions, strict=True):
        if record.name == tool:
            asks = record.status is ToolStatus.UNDISCOVERED and isinstance(definition, McpDefinition)
            return {definition.key: definition} if asks and isinstance(definition, McpDefinition) else {}
    labels = [label for label in flat.undiscovered_servers if tool.startswith(f"{label}/")]
    if not labels:
        return {}
    return {k: d for k, d in server_definitions(catalogue, flat.name).items() if d.server.label in labels}


def discover(
    definitions: Mapping[str, McpDefinition],
    runtime: ToolRuntime,
    approvals: ApprovalStore,
    approve: Approve | None,
    progress: DiscoveryProgress | None,
    cancel: threading.Event | None,
) -> Answers:
    """Ask each approved server for its tools; one that is not approved answers with that as its error."""
    answers = Answers()
    for key, definition in definitions.items():
        wanted = server_identities(runtime, definition)
        if all(approvals.allows(i) or (approve is not None and approve(approvals.compared(i))) for i in wanted):
            answers.approved[key] = frozenset(identity.digest for identity in wanted)
        else:
            answers.servers[key] = DiscoveredServer(definition.server.label, error=NOT_APPROVED)
    allowed = {key: definitions[key] for key in answers.approved}
    answers.servers |= ask_approved(allowed, runtime, answers.approved, progress, cancel)
    return answers


def ask_approved(
    definitions: Mapping[str, McpDefinition],
    runtime: ToolRuntime,
    approved: Mapping[str, frozenset[str]],
    progress: DiscoveryProgress | None = None,
    cancel: threading.Event | None = None,
) -> dict[str, DiscoveredServer]:
    """Ask servers for their tools; one that is not ``approved`` as it is when it starts answers with an error."""
    if not definitions:
        return {}
    from core.sources.mcp.failures import Cancelled

    adapter = mcp_adapter(runtime, next(iter(definitions.values())))
    digests = frozenset[str]().union(*(approved[key] for key in definitions))
    heard = progress or (lambda _done, _total: None)
    try:
        return adapter.discover_servers(definitions, approved=digests, progress=heard, cancel=cancel)
    except Cancelled:
        return {key: DiscoveredServer(d.server.label, error=CANCELLED) for key, d in definitions.items()}


def mcp_adapter(runtime: ToolRuntime, definition: McpDefinition) -> McpAdapter:
    """Return the adapter that serves MCP tools."""
    return cast("McpAdapter", runtime.adapter(definition))
