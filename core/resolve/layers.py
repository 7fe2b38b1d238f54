"""Layers of a left-to-right drawing: who stands in which column, and in which order from top to bottom.

Works on numbers. Besides the nodes there are *lanes*, which carry all edges to one target through a column, and
*ports*, one below each node with edges that lead back: such an edge is drawn from its end to the port of its start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Edge = tuple[int, int]
SWEEPS, SWEEPS_OF_LARGE = 6, 4
LARGE = 2_000
MOST_PLACED = 40_000


class TooLarge(Exception):  # noqa: N818 - it names a state that callers answer with another form
    """The graph has more nodes and lanes than a drawing can usefully show."""


@dataclass(slots=True)
class Layered:
    """The columns. ``segments`` are neighbours joined between one column and the next, by left column.

    ``target`` is, for each lane, where it leads; ``port_of`` the node above each port; ``drawn`` has for each edge
    that is not a self-include its drawn ends, left and right.
    """

    count: int
    columns: list[list[int]] = field(default_factory=list)
    layer: list[int] = field(default_factory=list)
    target: dict[int, int] = field(default_factory=dict)
    port_of: dict[int, int] = field(default_factory=dict)
    segments: list[dict[int, list[int]]] = field(default_factory=list)
    drawn: dict[Edge, Edge] = field(default_factory=dict)
    lanes: dict[tuple[int, int], int] = field(default_factory=dict)

    def onward(self, source: int, target: int) -> int:
        """Return what follows ``source`` on the way to ``target``."""
        lane = self.lanes.get((target, self.layer[source] + 1))
        return target if lane is None else lane


def layered(count: int, edges: Sequence[Edge]) -> Layered:
    """Return the columns for the nodes 0 to ``count`` - 1.

    Raises:
        TooLarge: there would be more than 40,000 nodes and lanes.
    """
    found = Layered(count)
    children: list[list[int]] = [[] for _ in range(count)]
    for start, end in edges:
        if start != end:
            children[start].append(end)
    back = _back_edges(children)
    ports: dict[int, int] = {}
    for start, end in edges:
        if start == end:
            continue
        if (start, end) in back:
            port = ports.setdefault(start, count + len(ports))
            found.port_of[port] = start
            found.drawn[start, end] = (end, port)
        else:
            found.drawn[start, end] = (start, end)
    _assign_layers(found, [[c for c in kids if (node, c) not in back] for node, kids in enumerate(children)])
    _add_lanes(found)
    _order(found)
    return found


def _back_edges(children: Sequence[Sequence[int]]) -> set[Edge]:
    """Return the edges that lead to a node still being visited, depth first from where nothing leads to."""
    entered = {child for kids in children for child in kids}
    roots = [node for node in range(len(children)) if node not in entered]
    state = bytearray(len(children))
    back: set[Edge] = set()
    for root in (*roots, *range(len(children))):
        if state[root]:
            continue
        state[root] = 1
        walk: list[tuple[int, Iterator[int]]] = [(root, iter(children[root]))]
        while walk:
            node, rest = walk[-1]
            for child in rest:
                if not state[child]:
                    state[child] = 1
                    walk.append((child, iter(children[child])))
                    break
                if state[child] == 1:
                    back.add((node, child))
            else:
                state[node] = 2
                walk.pop()
    return back


def _assign_layers(found: Layered, children: list[list[int]]) -> None:
    """Put each node right of all that lead to it, and nodes that nothing leads to as near as they may be."""
    layer = [0] * len(children)
    left = [0] * len(children)
    for kids in children:
        for child in kids:
            left[child] += 1
    order = [node for node, before in enumerate(left) if not before]
    roots = list(order)
    for node in order:
        for child in children[node]:
            layer[child] = max(layer[child], layer[node] + 1)
            left[child] -= 1
            if not left[child]:
                order.append(child)
    for node in roots:
        if children[node]:
            layer[node] = min(layer[child] for child in children[node]) - 1
    found.layer = layer + [layer[owner] for owner in found.port_of.values()]
    found.columns = [[] for _ in range(max(found.layer, default=-1) + 1)]
    for node in order:
        found.columns[layer[node]].append(node)


def _add_lanes(found: Layered) -> None:
    found.segments = [{} for _ in found.columns]
    placed = len(found.layer)
    joined: set[Edge] = set()
    for source, target in found.drawn.values():
        at, step = source, found.layer[source]
        while True:
            step += 1
            onward = target
            if step < found.layer[target]:
                onward = found.lanes.setdefault((target, step), len(found.layer))
                if onward == len(found.layer):
                    found.layer.append(step)
                    found.columns[step].append(onward)
                    found.target[onward] = target
                    placed += 1
            if (at, onward) in joined:
                break
            joined.add((at, onward))
            found.segments[step - 1].setdefault(at, []).append(onward)
            at = onward
            if at == target:
                break
        if placed > MOST_PLACED:
            raise TooLarge


def _order(found: Layered) -> None:
    """Reduce crossings: sort each column by the middle of its neighbours, to the right and to the left in turn."""
    right, left = _neighbours(found)
    ports: dict[int, int] = {owner: port for port, owner in found.port_of.items()}
    place = [0.0] * len(found.layer)
    for column in found.columns:
        _settle(column, ports, place)
    last = len(found.columns) - 1
    for sweep in range(SWEEPS if len(place) <= LARGE else SWEEPS_OF_LARGE):
        forward = sweep % 2 == 0
        for at in range(1, last + 1) if forward else range(last - 1, -1, -1):
            column = [node for node in found.columns[at] if node not in found.port_of]
            means = {node: _mean((left if forward else right)[node], place, node) for node in column}
            column.sort(key=means.__getitem__)
            found.columns[at] = column
            _settle(column, ports, place)


def _neighbours(found: Layered) -> tuple[list[list[int]], list[list[int]]]:
    right: list[list[int]] = [[] for _ in found.layer]
    left: list[list[int]] = [[] for _ in found.layer]
    for segments in found.segments:
        for source, targets in segments.items():
            for target in targets:
                right[source].append(target)
                left[target].append(source)
                owner = found.port_of.get(target)
                if owner is not None:
                    left[owner].append(source)
    return right, left


def _settle(column: list[int], ports: dict[int, int], place: list[float]) -> None:
    """Number the nodes of a column from the top, each port right below its node."""
    nodes = list(column)
    column.clear()
    for node in nodes:
        column.append(node)
        if node in ports:
            column.append(ports[node])
    for at, node in enumerate(column):
        place[node] = float(at)


def _mean(nodes: list[int], place: list[float], own: int) -> float:
    if len(nodes) == 1:
        return place[nodes[0]]
    return sum([place[node] for node in nodes]) / len(nodes) if nodes else place[own]
