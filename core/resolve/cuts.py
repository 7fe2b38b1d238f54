"""Which include to remove so that cycles go away, and how many skills would resolve then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.resolve.cycles import Cycles, best_cut
from core.resolve.graph import children_first, components, reach, reversed_edges
from core.resolve.structure import NOBODY, Structure
from core.resolve.views import SkillStatus

STEP_BUDGET = 2_000_000


@dataclass(frozen=True, slots=True)
class Cut:
    """An include to remove: how many listed cycles it breaks, which skills resolve then (None: not looked at)."""

    start: int
    end: int
    breaks: int
    frees: tuple[int, ...] | None

    @property
    def resolves(self) -> int | None:
        """How many skills resolve then."""
        return None if self.frees is None else len(self.frees)


class Cuts:
    """Proposes cuts, for one component or the whole workspace, while its step budget lasts."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._back = reversed_edges(structure.edges)
        self._left = STEP_BUDGET
        self._known: dict[int, Cut | None] = {}

    def of(self, cycles: Cycles) -> Cut | None:
        """Return the cut that breaks most cycles of a component, and of those the one that lets most skills resolve."""
        first = cycles.members[0]
        if first not in self._known:
            self._known[first] = self._best(cycles)
        return self._known[first]

    def best(self, groups: Sequence[Cycles]) -> Cut | None:
        """Return the best cut of several components; None where there are none."""
        found = [cut for cycles in groups if (cut := self.of(cycles)) is not None]
        return max(found, key=lambda cut: (cut.breaks, cut.resolves or 0), default=None)

    def _best(self, cycles: Cycles) -> Cut | None:
        candidates = best_cut([cycles], self._distances(cycles.members))
        cuts = [Cut(*edge, self._breaks(cycles, edge), self._resolving(cycles.members, edge)) for edge in candidates]
        return max(cuts, key=lambda cut: cut.resolves or 0, default=None)

    def _breaks(self, cycles: Cycles, edge: tuple[int, int]) -> int:
        start, end = edge
        return sum(1 for c in cycles.listed if start in c and c[(c.index(start) + 1) % len(c)] == end)

    def _distances(self, members: list[int]) -> dict[int, int]:
        """Return the steps from where the component is entered from outside, or else from its first member."""
        inside = set(members)
        entries = [m for m in members if any(parent not in inside for parent in self._back[m])]
        return reach(self._structure.edges, entries or members[:1])

    def _resolving(self, members: list[int], edge: tuple[int, int]) -> tuple[int, ...] | None:
        """Return the skills that resolve once ``edge`` is gone; only those above the component can change."""
        if self._left <= 0:
            return None
        structure = self._structure
        affected = sorted(reach(self._back, members))
        at = {skill: place for place, skill in enumerate(affected)}
        edges = [[at[t] for t in structure.edges[skill] if t in at and (skill, t) != edge] for skill in affected]
        self._left -= len(affected) + sum(len(children) for children in edges)
        found = components(edges)
        cyclic = {node for group in found.cyclic(edges) for node in group}
        calm = [
            [] if node in cyclic else [c for c in children if c not in cyclic] for node, children in enumerate(edges)
        ]
        resolved: set[int] = set()
        for node in children_first(calm):
            if node not in cyclic and self._would_resolve(affected[node], edge, at, resolved):
                resolved.add(node)
        return tuple(affected[node] for node in sorted(resolved))

    def _would_resolve(self, skill: int, edge: tuple[int, int], at: dict[int, int], resolved: set[int]) -> bool:
        structure = self._structure
        if structure.listings[skill].faults:
            return False
        for target in structure.targets[skill]:
            if (skill, target) == edge:
                continue
            if target == NOBODY:
                return False
            if target in at:
                if at[target] not in resolved:
                    return False
            elif structure.status[target] is not SkillStatus.RESOLVED:
                return False
        return True
