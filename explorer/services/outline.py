"""The tree's rows as plain data: what stands below what, made only where somebody looks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from explorer.services.flat import actor_of, direct_records, file_of, row_of, rows_of

if TYPE_CHECKING:
    from core.language.declarations import AgentSkillDecl
    from core.model import ToolRecord
    from core.resolve.views import IncludeView, SkillRow
    from core.workspace import Workspace

Key = tuple[str, ...]
AFTER_SLASH = "0"
"""The character after the slash: names of a namespace sort below its name and this."""


class Kind(StrEnum):
    """What a row of the tree is."""

    BRANCH = "branch"
    ACTOR = "actor"
    NAMESPACE = "namespace"
    SKILL = "skill"
    TOOL = "tool"
    SERVER = "server"
    AGENT_SKILL = "agent-skill"
    FILE = "file"
    WORKSPACE = "workspace"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Node:
    """One row. ``key`` says where it stands and survives a reload; ``name`` is the full name of what it shows.

    ``skill`` is the skill whose row this is, or the one a tool row stands in. A ``stale`` skill is shown as it was
    before its file became unreadable. Of an ``early`` one only the name is
    known so far; the file of an ``unread`` one may be among those that were not read.
    """

    key: Key
    kind: Kind
    name: str
    label: str
    depth: int = 0
    skill: str | None = None
    expandable: bool = False
    count: int | None = None
    row: SkillRow | None = None
    include: IncludeView | None = None
    record: ToolRecord | None = None
    path: str | None = None
    stale: bool = False
    early: bool = False
    unread: bool = False

    def child(self, kind: Kind, name: str, label: str, **more: object) -> Node:
        """Return a node below this one."""
        return Node((*self.key, kind, name), kind, name, label, self.depth + 1, **more)  # type: ignore[arg-type]


class Tree(ABC):
    """Rows below rows, as far as they are unfolded."""

    @abstractmethod
    def roots(self) -> tuple[Node, ...]:
        """Return the top rows."""

    @abstractmethod
    def children(self, node: Node) -> tuple[Node, ...]:
        """Return the rows below ``node``."""

    @abstractmethod
    def hit(self, skill: str) -> Node:
        """Return a row of the filtered tree: a skill under its full name, unfolding as usual."""

    def tool_hits(self, node: Node, tools: Iterable[str]) -> list[Node]:
        """Return rows for the found tools of a skill; nothing is flattened for them, so their flags stay blank."""
        return [node.child(Kind.TOOL, tool, tool, skill=node.skill) for tool in tools]

    def server_hits(self, node: Node, labels: Iterable[str]) -> list[Node]:
        """Return rows for the found servers of a skill, of which no tools are known yet."""
        return [node.child(Kind.SERVER, label, f"{label} (MCP)", skill=node.skill) for label in labels]

    def rows(self, opened: set[Key], roots: tuple[Node, ...] | None = None) -> list[Node]:
        """Return the rows in sight when the nodes of ``opened`` are unfolded; no recursion, whatever the depth."""
        rows: list[Node] = []
        stack = list(reversed(self.roots() if roots is None else roots))
        above = {key[:-2] for key in opened}
        while stack:
            node = stack.pop()
            rows.append(node)
            if not node.expandable or node.key not in opened:
                continue
            if node.key in above:
                stack.extend(reversed(self.children(node)))
            else:
                rows.extend(self.children(node))
        return rows

    def way_to(self, skill: str, tool: str | None = None) -> list[Node]:
        """Return the rows from the namespace to the skill, or on to a tool that it lists itself; empty if it's gone."""
        space = next((n for n in self.roots() if n.kind is Kind.NAMESPACE and skill.startswith(f"{n.name}/")), None)
        node = next((n for n in self.children(space) if n.name == skill), None) if space else None
        if space is None or node is None:
            return []
        for branch in self.children(node) if tool else ():
            if branch.name == tool:
                return [space, node, branch]
            if branch.name != "includes":
                found = next((n for n in self.children(branch) if n.name == tool), None)
                if found is not None:
                    return [space, node, branch, found]
        return [space, node]


@dataclass
class Outline(Tree):
    """The tree of one loaded workspace. ``children`` are made when asked for and kept."""

    workspace: Workspace
    _children: dict[Key, tuple[Node, ...]] = field(default_factory=dict)
    _earlier: dict[Key, tuple[Node, ...]] = field(default_factory=dict)

    def prepare(self, before: Outline | None = None) -> None:
        """Make the rows of all skills; those that are as in ``before`` are taken from there."""
        self._earlier = before._children if before else {}
        for node in self.roots():
            if node.kind is Kind.NAMESPACE:
                self.children(node)
        self._earlier = {}

    def roots(self) -> tuple[Node, ...]:
        """Return the top rows: actors, namespaces, files that gave nothing, unassigned sources."""
        if () not in self._children:
            self._children[()] = tuple(self._roots())
        return self._children[()]

    def children(self, node: Node) -> tuple[Node, ...]:
        """Return the rows below ``node``."""
        found = self._children.get(node.key)
        if found is None:
            found = self._children[node.key] = tuple(self._below(node)) if node.expandable else ()
        return found

    def hit(self, skill: str) -> Node:
        """Return a row of the filtered tree: a skill under its full name, unfolding as usual."""
        row = row_of(self.workspace, skill)
        count = row.tools if row else None
        return Node(("hit", skill), Kind.SKILL, skill, skill, skill=skill, row=row, count=count, expandable=bool(row))

    def _roots(self) -> Iterator[Node]:
        catalogue = self.workspace.catalogue
        if actors := catalogue.actors():
            yield Node(("actors",), Kind.BRANCH, "actors", "Actors", expandable=True, count=len(actors))
        for space, rows in self._spaces.items():
            yield Node(("namespace", space), Kind.NAMESPACE, space, space, expandable=True, count=len(rows))
        if broken := self._broken_files():
            yield Node(
                ("broken",), Kind.BRANCH, "broken", "Files that gave nothing", expandable=True, count=len(broken)
            )
        unassigned = catalogue.unassigned()
        if total := len(unassigned.agent_skills) + len(unassigned.mcp_servers):
            yield Node(("unassigned",), Kind.BRANCH, "unassigned", "Unassigned", expandable=True, count=total)
        for path in self.workspace.declarations.sub_workspaces:
            yield Node(("workspace", path), Kind.WORKSPACE, path, f"{path}/ (a workspace of its own)")

    @cached_property
    def _spaces(self) -> dict[str, list[SkillRow]]:
        """The skills of each namespace, by name."""
        rows = rows_of(self.workspace)
        names = [row.name for row in rows]
        spaces: dict[str, list[SkillRow]] = {}
        at = 0
        while at < len(names):
            space = names[at].split("/", 1)[0]
            end = max(at + 1, bisect_left(names, f"{space}{AFTER_SLASH}", at))
            spaces.setdefault(space, []).extend(rows[at:end])
            at = end
        return spaces

    def _broken_files(self) -> list[str]:
        if not self.workspace.declarations.broken:
            return []
        shown = {row.place.path for row in rows_of(self.workspace)}
        return sorted({b.path for b in self.workspace.declarations.broken} - shown)

    def _below(self, node: Node) -> Iterator[Node]:
        match node.kind:
            case Kind.NAMESPACE:
                yield from self._skills_of(node)
            case Kind.ACTOR:
                yield from self._actor_skills(node)
            case Kind.SKILL:
                yield from self._skill_parts(node)
            case Kind.SERVER:
                yield from (self._tool(node, r) for r in self._direct(node) if r.source == f"mcp:{node.name}")
            case Kind.BRANCH:
                yield from self._branch(node)

    def _branch(self, node: Node) -> Iterator[Node]:
        match node.name:
            case "actors":
                for name in self.workspace.catalogue.actors():
                    yield node.child(Kind.ACTOR, name, name, expandable=True)
            case "broken":
                yield from (node.child(Kind.FILE, path, path, path=path) for path in self._broken_files())
            case "unassigned":
                yield from self._unassigned(node)
            case "includes":
                yield from self._includes(node)
            case _:
                yield from (self._tool(node, r) for r in self._direct(node) if r.source == node.name)

    def _skills_of(self, node: Node) -> Iterator[Node]:
        start, rows = len(f"{node.name}/"), self._spaces.get(node.name, [])
        earlier = self._earlier.get(node.key, ())
        if len(earlier) != len(rows):
            yield from (self._skill(node, row.name, row.name[start:], row) for row in rows)
            return
        for before, row in zip(earlier, rows, strict=True):
            yield before if before.row is row else self._skill(node, row.name, row.name[start:], row)

    def _actor_skills(self, node: Node) -> Iterator[Node]:
        actor = actor_of(self.workspace, node.name)
        for name, _status in actor.skills if actor else ():
            yield self._skill(node, name, name, row_of(self.workspace, name))

    def _skill(
        self, above: Node, name: str, label: str, row: SkillRow | None, include: IncludeView | None = None
    ) -> Node:
        closed = row is None or (include is not None and (include.ghost or include.in_cycle))
        count = row.tools if row else None
        unread = row is None and not self.workspace.declarations.complete
        return above.child(
            Kind.SKILL,
            name,
            label,
            skill=name,
            row=row,
            include=include,
            count=count,
            expandable=not closed,
            unread=unread,
        )

    def _includes(self, node: Node) -> Iterator[Node]:
        row = row_of(self.workspace, node.skill or "")
        space = f"{(node.skill or '').split('/', 1)[0]}/"
        for include in row.includes if row else ():
            label = include.name.removeprefix(space)
            yield self._skill(node, include.name, label, row_of(self.workspace, include.name), include)

    def _skill_parts(self, node: Node) -> Iterator[Node]:
        name = node.skill or ""
        if node.row and node.row.includes:
            yield node.child(
                Kind.BRANCH, "includes", "includes", skill=name, expandable=True, count=len(node.row.includes)
            )
        direct = self._direct(node)
        for source, label in (("builtin", "built-in tools"), ("custom", "own tools")):
            if count := sum(r.source == source for r in direct):
                yield node.child(Kind.BRANCH, source, label, skill=name, expandable=True, count=count)
        yield from self._servers(node, direct)
        for record in direct:
            if record.source == "agent_skill":
                yield node.child(
                    Kind.AGENT_SKILL, record.name, record.name.split("/", 1)[-1], skill=name, record=record
                )

    def _servers(self, node: Node, direct: list[ToolRecord]) -> Iterator[Node]:
        file = file_of(self.workspace, node.name)
        for label in dict.fromkeys(server.label for server in (file.servers if file else ())):
            count = sum(r.source == f"mcp:{label}" for r in direct)
            yield node.child(
                Kind.SERVER, label, f"{label} (MCP)", skill=node.skill, count=count or None, expandable=count > 0
            )

    def _unassigned(self, node: Node) -> Iterator[Node]:
        found = self.workspace.catalogue.unassigned()
        for skill in found.agent_skills:
            yield node.child(Kind.AGENT_SKILL, skill.path, f"{skill.name} (Agent Skill)", path=skill.source.path)
        for server in found.mcp_servers:
            yield node.child(Kind.SERVER, server.name, f"{server.name} (MCP)", path=server.path)

    def _tool(self, above: Node, record: ToolRecord) -> Node:
        return above.child(Kind.TOOL, record.name, short_tool(record), skill=above.skill, record=record)

    def _direct(self, node: Node) -> list[ToolRecord]:
        return direct_records(self.workspace, node.skill or node.name)

    def agent_skill(self, folder: str) -> AgentSkillDecl | None:
        """Return the Agent Skill in ``folder``."""
        return next((s for s in self.workspace.declarations.agent_skills if s.path == folder), None)


def short_tool(record: ToolRecord) -> str:
    """Return the part of a tool's name that tells it from its siblings of the same source."""
    if record.source.startswith("mcp:"):
        return record.name.split("/", 1)[-1]
    return record.name.rsplit("/", 1)[-1]
