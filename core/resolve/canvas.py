"""A drawn graph: lines of text, where each node stands, and by which cells each edge runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from core.resolve.width import cell_width

NORTH, SOUTH, EAST, WEST = 1, 2, 4, 8
ACROSS, UPRIGHT = EAST | WEST, NORTH | SOUTH
FORWARD, BACKWARD = "▸", "◂"

_SINGLE = dict(zip(range(16), " ╵╷│╶╰╭├╴╯╮┤─┴┬┼", strict=True))
_DOUBLE = dict(zip(range(16), " ║║║═╚╔╠═╝╗╣═╩╦╬", strict=True))
_UPRIGHT_CHARS = "│║"
_MERGE = {NORTH | ACROSS: "╧", SOUTH | ACROSS: "╤", UPRIGHT | ACROSS: "╪", ACROSS: "═"}


def glyph(directions: int, *, across_double: bool = False, upright_double: bool = False) -> str:
    """Return the box character for a cell whose lines leave in ``directions``."""
    if upright_double:
        return _DOUBLE[directions]
    if across_double:
        return _MERGE.get(directions) or _SINGLE[directions]
    return _SINGLE[directions]


@dataclass(frozen=True, slots=True)
class Rect:
    """The cells of a node's label: ``width`` from ``x`` in row ``y``."""

    x: int
    y: int
    width: int


@dataclass(frozen=True, slots=True)
class EdgePath:
    """How one edge runs: its corners, from the left end to the right end as drawn.

    ``backward`` edges lead from the right end to the left one; an edge from a node to itself has no corners.
    """

    start: str
    end: str
    backward: bool
    corners: tuple[tuple[int, int], ...]

    def cells(self) -> Iterator[tuple[int, int, int]]:
        """Give every cell of the edge with the directions in which it leaves the cell."""
        corners = self.corners
        toward = WEST
        for (x, y), (to_x, to_y) in pairwise(corners):
            step_x, step_y = _sign(to_x - x), _sign(to_y - y)
            while (x, y) != (to_x, to_y):
                yield x, y, toward | _direction(step_x, step_y)
                toward = _direction(-step_x, -step_y)
                x, y = x + step_x, y + step_y
        if corners:
            yield (*corners[-1], toward | (NORTH if self.backward else 0))


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _direction(step_x: int, step_y: int) -> int:
    if step_x:
        return EAST if step_x > 0 else WEST
    return SOUTH if step_y > 0 else NORTH


@dataclass(frozen=True)
class Canvas:
    """The drawing. Columns count terminal cells from 0, rows from 0; lines carry no blanks at their end.

    Single lines lead from a node to all that it includes; where lines to one node meet they become a double line,
    which only leads on to that node. Where lines cross, the upright one is drawn through.
    """

    lines: tuple[str, ...]
    width: int
    nodes: Mapping[str, Rect]
    edges: tuple[EdgePath, ...]
    _index: dict[str, tuple[int, ...]] = field(default_factory=dict, compare=False)
    _cells: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict, compare=False)
    _upright: dict[int, frozenset[int]] = field(default_factory=dict, compare=False)

    @property
    def height(self) -> int:
        """The number of lines."""
        return len(self.lines)

    def edges_of(self, name: str) -> tuple[int, ...]:
        """Return the numbers of the edges that start or end at the node ``name``."""
        if not self._index:
            for number, edge in enumerate(self.edges):
                for end in {edge.start, edge.end}:
                    self._index[end] = (*self._index.get(end, ()), number)
        return self._index.get(name, ())

    def edges_at(self, x: int, y: int) -> tuple[int, ...]:
        """Return the numbers of the edges that run through a cell."""
        if not self._cells:
            for number, edge in enumerate(self.edges):
                for cell_x, cell_y, _ in edge.cells():
                    self._cells[cell_x, cell_y] = (*self._cells.get((cell_x, cell_y), ()), number)
        return self._cells.get((x, y), ())

    def node_at(self, x: int, y: int) -> str | None:
        """Return the node whose label covers a cell."""
        found = (name for name, r in self.nodes.items() if r.y == y and r.x <= x < r.x + r.width)
        return next(found, None)

    def highlight(self, numbers: tuple[int, ...]) -> frozenset[tuple[int, int]]:
        """Return the cells whose line belongs to one of the given edges, and not to another that crosses there."""
        directions: dict[tuple[int, int], int] = {}
        for number in numbers:
            for x, y, toward in self.edges[number].cells():
                directions[x, y] = directions.get((x, y), 0) | toward
        return frozenset(at for at, toward in directions.items() if toward & UPRIGHT or not self._drawn_through(*at))

    def _drawn_through(self, x: int, y: int) -> bool:
        if y not in self._upright:
            self._upright[y] = frozenset(_upright_cells(self.lines[y]))
        return x in self._upright[y]


def _upright_cells(line: str) -> Iterator[int]:
    x = 0
    for char in line:
        if char in _UPRIGHT_CHARS:
            yield x
        x += cell_width(char)
