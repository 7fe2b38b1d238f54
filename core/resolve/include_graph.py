"""The include graph by names, whole or around one skill, as front ends show and export it."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.language.declarations import IncludeDecl, SkillFile
from core.resolve.cuts import Cut, Cuts
from core.resolve.cycles import Cycles
from core.resolve.graph import reach
from core.resolve.structure import NOBODY, Structure
from core.resolve.views import GraphEdge, GraphNode, IncludeGraph, SkillStatus

MOST_FREED = 20


@dataclass(slots=True)
class _Node:
    name: str
    file: SkillFile | None = None
    number: int = NOBODY
    path: str | None = None
    ghost: bool = False
    out: dict[int, IncludeDecl] = field(default_factory=dict)
    back: dict[int, None] = field(default_factory=dict)


class NamedGraph:
    """All skills that are defined or named: one node a name, edges with the entry that says them."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._nodes: list[_Node] = []
        self._at: dict[str, int] = {}
        for name, numbers in structure.index.skills.items():
            file = structure.files[numbers[0]]
            self._add(_Node(name, file, numbers[0], file.path))
        for name, broken in sorted(structure.index.broken_skills().items()):
            self._add(_Node(name, path=broken.path))
        for start in range(len(self._nodes)):
            self._connect(start)
        self._below = [list(node.out) for node in self._nodes]
        self._above = [list(node.back) for node in self._nodes]

    def _add(self, node: _Node) -> int:
        self._at[node.name] = len(self._nodes)
        self._nodes.append(node)
        return self._at[node.name]

    def _connect(self, start: int) -> None:
        file = self._nodes[start].file
        for include in file.includes if file else ():
            end = self._at.get(include.name)
            if end is None:
                broken = self._structure.index.broken_skill(include.name)
                path = broken.path if broken else None
                end = self._add(_Node(include.name, path=path, ghost=broken is None))
            self._nodes[start].out.setdefault(end, include)
            self._nodes[end].back.setdefault(start)

    def whole(self) -> IncludeGraph:
        """Return the graph of the workspace."""
        return self._view(range(len(self._nodes)))

    def around(self, name: str, radius: int | None) -> IncludeGraph | None:
        """Return what ``name`` includes and what includes it, each within ``radius`` steps (None: all the way)."""
        start = self._at.get(name)
        if start is None:
            return None
        return self._view(reach(self._below, [start], radius) | reach(self._above, [start], radius))

    def _view(self, chosen: range | dict[int, int]) -> IncludeGraph:
        shown = sorted(chosen, key=lambda at: self._nodes[at].name)
        edges = [
            GraphEdge(node.name, self._nodes[end].name, node.file.place(include.span), self._closes(node, end))
            for node in (self._nodes[at] for at in shown)
            for end, include in node.out.items()
            if node.file is not None and end in chosen
        ]
        cycles, count, cut = self._cycles({self._nodes[at].name for at in shown})
        names = (self._structure.name(cut.start), self._structure.name(cut.end)) if cut else None
        resolves = cut.resolves if cut else None
        frees = tuple(self._structure.name(number) for number in ((cut and cut.frees) or ())[:MOST_FREED])
        nodes = tuple(self._view_node(at) for at in shown)
        return IncludeGraph(nodes, tuple(edges), cycles, count, names, resolves, frees)

    def _closes(self, node: _Node, end: int) -> bool:
        return node.number != NOBODY and self._structure.closes_cycle(node.number, self._nodes[end].number)

    def _view_node(self, at: int) -> GraphNode:
        node = self._nodes[at]
        status = SkillStatus.UNRESOLVED if node.number == NOBODY else self._structure.status[node.number]
        return GraphNode(node.name, node.path, status, node.ghost)

    def _cycles(self, shown: set[str]) -> tuple[tuple[tuple[str, ...], ...], int, Cut | None]:
        """Return the cycles that lie wholly among ``shown``, how many there are with those not listed, and the cut."""
        listed: list[tuple[str, ...]] = []
        groups: list[Cycles] = []
        count = 0
        for cycles in self._structure.cycles:
            named = [tuple(self._structure.name(number) for number in cycle) for cycle in cycles.listed]
            inside = [names for names in named if shown.issuperset(names)]
            if inside:
                listed.extend(inside)
                groups.append(cycles)
                count += cycles.count - len(named) + len(inside)
        return tuple(listed), count, Cuts(self._structure).best(groups)
