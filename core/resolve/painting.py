"""Lines and labels put on a grid of cells, once columns, rows and tracks are known."""

from __future__ import annotations

from collections.abc import Sequence

from core.resolve.canvas import (
    ACROSS,
    BACKWARD,
    EAST,
    FORWARD,
    NORTH,
    SOUTH,
    UPRIGHT,
    WEST,
    Canvas,
    EdgePath,
    Rect,
    glyph,
)
from core.resolve.channels import Channel
from core.resolve.layers import Edge, Layered, TooLarge
from core.resolve.width import cell_width, text_width

MOST_CELLS = 20_000_000
_CROSSED, _DOUBLE_ACROSS, _DOUBLE_UPRIGHT = 16, 32, 64


def _char(cell: int) -> str:
    directions = cell & UPRIGHT if cell & _CROSSED else cell & 15
    double = bool(cell & _DOUBLE_ACROSS) and not cell & _CROSSED
    return glyph(directions, across_double=double, upright_double=bool(cell & _DOUBLE_UPRIGHT))


_CHARS = [_char(cell) for cell in range(128)]


class Painter:
    """Paints one drawing; columns are numbered from the left, a channel has the number of the column at its left."""

    def __init__(self, found: Layered, rows: Sequence[int], channels: Sequence[Channel], labels: Sequence[str]) -> None:
        self._found = found
        self._rows = rows
        self._channels = channels
        self._labels = labels
        self._widths = [text_width(label) for label in labels]
        self._column_x: list[int] = []
        self._channel_x: list[int] = []
        self._width = self._measure()
        height = max(rows, default=-1) + 1
        if self._width * height > MOST_CELLS:
            raise TooLarge
        self._grid = [bytearray(self._width) for _ in range(height)]
        self._text: dict[tuple[int, int], str] = {}
        self._trunks = {
            source: self._channel_x[at] + 1 + track
            for at, channel in enumerate(channels)
            for source, track in channel.track.items()
        }
        self._is_bus = bytearray(len(found.layer))

    def paint(self, names: Sequence[str], edges: Sequence[Edge]) -> Canvas:
        """Return the drawing; ``names`` are the nodes', ``edges`` pairs of their numbers."""
        for at, segments in enumerate(self._found.segments):
            self._paint_lanes(at)
            self._paint_channel(at, segments)
        for port, owner in self._found.port_of.items():
            self._paint_port(port, owner)
        for node in range(len(names)):
            self._text[self._x_of(node), self._rows[node]] = self._labels[node]
        places = {name: Rect(self._x_of(at), self._rows[at], self._widths[at]) for at, name in enumerate(names)}
        paths = tuple(self._path(names, edge) for edge in edges)
        return Canvas(tuple(self._lines()), self._width, places, paths)

    def _measure(self) -> int:
        x = 0
        for at, column in enumerate(self._found.columns):
            self._column_x.append(x)
            x += max((self._widths[node] for node in column if node < self._found.count), default=1)
            self._channel_x.append(x)
            last = at == len(self._found.columns) - 1
            x += 0 if last else self._channels[at].width + 3
        return x

    def _x_of(self, node: int) -> int:
        return self._column_x[self._found.layer[node]]

    def _arrow_x(self, target: int) -> int:
        return self._x_of(target) - 1

    def _line_start(self, source: int) -> int:
        """Return the first cell of the line that leaves ``source`` to the right."""
        start = self._x_of(source)
        return start + self._widths[source] if source < self._found.count else start

    def _paint_lanes(self, at: int) -> None:
        for node in self._found.columns[at]:
            if node in self._found.target:
                self._across(self._rows[node], self._column_x[at], self._channel_x[at], bool(self._is_bus[node]))

    def _paint_channel(self, at: int, segments: dict[int, list[int]]) -> None:
        incoming: dict[int, list[int]] = {}
        for source, targets in segments.items():
            for target in targets:
                incoming.setdefault(target, []).append(source)
            self._paint_trunk(source, targets)
        for source in segments:
            trunk = self._trunks.get(source)
            if trunk is not None:
                self._across(self._rows[source], self._line_start(source), trunk, bool(self._is_bus[source]))
        for target, sources in incoming.items():
            self._paint_entry(at, target, sources)

    def _paint_trunk(self, source: int, targets: Sequence[int]) -> None:
        x = self._trunks.get(source)
        if x is None:
            return
        reached = [self._rows[target] for target in targets]
        own = self._rows[source]
        low, high = min(own, *reached), max(own, *reached)
        double = _DOUBLE_UPRIGHT if self._is_bus[source] else 0
        grid = self._grid
        grid[low][x] |= double | SOUTH
        grid[high][x] |= double | NORTH
        for y in range(low + 1, high):
            grid[y][x] |= double | UPRIGHT
        self._grid[own][x] |= WEST
        for y in reached:
            self._grid[y][x] |= EAST

    def _paint_entry(self, at: int, target: int, sources: Sequence[int]) -> None:
        """Paint the line into ``target`` from where the first source joins it; after a second one it is double."""
        joins = sorted((self._entry_x(source), source) for source in sources)
        x, first = joins[0]
        double = bool(self._is_bus[first])
        row = self._grid[self._rows[target]]
        start = x if self._trunks.get(first) is None else x + 1
        for join, _ in joins[1:]:
            self._across(self._rows[target], start, join, double)
            row[join] |= ACROSS | _DOUBLE_ACROSS
            double, start = True, join + 1
        self._across(self._rows[target], start, self._arrow_x(target) + 1, double)
        self._is_bus[target] = double and target >= self._found.count
        if target not in self._found.target:
            self._text[self._arrow_x(target), self._rows[target]] = (
                BACKWARD if target in self._found.port_of else FORWARD
            )

    def _entry_x(self, source: int) -> int:
        trunk = self._trunks.get(source)
        return self._line_start(source) if trunk is None else trunk

    def _across(self, y: int, start: int, end: int, double: bool) -> None:
        """Paint a line along row ``y`` up to ``end`` (exclusive); trunks in its way are crossed."""
        row = self._grid[y]
        line = ACROSS | (_DOUBLE_ACROSS if double else 0)
        for x in range(start, end):
            row[x] |= _CROSSED if row[x] & UPRIGHT else line

    def _paint_port(self, port: int, owner: int) -> None:
        x, top, bottom = self._x_of(owner), self._rows[owner] + 1, self._rows[port]
        double = _DOUBLE_UPRIGHT if self._is_bus[port] else 0
        for y in range(top, bottom):
            self._grid[y][x] |= UPRIGHT | double
        self._grid[bottom][x] = NORTH | WEST | double

    def _path(self, names: Sequence[str], edge: Edge) -> EdgePath:
        start, end = names[edge[0]], names[edge[1]]
        if edge not in self._found.drawn:
            return EdgePath(start, end, False, ())
        source, target = self._found.drawn[edge]
        at = source
        corners = [(self._line_start(source), self._rows[source])]
        while at != target:
            onward = self._found.onward(at, target)
            trunk = self._trunks.get(at)
            if trunk is not None:
                corners += [(trunk, self._rows[at]), (trunk, self._rows[onward])]
            at = onward
        corners.append((self._arrow_x(target), self._rows[target]))
        owner = self._found.port_of.get(target)
        if owner is not None:
            corners += [(self._x_of(owner), self._rows[target]), (self._x_of(owner), self._rows[owner] + 1)]
        return EdgePath(start, end, owner is not None, tuple(corners))

    def _lines(self) -> list[str]:
        by_row: dict[int, list[tuple[int, str]]] = {}
        for (x, y), text in self._text.items():
            by_row.setdefault(y, []).append((x, text))
        lines = []
        for y, row in enumerate(self._grid):
            cells = [_CHARS[cell] for cell in row]
            for x, text in by_row.get(y, ()):
                _write(cells, x, text)
            lines.append("".join(cells).rstrip())
        return lines


def _write(cells: list[str], x: int, text: str) -> None:
    """Put ``text`` over the cells from ``x``; a wide character takes its second cell away."""
    for char in text:
        width = cell_width(char)
        if not width:
            cells[x - 1] += char
            continue
        cells[x] = char
        if width == 2:
            cells[x + 1] = ""
        x += width
