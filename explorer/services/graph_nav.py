"""Moving from node to node of a drawn graph, by where the nodes stand and by what includes what."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.resolve.canvas import Canvas, Rect
    from core.resolve.views import IncludeGraph


class GraphNav:
    """Answers which node an arrow key leads to; the same node where there is none."""

    def __init__(self, graph: IncludeGraph, canvas: Canvas) -> None:
        self._canvas = canvas
        self._linked: dict[str, set[str]] = {name: set() for name in canvas.nodes}
        for edge in graph.edges:
            if edge.start in self._linked and edge.end in self._linked:
                self._linked[edge.start].add(edge.end)
                self._linked[edge.end].add(edge.start)

    def right(self, name: str) -> str:
        """Return the nearest node to the right that an edge joins to ``name``, else the nearest at all."""
        return self._sideways(name, 1)

    def left(self, name: str) -> str:
        """Return the nearest node to the left that an edge joins to ``name``, else the nearest at all."""
        return self._sideways(name, -1)

    def _sideways(self, name: str, direction: int) -> str:
        here = self._canvas.nodes[name]
        beyond = [n for n, r in self._canvas.nodes.items() if (r.x - here.x) * direction > 0]
        joined = [n for n in beyond if n in self._linked[name]]
        return min(joined or beyond, key=lambda n: (self._rows(n, here), self._columns(n, here), n), default=name)

    def up(self, name: str) -> str:
        """Return the nearest node above, those of the same column first."""
        return self._upright(name, -1)

    def down(self, name: str) -> str:
        """Return the nearest node below, those of the same column first."""
        return self._upright(name, 1)

    def _upright(self, name: str, direction: int) -> str:
        here = self._canvas.nodes[name]
        beyond = [n for n, r in self._canvas.nodes.items() if (r.y - here.y) * direction > 0]
        return min(beyond, key=lambda n: (self._rows(n, here) + self._columns(n, here) // 2, n), default=name)

    def _rows(self, name: str, here: Rect) -> int:
        return abs(self._canvas.nodes[name].y - here.y)

    def _columns(self, name: str, here: Rect) -> int:
        return abs(self._canvas.nodes[name].x - here.x)

    def matches(self, text: str) -> list[str]:
        """Return the nodes whose names have all words of ``text``, from the top left."""
        words = text.casefold().split()
        found = [n for n in self._canvas.nodes if words and all(word in n.casefold() for word in words)]
        return sorted(found, key=lambda n: (self._canvas.nodes[n].x, self._canvas.nodes[n].y))
