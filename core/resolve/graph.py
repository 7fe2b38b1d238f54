"""The include graph as lists of numbers: edges, components, the order in which skills can be resolved, reach.

Everything is iterative: the depth of includes and the number of include paths never matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Edges = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Components:
    """Strongly connected components. ``number`` is the component of each node; inner components come first."""

    number: list[int]
    members: list[list[int]]

    def cyclic(self, edges: Edges) -> list[list[int]]:
        """Return the components whose members include each other, or themselves, in the order of their first member."""
        found = [m for m in self.members if len(m) > 1 or m[0] in edges[m[0]]]
        return sorted((sorted(members) for members in found), key=lambda members: members[0])


def components(edges: Edges) -> Components:
    """Return the strongly connected components of the graph (Tarjan, without recursion)."""
    count = len(edges)
    index = [-1] * count
    low = [0] * count
    on_stack = bytearray(count)
    number = [-1] * count
    members: list[list[int]] = []
    stack: list[int] = []
    time = 0
    for root in range(count):
        if index[root] >= 0:
            continue
        walk: list[tuple[int, Iterator[int]]] = [(root, iter(edges[root]))]
        index[root] = low[root] = time
        time += 1
        stack.append(root)
        on_stack[root] = 1
        while walk:
            node, rest = walk[-1]
            for child in rest:
                if index[child] < 0:
                    index[child] = low[child] = time
                    time += 1
                    stack.append(child)
                    on_stack[child] = 1
                    walk.append((child, iter(edges[child])))
                    break
                if on_stack[child] and index[child] < low[node]:
                    low[node] = index[child]
            else:
                walk.pop()
                if walk and low[node] < low[walk[-1][0]]:
                    low[walk[-1][0]] = low[node]
                if low[node] == index[node]:
                    members.append(_pop_component(node, stack, on_stack, number, len(members)))
    return Components(number, members)


def _pop_component(root: int, stack: list[int], on_stack: bytearray, number: list[int], label: int) -> list[int]:
    found = []
    while True:
        node = stack.pop()
        on_stack[node] = 0
        number[node] = label
        found.append(node)
        if node == root:
            return found


def reversed_edges(edges: Edges) -> list[list[int]]:
    """Return for each node those that point to it, in their order."""
    back: list[list[int]] = [[] for _ in edges]
    for node, children in enumerate(edges):
        for child in children:
            back[child].append(node)
    return back


def children_first(edges: Edges) -> list[int]:
    """Return all nodes of an acyclic graph, each after every node that it points to."""
    open_children = [len(children) for children in edges]
    back = reversed_edges(edges)
    order = [node for node, left in enumerate(open_children) if not left]
    for node in order:
        for parent in back[node]:
            open_children[parent] -= 1
            if not open_children[parent]:
                order.append(parent)
    return order


def reach(edges: Edges, starts: Iterable[int], radius: int | None = None) -> dict[int, int]:
    """Return every node within ``radius`` steps (None: any number) of ``starts``, with its distance."""
    distance = dict.fromkeys(starts, 0)
    queue = list(distance)
    for node in queue:
        step = distance[node] + 1
        if radius is not None and step > radius:
            break
        for child in edges[node]:
            if child not in distance:
                distance[child] = step
                queue.append(child)
    return distance


def post_order(edges: Edges, roots: Sequence[int]) -> list[int]:
    """Return every node reached from ``roots``, depth first in listed order, each once and after its children."""
    seen = set()
    order: list[int] = []
    walk: list[tuple[int, Iterator[int]]] = [(-1, iter(roots))]
    while walk:
        node, rest = walk[-1]
        for child in rest:
            if child not in seen:
                seen.add(child)
                walk.append((child, iter(edges[child])))
                break
        else:
            walk.pop()
            if node >= 0:
                order.append(node)
    return order
