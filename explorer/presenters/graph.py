"""The include graph in colour, and the line above it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

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
    nodes: list[tuple[int, int, str]],
    lit: frozenset[int],
    wrong: frozenset[int],
    cursor: tuple[int, int] | None,
) -> Content:
    """Return one line of the drawing.

    ``nodes`` are cells and styles of names, ``lit`` the cells of the selected node's edges, ``wrong`` those of edges
    in cycles, ``cursor`` those of the selected name. The characters are always those of the drawing.
    """
    chars = _cells(line)
    spans = [(cell, cell + 1, "$error") for cell in wrong]
    spans += [(cell, cell + 1, "bold $accent" if cell not in wrong else "bold $error") for cell in lit]
    spans += nodes
    content = Content(line).stylize_before("$muted")
    place = _positions(chars)
    for start, end, style in spans:
        content = content.stylize(style, place(start), place(end))
    if cursor is not None:
        content = content.stylize("reverse", place(cursor[0]), place(cursor[1]))
    return content


def _cells(line: str) -> list[str]:
    """One entry a cell; the second cell of a wide character is empty."""
    if line.isascii():
        return list(line)
    found: list[str] = []
    for char in line:
        found.append(char)
        found.extend([""] * (cell_len(char) - 1))
    return found


def _positions(chars: list[str]) -> Callable[[int], int]:
    if all(chars):
        return lambda cell: cell
    offsets, at = [], 0
    for char in chars:
        offsets.append(at)
        at += len(char)
    return lambda cell: offsets[cell] if cell < len(offsets) else at


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
