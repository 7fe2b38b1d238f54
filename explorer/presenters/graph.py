"""The include graph in colour, and its cycles as a page: one include under the other, with the proposed cut."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from core.text import display
from explorer.messages import OpenPlace
from explorer.presenters import marks
from explorer.presenters.page import Page
from explorer.presenters.places import place_text

if TYPE_CHECKING:
    from core.resolve.views import GraphEdge, GraphNode, IncludeGraph

REACHES = ("and its neighbours", "and two steps around it", "and all above and below it")
SourceLine = Callable[[str, int], str]


def node_style(node: GraphNode) -> str:
    """Return how a node's name looks; ghosts and what does not resolve have words of their own besides."""
    if node.ghost:
        return "italic $error"
    return {"unresolved": "$error", "partial": "$warning"}.get(node.status, "bold $foreground")


def canvas_row(
    line: str,
    nodes: list[tuple[int, int, str]],
    lit: Mapping[int, str],
    wrong: frozenset[int],
    cursor: tuple[int, int] | None,
) -> Content:
    """Return one line of the drawing.

    ``nodes`` are cells and styles of names, ``lit`` the cells of the selected node's edges with the characters
    that show those edges alone, ``wrong`` the cells of edges in cycles, ``cursor`` the cells of the selected name.
    """
    chars = _cells(line)
    for cell, char in lit.items():
        if cell < len(chars) and chars[cell]:
            chars[cell] = char
    spans = [(cell, cell + 1, "$error") for cell in wrong]
    spans += [(cell, cell + 1, "bold $accent" if cell not in wrong else "bold $error") for cell in lit]
    spans += nodes
    content = Content("".join(chars)).stylize_before("$muted")
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


def heading(graph: IncludeGraph, name: str | None, reach: int, drawn: str) -> Content:
    """Return what is shown: around which skill, how far, how many, and how many cycles there are."""
    parts = [Content("the whole workspace")]
    if name:
        parts = [marks.text(name, "bold", 80), Content.styled(REACHES[reach], marks.MUTED)]
    parts.append(Content.styled(marks.plural(len(graph.nodes), "skill"), marks.MUTED))
    ghosts = sum(node.ghost for node in graph.nodes)
    if ghosts:
        parts.append(Content.styled(f"? {ghosts} not defined", "$error"))
    if graph.cycle_count or graph.cycles:
        parts.append(Content.styled(f"↺ {marks.plural(max(graph.cycle_count, len(graph.cycles)), 'cycle')}", "$error"))
    if drawn:
        parts.append(marks.text(drawn, "$warning"))
    return Content.assemble(" ", Content("  ").join(parts))


def cycles_page(graph: IncludeGraph, source_line: SourceLine, width: int) -> Page:
    """Return the cycles, each include with its place and the text that stands there; enter opens the place."""
    page = Page(width)
    edges = {(edge.start, edge.end): edge for edge in graph.edges}
    for at, cycle in enumerate(graph.cycles, 1):
        _cycle(page, graph, edges, cycle, at, source_line)
    if graph.cycle_count > len(graph.cycles):
        page.blank()
        page.paragraph(f"and {graph.cycle_count - len(graph.cycles):,} more cycles", marks.MUTED)
    return page


def _cycle(
    page: Page,
    graph: IncludeGraph,
    edges: Mapping[tuple[str, str], GraphEdge],
    cycle: tuple[str, ...],
    at: int,
    source_line: SourceLine,
) -> None:
    page.blank()
    said = f"{len(cycle)} skills include each other" if len(cycle) > 1 else "a skill includes itself"
    page.paragraph(f"↺ cycle {at} of {len(graph.cycles)}: {said}, so none of them resolves", "bold $error")
    for start, end in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
        edge = edges.get((start, end))
        if edge is None:
            continue
        cut = graph.suggested_cut == (start, end)
        arrow = Content.assemble(marks.text(start, limit=60), (" ▸ ", marks.MUTED), marks.text(end, limit=60))
        where = place_text(edge.place.path, edge.place.line)
        page.link(arrow, where, OpenPlace(edge.place.path, edge.place.line, edge.place.column), indent=2)
        text = display(source_line(edge.place.path, edge.place.line).strip(), 120)
        if text:
            page.paragraph(text, marks.MUTED, indent=5)
        if cut:
            page.paragraph(f"← cut here{_after(graph)}", "$accent", indent=5)


def _after(graph: IncludeGraph) -> str:
    if graph.cut_resolves is None:
        return ""
    return f": then {marks.plural(graph.cut_resolves, 'skill')} would resolve"
