"""The rows of a left-to-right drawing: each column keeps its order, and nodes come close to their neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from core.resolve.layers import LARGE, Layered

PASSES, PASSES_OF_LARGE = 6, 4


def place_rows(found: Layered, gap: int) -> list[int]:
    """Return the row of each node, lane and port, from 0; in a column they are at least ``gap`` apart."""
    neighbours: list[list[int]] = [[] for _ in found.layer]
    for segments in found.segments:
        for source, targets in segments.items():
            for target in targets:
                neighbours[source].append(target)
                neighbours[target].append(source)
    row = [0.0] * len(found.layer)
    for column in found.columns:
        for at, node in enumerate(column):
            row[node] = float(at * gap)
    columns = found.columns
    for turn in range(PASSES if len(row) <= LARGE else PASSES_OF_LARGE):
        for column in columns if turn % 2 == 0 else reversed(columns):
            wanted = [_middle(neighbours[node], row, row[node]) for node in column]
            for node, value in zip(column, _apart(wanted, gap), strict=True):
                row[node] = value
    return _whole(columns, row, gap)


def _middle(nodes: Sequence[int], row: Sequence[float], own: float) -> float:
    if not nodes:
        return own
    rows = sorted(row[node] for node in nodes)
    half = len(rows) // 2
    return rows[half] if len(rows) % 2 else (rows[half - 1] + rows[half]) / 2


def _apart(wanted: Sequence[float], gap: int) -> list[float]:
    """Return the rows nearest to ``wanted`` (least squares) that keep the order and are ``gap`` apart."""
    sums: list[float] = []
    sizes: list[int] = []
    for at, value in enumerate(wanted):
        total, size = value - at * gap, 1
        while sums and sums[-1] * size > total * sizes[-1]:
            total += sums.pop()
            size += sizes.pop()
        sums.append(total)
        sizes.append(size)
    means = [total / size for total, size in zip(sums, sizes, strict=True) for _ in range(size)]
    return [mean + at * gap for at, mean in enumerate(means)]


def _whole(columns: Sequence[Sequence[int]], row: Sequence[float], gap: int) -> list[int]:
    least = min(row, default=0.0)
    rows = [0] * len(row)
    for column in columns:
        free = 0
        for node in column:
            near = round((row[node] - least) / gap) * gap
            rows[node] = max(free, near)
            free = rows[node] + gap
    top = min(rows, default=0)
    return [value - top for value in rows]
