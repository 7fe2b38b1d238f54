"""The cycles of an include graph as a page: one include under the other, and what removing one would do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.content import Content

from core.text import display, plural
from explorer.messages import OpenPlace
from explorer.presenters import marks
from explorer.presenters.layout import fit, wrap
from explorer.presenters.page import Line, Page
from explorer.presenters.places import place_text

if TYPE_CHECKING:
    from core.resolve.views import GraphEdge, IncludeGraph

SourceLine = Callable[[str, int], str]
Pair = tuple[str, str]
Edges = dict[Pair, "GraphEdge"]
_INDENT, _GAP = 3, 2
_MOST_SOURCE = 120


def cycles_page(graph: IncludeGraph, source_line: SourceLine, width: int) -> Page:
    """Return the cycles, each include with its place and the text that stands there; enter opens the place.

    The cycle with the proposed cut comes first, and begins with it: there the cursor starts.
    """
    page = Page(width)
    edges = {(edge.start, edge.end): edge for edge in graph.edges}
    cut = graph.suggested_cut
    ordered = sorted((_begun(_pairs(cycle), cut) for cycle in graph.cycles), key=lambda pairs: pairs[0] != cut)
    for at, pairs in enumerate(ordered, 1):
        page.blank()
        said = f"{len(pairs)} skills include each other" if len(pairs) > 1 else "a skill includes itself"
        page.paragraph(f"{marks.CYCLE} cycle {at} of {len(ordered)}: {said}, so none of them resolves", "bold $error")
        _includes(page, graph, [edges[pair] for pair in pairs if pair in edges], source_line)
    if graph.cycle_count > len(ordered):
        page.blank()
        page.paragraph(f"and {plural(graph.cycle_count - len(ordered), 'more cycle')}", marks.MUTED)
    return page


def _pairs(cycle: tuple[str, ...]) -> list[Pair]:
    return list(zip(cycle, (*cycle[1:], cycle[0]), strict=True))


def _begun(pairs: list[Pair], first: Pair | None) -> list[Pair]:
    """Return the includes of a cycle from ``first`` on, where that is one of them."""
    at = pairs.index(first) if first in pairs else 0
    return [*pairs[at:], *pairs[:at]]


def _includes(page: Page, graph: IncludeGraph, edges: list[GraphEdge], source_line: SourceLine) -> None:
    """Add a row for each include: in columns where they fit, else names above place and text."""
    names = [marks.text(edge.start, limit=60) for edge in edges]
    places = [place_text(edge.place.path, edge.place.line) for edge in edges]
    texts = [display(source_line(edge.place.path, edge.place.line).strip(), _MOST_SOURCE) for edge in edges]
    columns = [max(part.cell_length for part in column) + _GAP for column in (names, places)] if edges else [0, 0]
    longest = max((Content(text).cell_length for text in texts), default=0)
    wide = _INDENT + sum(columns) + longest < page.width
    for edge, name, place, text in zip(edges, names, places, texts, strict=True):
        leads_to = OpenPlace(edge.place.path, edge.place.line, edge.place.column)
        muted = place.stylize_before(marks.MUTED)
        if wide:
            row = Content.assemble(fit(name.stylize_before(marks.ACCENT), columns[0]), fit(muted, columns[1]), text)
            page.lines.append(Line(Content.assemble(" " * _INDENT, row), leads_to))
        else:
            arrow = Content.assemble(name, (" ▸ ", marks.MUTED), marks.text(edge.end, limit=60))
            page.link(arrow, Content(""), leads_to, _INDENT)
            row = Content.assemble(" " * (_INDENT + 2), muted, " " * _GAP, text)
            page.lines.append(Line(row.truncate(page.width, ellipsis=True)))
        if graph.suggested_cut == (edge.start, edge.end):
            _cut(page, graph, _INDENT + (columns[0] if wide else 2))


def _cut(page: Page, graph: IncludeGraph, indent: int) -> None:
    """Say what removing the include above does: which cycles it breaks, which skills resolve then."""
    broken = sum(graph.suggested_cut in _pairs(cycle) for cycle in graph.cycles)
    says = [
        "← cut here" if broken == len(graph.cycles) else f"← cut here, which breaks {broken} of {len(graph.cycles)}"
    ]
    if graph.cut_resolves:
        names = [display(name, 60) for name in graph.cut_frees]
        more = f" and {graph.cut_resolves - len(names):,} more" if graph.cut_resolves > len(names) else ""
        freed = f" ({', '.join(names)}{more})" if names else ""
        says.append(f"then {plural(graph.cut_resolves, 'skill')} would resolve{freed}")
    for line in wrap(Content.styled(": ".join(says), marks.ACCENT), page.width - indent - 1, indent=2):
        page.lines.append(Line(Content.assemble(" " * indent, line)))
