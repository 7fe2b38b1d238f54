"""The include graph drawn from left to right: who includes stands left of what it includes (design: screens).

Pure: the same graph gives the same drawing. 1,000 nodes take well under half a second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.resolve.canvas import Canvas
from core.resolve.channels import Channel, route
from core.resolve.layers import Layered, TooLarge, layered
from core.resolve.painting import Painter
from core.resolve.placing import place_rows
from core.resolve.views import GraphNode, IncludeGraph
from core.resolve.width import cut
from core.text import display

__all__ = ["Canvas", "TooLarge", "draw", "label_of"]

MOST_LABEL = 40
_COMPACT_UP_TO = 400


def label_of(node: GraphNode) -> str:
    """Return the label of a node: its name, with a question mark where no file defines it."""
    name = display(node.name, 200)
    return f"{name} ?" if node.ghost else name


def draw(graph: IncludeGraph, label: Callable[[GraphNode], str] = label_of, most_label: int = MOST_LABEL) -> Canvas:
    """Return the drawing of ``graph``; labels are cut at ``most_label`` cells.

    A cycle is broken for the drawing: the edge that leads back comes out below its start with a ``◂``. The nodes of
    a cycle, those that include themselves too, are marked ``↺``.

    Raises:
        TooLarge: the drawing would have more than 40,000 nodes and lanes, or 20 million cells.
    """
    number = {node.name: at for at, node in enumerate(graph.nodes)}
    edges = list(dict.fromkeys((number[e.start], number[e.end]) for e in graph.edges))
    ring = {start for start, end in edges if start == end}
    ring.update(number[name] for e in graph.edges if e.in_cycle for name in (e.start, e.end))
    labels = [
        cut(label(node), most_label - 2 * (at in ring)) + (" ↺" if at in ring else "")
        for at, node in enumerate(graph.nodes)
    ]
    found = layered(len(labels), edges)
    rows, channels = _placed(found)
    return Painter(found, rows, channels, labels).paint([node.name for node in graph.nodes], edges)


def _placed(found: Layered) -> tuple[list[int], list[Channel]]:
    """Return rows and tracks: close together if the lines allow it, else with blank rows between, shifted as needed."""
    if len(found.layer) <= _COMPACT_UP_TO:
        rows = place_rows(found, 1)
        channels = [route(segments, rows) for segments in found.segments]
        whole = [channel for channel in channels if channel is not None]
        if len(whole) == len(channels):
            return rows, whole
    rows = place_rows(found, 2)
    whole, shift = [], 0
    for at, segments in enumerate(found.segments):
        right = found.columns[at + 1] if at + 1 < len(found.columns) else []
        _move(right, rows, shift)
        channel = route(segments, rows)
        if channel is None:
            _move(right, rows, 1 - 2 * shift)
            shift = 1 - shift
            channel = route(segments, rows)
        assert channel is not None
        whole.append(channel)
    return rows, whole


def _move(column: Sequence[int], rows: list[int], by: int) -> None:
    """Move a column between even and odd rows: lines to the one kind never share a row with lines from the other."""
    for node in column:
        rows[node] += by
