"""The include graph in colour, and the line above it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import accumulate
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content, Span

from core.text import plural
from explorer.presenters import marks
from explorer.presenters.layout import two_sides

if TYPE_CHECKING:
    from core.resolve.views import GraphNode, IncludeGraph

REACHES = ("and its neighbours", "and two steps around it", "and all above and below it", "in the whole workspace")


def node_style(node: GraphNode) -> str:
    """Return how a node's name looks; ghosts and what does not resolve have words of their own besides."""
    if node.ghost:
        return "italic $error"
    return {"unresolved": "$error", "partial": "$warning"}.get(node.status, "bold $foreground")


def canvas_row(
    line: str,
    part: tuple[int, int],
    nodes: list[tuple[int, int, str]],
    lit: Iterable[int],
    wrong: Collection[int],
    cursor: tuple[int, int] | None,
) -> Content:
    """Return the cells from the first to before the second of ``part`` of one line of the drawing.

    ``nodes`` are cells and styles of names, ``lit`` the cells of the selected node's edges, ``wrong`` those of edges
    in cycles, ``cursor`` those of the selected name. The characters are those of the drawing; half a wide one is blank.
    """
    start, end = part
    cells = _cells(line, start, end)
    inside = [cell for cell in lit if start <= cell < end]
    spans = [(0, end, "$muted")]
    spans += _runs([cell for cell in wrong if start <= cell < end], "$error")
    spans += _runs([cell for cell in inside if cell not in wrong], "bold $accent")
    spans += _runs([cell for cell in inside if cell in wrong], "bold $error")
    spans += nodes
    spans += [(*cursor, "reverse")] if cursor is not None else []
    offsets = list(accumulate(map(len, cells), initial=0))
    placed = ((_within(first - start, cells), _within(last - start, cells), style) for first, last, style in spans)
    found = [Span(offsets[first], offsets[last], style) for first, last, style in placed if first < last]
    return Content("".join(cells), found)


def _within(cell: int, cells: list[str]) -> int:
    return max(0, min(cell, len(cells)))


def _runs(cells: list[int], style: str) -> list[tuple[int, int, str]]:
    """Return the stretches of neighbouring ``cells``, each with its style."""
    runs: list[tuple[int, int, str]] = []
    for cell in sorted(cells):
        if runs and runs[-1][1] == cell:
            runs[-1] = (runs[-1][0], cell + 1, style)
        else:
            runs.append((cell, cell + 1, style))
    return runs


def _cells(line: str, start: int, end: int) -> list[str]:
    """One entry a cell from ``start`` to before ``end``; the second cell of a wide character is empty."""
    if all(cell_len(char) == 1 for char in set(line)):
        return list(line[start:end])
    cells: list[str] = []
    for char in line:
        if width := cell_len(char):
            cells += [char, *[""] * (width - 1)]
        elif cells:
            cells[-1 if cells[-1] else -2] += char
    shown = cells[start:end]
    if shown and not shown[0]:
        shown[0] = " "
    if shown and end < len(cells) and not cells[end]:
        shown[-1] = " "
    return shown


def heading(graph: IncludeGraph, name: str | None, reach: int, note: str, width: int) -> Content:
    """Return what is shown: around which skill, how far, how many, how many cycles; how to read it where that fits."""
    parts = [Content("the whole workspace")]
    if name:
        parts = [marks.text(name, "bold", 80), Content.styled(REACHES[reach], marks.MUTED)]
    parts.append(Content.styled(plural(len(graph.nodes), "skill"), marks.MUTED))
    ghosts = sum(node.ghost for node in graph.nodes)
    if ghosts:
        parts.append(Content.styled(f"? {ghosts} not defined", "$error"))
    if graph.cycle_count or graph.cycles:
        parts.append(Content.styled(f"↺ {plural(max(graph.cycle_count, len(graph.cycles)), 'cycle')}", "$error"))
    elif any(edge.in_cycle for edge in graph.edges):
        parts.append(Content.styled("↺ a longer cycle: reach further", "$error"))
    if note:
        parts.append(marks.text(note, "$warning"))
    said = Content.assemble(" ", Content("  ").join(parts))
    how = Content.styled("  a ▸ b: a includes b ", marks.MUTED)
    return two_sides(said, how, width) if said.cell_length + how.cell_length <= width else said
