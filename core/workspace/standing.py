"""How things stand: whether what a tool or a server runs is approved as it is now, and a skill as it is registered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from core.resolve.views import BuiltinDefinition, CustomDefinition, McpDefinition, ServerEntry, ToolDefinition
from core.runtime.call import CallOptions

if TYPE_CHECKING:
    from core.model.discovery import DiscoveredServer
    from core.registry.approvals import Approval
    from core.runtime.call import ExecutionIdentity
    from core.workspace.registering import Standing as EntryStanding
    from core.workspace.workspace import Workspace

_SHELL = "shell_execute"


class Trust(StrEnum):
    """What an approval store says of something that runs."""

    NEW = "new"
    CHANGED = "changed"
    APPROVED = "approved"
    EACH = "each"
    """Every command is asked for by itself."""
    UNKNOWN = "unknown"
    """It does not resolve, so nothing of it can be called."""


@dataclass(frozen=True, slots=True)
class Standing:
    """``approved_at`` is of the approval of it as it is now or, where it has changed, of the last one before.

    ``answer`` is what the server said since the workspace was opened, ``connected`` whether it runs now; a tool that
    is no server's has neither.
    """

    trust: Trust
    digest: str | None = None
    approved_at: str | None = None
    answer: DiscoveredServer | None = None
    connected: bool = False


def tool_standing(workspace: Workspace, skill: str, tool: str) -> Standing | None:
    """Return how a tool stands; None where nothing of it needs an approval.

    What was never approved is not looked at any closer. Blocks while files are read.
    """
    from core.protocol import SkillFailure

    try:
        flat = workspace.catalogue.flatten(skill)
    except SkillFailure:
        return Standing(Trust.UNKNOWN)
    at = next((n for n, record in enumerate(flat.records) if record.name == tool), None)
    definition = flat.definitions[at] if at is not None else None
    if isinstance(definition, BuiltinDefinition):
        return Standing(Trust.EACH) if definition.spec.tool == _SHELL else None
    if isinstance(definition, McpDefinition):
        return _server(workspace, definition)
    if at is None:
        return Standing(Trust.UNKNOWN)
    if not isinstance(definition, CustomDefinition):
        return None
    if not _ever(workspace, f"tool {definition.decl.name}"):
        return Standing(Trust.NEW)
    isolation = workspace.runtime.isolation(flat.records[at], definition, CallOptions())
    return _of(workspace, _identity(workspace, definition, isolation))


def server_standing(workspace: Workspace, label: str, skill: str | None = None) -> Standing:
    """Return how the server called ``label`` stands, as ``skill`` or else a server file has it."""
    found = [entry for entry in workspace.catalogue.servers() if entry.decl.label == label and _is_of(entry, skill)]
    if not found:
        return Standing(Trust.UNKNOWN)
    return _server(workspace, McpDefinition(found[0].key, found[0].decl, found[0].source, ""))


def entry_standing(workspace: Workspace, skill: str) -> EntryStanding | None:
    """Return how what is registered of ``skill`` stands against it; None where nothing is, or it can't be read.

    Blocks while files are read.
    """
    if not workspace.has_registry:
        return None
    from core.protocol import SkillFailure
    from core.registry.database import Unusable

    try:
        return workspace.registrations.standings([skill])[0]
    except (SkillFailure, Unusable):
        return None


def _is_of(entry: ServerEntry, skill: str | None) -> bool:
    return skill is None or skill in entry.skills


def _server(workspace: Workspace, definition: McpDefinition) -> Standing:
    from core.workspace.running import mcp_adapter, server_isolation

    if not _ever(workspace, f"MCP server {definition.server.label}") and definition.key not in workspace.discovered:
        return Standing(Trust.NEW)
    runtime = workspace.runtime
    found = _of(workspace, _identity(workspace, definition, server_isolation(runtime, definition)))
    connected = mcp_adapter(runtime, definition).connected(definition)
    return Standing(found.trust, found.digest, found.approved_at, workspace.discovered.get(definition.key), connected)


def _ever(workspace: Workspace, title: str) -> bool:
    """Whether something of that title was approved in this workspace, in whatever state."""
    return any(approval.title == title for approval in workspace.approvals.here())


def _identity(workspace: Workspace, definition: ToolDefinition, isolation: str) -> ExecutionIdentity | None:
    return next(iter(workspace.runtime.adapter(definition).identities(definition, {}, isolation)), None)


def _of(workspace: Workspace, identity: ExecutionIdentity | None) -> Standing:
    if identity is None:
        return Standing(Trust.NEW)
    about = [a for a in workspace.approvals.here() if a.is_about(identity, a.root)]
    exact: Approval | None = next((a for a in about if a.digest == identity.digest), None)
    if exact is not None:
        return Standing(Trust.APPROVED, identity.digest, exact.approved_at)
    if about:
        return Standing(Trust.CHANGED, identity.digest, about[-1].approved_at)
    return Standing(Trust.NEW, identity.digest)
