"""The tree while a workspace is being read: the names of the skills so far, in the rows they will keep."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass, field

from explorer.services.finder import Entry, Finder
from explorer.services.outline import Kind, Node, Tree


@dataclass
class EarlyOutline(Tree):
    """Namespaces and the skills in them; nothing unfolds below a skill. ``finder`` finds the same names."""

    finder: Finder = field(default_factory=Finder)
    _names: dict[str, list[str]] = field(default_factory=dict)
    _nodes: dict[str, Node] = field(default_factory=dict)

    def add(self, names: Iterable[str]) -> None:
        """Take in skills that have been read; a name may come twice."""
        for name in names:
            if name not in self._nodes:
                space = name.split("/", 1)[0]
                self._nodes[name] = _space(space, 0).child(
                    Kind.SKILL, name, name.removeprefix(f"{space}/"), skill=name, early=True
                )
                insort(self._names.setdefault(space, []), name)
                self.finder.add(Entry(name))

    def roots(self) -> tuple[Node, ...]:
        """Return the namespaces."""
        return tuple(_space(name, len(self._names[name])) for name in sorted(self._names))

    def children(self, node: Node) -> tuple[Node, ...]:
        """Return the skills of a namespace."""
        return tuple(self._nodes[name] for name in self._names.get(node.name, ()))

    def hit(self, skill: str) -> Node:
        """Return a row of the filtered tree."""
        return Node(("hit", skill), Kind.SKILL, skill, skill, skill=skill, early=True)


def _space(name: str, count: int) -> Node:
    return Node(("namespace", name), Kind.NAMESPACE, name, name, expandable=True, count=count)
