"""What the detail is about, and where in the files it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.services.flat import actor_of, file_of, flat_of, position_of, row_of, rows_of
from explorer.services.outline import Kind, Node

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic, Place
    from core.model import ToolRecord
    from core.workspace import Workspace
    from core.workspace.registering import Standing as EntryStanding
    from core.workspace.standing import Standing


@dataclass(frozen=True, slots=True)
class Subject:
    """A skill, a tool in one, an actor, an Agent Skill, a server or a file; ``path`` where its file needs saying."""

    kind: Kind
    name: str
    skill: str | None = None
    tool: str | None = None
    path: str | None = None

    @property
    def title(self) -> str:
        """What stands above the tabs."""
        return f"{self.skill} ▸ {self.tool}" if self.tool and self.skill else self.name


def subject_of(node: Node) -> Subject | None:
    """Return what a row of the tree stands for; None for a row that only holds others."""
    match node.kind:
        case Kind.SKILL:
            return Subject(Kind.SKILL, node.name, node.name)
        case Kind.TOOL:
            return Subject(Kind.TOOL, node.name, node.skill, node.name)
        case Kind.AGENT_SKILL if node.skill:
            return Subject(Kind.TOOL, node.name, node.skill, node.name)
        case Kind.BRANCH if node.skill:
            return Subject(Kind.SKILL, node.skill, node.skill)
        case Kind.BRANCH | Kind.NAMESPACE | Kind.NOTE:
            return None
    return Subject(node.kind, node.name, node.skill, path=node.path)


def record_of(workspace: Workspace, subject: Subject) -> ToolRecord | None:
    """Return the record of the subject's tool."""
    flat = flat_of(workspace, subject.skill) if subject.skill and subject.tool else None
    at = position_of(flat, subject.tool or "") if flat else None
    return flat.records[at] if flat and at is not None else None


def place_of(workspace: Workspace, subject: Subject) -> Place | None:
    """Return where the subject is declared; a built-in tool's place is the skill that lists it."""
    from core.diagnostics import Place

    if subject.path:
        return Place(subject.path)
    if subject.kind is Kind.ACTOR:
        actor = actor_of(workspace, subject.name)
        return actor.place if actor else None
    if subject.kind is Kind.SERVER:
        return _server_place(workspace, subject)
    place = _tool_place(workspace, subject) if subject.tool else None
    row = row_of(workspace, subject.skill or "")
    return place or (row.place if row else None)


def _tool_place(workspace: Workspace, subject: Subject) -> Place | None:
    from core.resolve.views import AgentDefinition, CustomDefinition, McpDefinition

    flat = flat_of(workspace, subject.skill or "")
    at = position_of(flat, subject.tool or "") if flat else None
    match flat.definitions[at] if flat and at is not None else None:
        case CustomDefinition() as custom:
            return custom.source.place(custom.decl.span)
        case McpDefinition() as mcp:
            return mcp.source.place(mcp.server.span)
        case AgentDefinition() as agent:
            return agent.decl.source.place(0)
    return None


def _server_place(workspace: Workspace, subject: Subject) -> Place | None:
    file = file_of(workspace, subject.skill or "")
    server = next((s for s in file.servers if s.label == subject.name), None) if file else None
    return file.place(server.span) if file and server else None


def subject_at(workspace: Workspace, path: str) -> Subject:
    """Return what the file at ``path`` declares: a skill, an actor, an Agent Skill, or just the file."""
    for row in rows_of(workspace):
        if row.place.path == path:
            return Subject(Kind.SKILL, row.name, row.name)
    for skill in workspace.declarations.agent_skills:
        if skill.source.path == path:
            return Subject(Kind.AGENT_SKILL, skill.path, path=path)
    for actor in workspace.declarations.actors:
        if actor.source.path == path and actor_of(workspace, actor.name) is not None:
            return Subject(Kind.ACTOR, actor.name)
    return Subject(Kind.FILE, path, path=path)


def findings_of(
    workspace: Workspace, subject: Subject, by_file: dict[str, list[Diagnostic]], problems: tuple[Diagnostic, ...]
) -> list[Diagnostic]:
    """Return the findings about the subject: of its own file, or that name it."""
    if subject.tool:
        return [d for d in problems if d.tool == subject.tool and d.skill in (None, subject.skill)]
    place = place_of(workspace, subject)
    found = list(by_file.get(place.path, ())) if place else []
    if subject.kind is Kind.SKILL:
        found += [d for d in problems if d.skill == subject.name and (place is None or d.place.path != place.path)]
    return found


@dataclass(frozen=True, slots=True)
class Stands:
    """How a subject stands: what a tool or a server runs, and what is registered of a skill; None where unknown."""

    trust: Standing | None = None
    entry: EntryStanding | None = None


UNKNOWN = Stands()


def may_stand(workspace: Workspace, subject: Subject) -> bool:
    """Whether anything can be said of how the subject stands."""
    return subject.kind in (Kind.TOOL, Kind.SERVER) or (subject.kind is Kind.SKILL and workspace.has_registry)


def standing_of(workspace: Workspace, subject: Subject) -> Stands:
    """Return how the subject stands. Reads files."""
    from core.workspace.standing import entry_standing, server_standing, tool_standing

    if subject.kind is Kind.SKILL:
        return Stands(entry=entry_standing(workspace, subject.name))
    if subject.kind is Kind.SERVER:
        return Stands(server_standing(workspace, subject.name, subject.skill))
    return Stands(tool_standing(workspace, subject.skill, subject.tool)) if subject.skill and subject.tool else UNKNOWN
