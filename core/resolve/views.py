"""What resolution answers: plain values that a front end shows as they are (design: interfaces, part 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.diagnostics import Place
from core.language.declarations import AgentSkillDecl, ServerDecl, ToolDecl
from core.language.tree import SourceText
from core.model import FlagProvenance, SkillCapabilitySummary, ToolRecord
from core.model.builtins import Builtin
from core.protocol import SkillError, SkillMetadata


class SkillStatus(StrEnum):
    """How far a skill resolves (resolution, part 2)."""

    RESOLVED = "resolved"
    PARTIAL = "partial"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True)
class IncludeView:
    """One include of a skill: the included one, its status, and where it is said."""

    name: str
    status: SkillStatus
    path: str
    line: int
    column: int = 1
    ghost: bool = False
    in_cycle: bool = False


@dataclass(frozen=True, slots=True)
class SkillRow:
    """A skill as lists and trees show it; nothing here needs its flattened list."""

    name: str
    description: str
    version: str
    place: Place
    status: SkillStatus
    tools: int
    includes: tuple[IncludeView, ...]
    sources: tuple[str, ...]
    summary: SkillCapabilitySummary
    undiscovered_servers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BuiltinDefinition:
    """Runs the built-in ``spec``."""

    spec: Builtin


@dataclass(frozen=True, slots=True)
class CustomDefinition:
    """Runs a custom Python tool, inline or from its file; ``source`` is the file that declares it."""

    decl: ToolDecl
    source: SourceText


@dataclass(frozen=True, slots=True)
class McpDefinition:
    """Calls ``tool`` of an MCP server; ``key`` identifies the server's declaration."""

    key: str
    server: ServerDecl
    source: SourceText
    tool: str


@dataclass(frozen=True, slots=True)
class AgentDefinition:
    """Reads an Agent Skill."""

    decl: AgentSkillDecl


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """One distinct MCP server and the skills that use it, in the order of their names; none for an unassigned one."""

    key: str
    decl: ServerDecl
    source: SourceText
    skills: tuple[str, ...] = ()


ToolDefinition = BuiltinDefinition | CustomDefinition | McpDefinition | AgentDefinition


@dataclass(frozen=True, slots=True)
class FlatSkill:
    """A skill resolved: ``definitions`` runs parallel to ``records``. Partial sets are marked by ``status``.

    ``read_only`` says that its file claims to read only; ``metadata.read_only`` what its tools come to.
    """

    name: str
    status: SkillStatus
    records: Sequence[ToolRecord]
    definitions: Sequence[ToolDefinition]
    metadata: SkillMetadata
    errors: tuple[SkillError, ...] = ()
    undiscovered_servers: tuple[str, ...] = ()
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class WhyTool:
    """Why a tool is in a skill and why its flags are what they are; paths shortest first, at most 20."""

    skill: str
    tool: str
    paths: tuple[tuple[str, ...], ...]
    path_count: int
    flags: dict[str, FlagProvenance]


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A skill in the include graph; a ghost is named by an include and defined by no file."""

    name: str
    path: str | None
    status: SkillStatus
    ghost: bool = False


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """One include, with its place."""

    start: str
    end: str
    place: Place
    in_cycle: bool = False


@dataclass(frozen=True, slots=True)
class IncludeGraph:
    """The include graph or a part; a cycle lists each skill once, ``cycle_count`` counts cycles not listed too.

    ``cut_frees`` names the first of the ``cut_resolves`` skills that would resolve after the cut.
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    cycles: tuple[tuple[str, ...], ...] = ()
    cycle_count: int = 0
    suggested_cut: tuple[str, str] | None = None
    cut_resolves: int | None = None
    cut_frees: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON shape of ``graph``."""
        return {
            "nodes": [{"name": n.name, "path": n.path, "status": n.status, "ghost": n.ghost} for n in self.nodes],
            "edges": [_edge_dict(e) for e in self.edges],
            "cycles": [list(c) for c in self.cycles],
            "cycle_count": self.cycle_count,
            "suggested_cut": _cut_dict(self.suggested_cut),
        }


def _edge_dict(edge: GraphEdge) -> dict[str, Any]:
    place = edge.place
    return {
        "from": edge.start,
        "to": edge.end,
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "in_cycle": edge.in_cycle,
    }


def _cut_dict(cut: tuple[str, str] | None) -> dict[str, str] | None:
    return {"from": cut[0], "to": cut[1]} if cut else None


@dataclass(frozen=True, slots=True)
class ActorView:
    """The merged tool surface of an actor (ADR-030, Actor Binding)."""

    name: str
    place: Place
    skills: tuple[tuple[str, SkillStatus], ...]
    records: Sequence[ToolRecord]
    errors: tuple[SkillError, ...] = ()


@dataclass(frozen=True, slots=True)
class UnassignedServer:
    """A server of ``.mcp.json`` that no skill references."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Unassigned:
    """Sources that no skill uses: a display branch, never implicit skills."""

    agent_skills: tuple[AgentSkillDecl, ...] = ()
    mcp_servers: tuple[UnassignedServer, ...] = field(default=())
