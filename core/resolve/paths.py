"""The include paths from a skill to those that list a tool: counted exactly, the shortest ones given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heappop, heappush

from core.resolve.graph import Edges, post_order, reach

MOST_PATHS = 20


def include_paths(
    children: Edges, parents: Edges, start: int, goals: Collection[int], most: int = MOST_PATHS
) -> tuple[list[list[int]], int]:
    """Return up to ``most`` paths from ``start`` to any of ``goals``, shortest first, and how many there are.

    Paths of one length come in the order of includes. The cost grows with the paths given, not with those counted.
    """
    distance = reach(parents, goals)
    if start not in distance:
        return [], 0
    return _shortest(children, start, goals, distance, most), _count(children, start, goals)


def _count(children: Edges, start: int, goals: Collection[int]) -> int:
    ways: dict[int, int] = {}
    for node in post_order(children, [start]):
        ways[node] = int(node in goals) + sum(ways[child] for child in children[node])
    return ways[start]


def _shortest(
    children: Edges, start: int, goals: Collection[int], distance: dict[int, int], most: int
) -> list[list[int]]:
    """Go on with the path that is shortest in the end, among equals the deepest: none is left half done."""
    found: list[list[int]] = []
    counter = 0
    heap: list[tuple[int, int, _Path, bool]] = [(distance[start], 0, (start, None, 0), False)]
    while heap and len(found) < most:
        _, _, path, done = heappop(heap)
        if done:
            found.append(_nodes(path))
            continue
        node, _, steps = path
        onward = [child for child in children[node] if child in distance]
        for child in reversed(onward):
            counter -= 1
            heappush(heap, (steps + 1 + distance[child], counter, (child, path, steps + 1), False))
        if node in goals:
            counter -= 1
            heappush(heap, (steps, counter, path, True))
    return found


_Path = tuple[int, "_Path | None", int]


def _nodes(path: _Path) -> list[int]:
    nodes = []
    at: _Path | None = path
    while at is not None:
        nodes.append(at[0])
        at = at[1]
    return nodes[::-1]


def shortest_way(children: Edges, start: int, goals: Collection[int]) -> Sequence[int]:
    """Return one shortest path from ``start`` to any of ``goals``; empty when there is none."""
    came: dict[int, int] = {start: start}
    queue = [start]
    for node in queue:
        if node in goals:
            way = [node]
            while way[-1] != start:
                way.append(came[way[-1]])
            return way[::-1]
        for child in children[node]:
            if child not in came:
                came[child] = node
                queue.append(child)
    return []
