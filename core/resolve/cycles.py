"""Include cycles: the shortest through each include of a component, never all of them, within a step budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.resolve.graph import Edges

MOST_CYCLES = 50
MOST_NAMES = 12
STEP_BUDGET = 1_000_000

Cycle = tuple[int, ...]


@dataclass(slots=True)
class Cycles:
    """The cycles of one component, each node once, starting at its least; ``count`` counts those not listed too.

    ``exact`` is False when the budget ran out: then some includes may lie on shorter cycles than those found.
    """

    members: list[int]
    listed: list[Cycle] = field(default_factory=list)
    count: int = 0
    exact: bool = True


@dataclass(slots=True)
class Budget:
    """Steps left for the search through all components together."""

    left: int = STEP_BUDGET


def cycles_of(edges: Edges, members: Sequence[int], budget: Budget) -> Cycles:
    """Return the cycles of the component ``members``: shortest first, at most 50."""
    inside = set(members)
    inner = [(node, child) for node in sorted(members) for child in dict.fromkeys(edges[node]) if child in inside]
    search = _Search(edges, inside, budget)
    search.through(edge for edge in inner if edge not in search.covered)
    if len(inner) > len(inside):
        search.through(edge for edge in inner if edge not in search.searched)
    listed = sorted(search.found, key=lambda cycle: (len(cycle), cycle))
    return Cycles(sorted(members), listed[:MOST_CYCLES], len(listed), search.exact)


@dataclass(slots=True)
class _Search:
    edges: Edges
    inside: set[int]
    budget: Budget
    found: set[Cycle] = field(default_factory=set)
    covered: set[tuple[int, int]] = field(default_factory=set)
    searched: set[tuple[int, int]] = field(default_factory=set)
    exact: bool = True

    def through(self, inner: Iterable[tuple[int, int]]) -> None:
        """Search the shortest cycle through each of ``inner``, while the budget lasts."""
        for edge in inner:
            if self.budget.left <= 0 and self.found:
                self.exact = False
                return
            cycle = _shortest(self.edges, self.inside, *edge, self.budget)
            self.found.add(normal(cycle))
            self.searched.add(edge)
            self.covered.update(pairs(cycle))


def _shortest(edges: Edges, inside: set[int], start: int, end: int, budget: Budget) -> Cycle:
    """Return the shortest cycle through the include of ``end`` by ``start``, breadth first from ``end``."""
    if start == end:
        return (start,)
    came = {end: end}
    queue = [end]
    for node in queue:
        for child in edges[node]:
            budget.left -= 1
            if child in came or child not in inside:
                continue
            came[child] = node
            if child == start:
                return _back(came, start, end)
            queue.append(child)
    raise ValueError("the two nodes are not in one component")


def _back(came: dict[int, int], start: int, end: int) -> Cycle:
    way = [start]
    while way[-1] != end:
        way.append(came[way[-1]])
    return (start, *reversed(way[1:]))


def normal(cycle: Cycle) -> Cycle:
    """Return the same cycle starting at its least node."""
    return rotated(cycle, min(cycle))


def rotated(cycle: Cycle, first: int) -> Cycle:
    """Return the same cycle starting at ``first``."""
    at = cycle.index(first)
    return (*cycle[at:], *cycle[:at])


def pairs(cycle: Cycle) -> Iterable[tuple[int, int]]:
    """Return the edges of ``cycle``."""
    return zip(cycle, (*cycle[1:], cycle[0]), strict=True)


def trail(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Return ``a -> b -> a`` for the cycle ``names``; longer ones leave out the middle and say how much."""
    return arrows([*names, names[0]], most)


def arrows(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Return ``a -> b -> c``, at most ``most`` names with a count of those left out between."""
    if len(names) <= most:
        return " -> ".join(names)
    head, tail = most - most // 2, most // 2
    left = len(names) - head - tail
    return " -> ".join([*names[:head], f"… {left:,} more …", *names[-tail:]])


def best_cut(cycles: Sequence[Cycles], distance: dict[int, int]) -> list[tuple[int, int]]:
    """Return the edges that lie on most of the listed cycles, best first, at most 8 of equal worth.

    Among equals those that lead back farthest to where the component is entered come first: nothing else is
    likely to need them.
    """
    votes: dict[tuple[int, int], int] = {}
    for group in cycles:
        for cycle in group.listed:
            for edge in pairs(cycle):
                votes[edge] = votes.get(edge, 0) + 1
    if not votes:
        return []
    most = max(votes.values())
    tied = [edge for edge, count in votes.items() if count == most]
    tied.sort(key=lambda edge: (distance.get(edge[1], 0) - distance.get(edge[0], 0), edge))
    return tied[:8]
