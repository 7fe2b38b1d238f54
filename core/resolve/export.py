"""The include graph as text for terminals and files, as Mermaid and as DOT; names can't break out of their quotes."""

from __future__ import annotations

from collections.abc import Iterator

from core.resolve.cycles import trail
from core.resolve.layout import TooLarge, draw, label_of
from core.resolve.views import IncludeGraph
from core.text import display, plural

MOST_CYCLES_SHOWN = 20


def to_text(graph: IncludeGraph) -> str:
    """Return the drawing with a list of the cycles below it; a graph too large to draw is listed line by line."""
    try:
        lines = list(draw(graph).lines)
    except TooLarge:
        lines = list(_listing(graph))
    lines.extend(_cycles(graph))
    return "".join(f"{line}\n" for line in lines)


def _listing(graph: IncludeGraph) -> Iterator[str]:
    included: dict[str, list[str]] = {}
    for edge in graph.edges:
        mark = " ↺" if edge.in_cycle else ""
        included.setdefault(edge.start, []).append(display(edge.end, 200) + mark)
    for node in graph.nodes:
        below = included.get(node.name)
        yield f"{label_of(node)} ▸ {', '.join(below)}" if below else label_of(node)


def _cycles(graph: IncludeGraph) -> Iterator[str]:
    if not graph.cycles:
        return
    yield ""
    for cycle in graph.cycles[:MOST_CYCLES_SHOWN]:
        yield f"↺ {trail([display(name, 200) for name in cycle])}"
    more = graph.cycle_count - min(len(graph.cycles), MOST_CYCLES_SHOWN)
    if more > 0:
        yield f"… {plural(more, 'more cycle')}"
    if graph.suggested_cut is not None:
        start, end = (display(name, 200) for name in graph.suggested_cut)
        yield f"cut: remove the include of {end} by {start}"


def to_mermaid(graph: IncludeGraph) -> str:
    """Return a Mermaid flowchart; edges on a cycle are thick, skills that no file defines dashed."""
    at = {node.name: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = ["flowchart LR"]
    lines += [f'  {at[n.name]}["{_mermaid(label_of(n))}"]{":::ghost" if n.ghost else ""}' for n in graph.nodes]
    lines += [f"  {at[e.start]} {'==>' if e.in_cycle else '-->'} {at[e.end]}" for e in graph.edges]
    lines.append("  classDef ghost stroke-dasharray: 4 3")
    return "".join(f"{line}\n" for line in lines)


def _mermaid(text: str) -> str:
    return "".join(char if char.isalnum() or char in " /_-.?" else f"#{ord(char)};" for char in text)


def to_dot(graph: IncludeGraph) -> str:
    """Return a DOT digraph; edges on a cycle are bold and red, skills that no file defines dashed."""
    lines = ["digraph includes {", "  rankdir=LR;", "  node [shape=box];"]
    for node in graph.nodes:
        style = " [style=dashed]" if node.ghost else ""
        lines.append(f"  {_dot(node.name)}{style};")
    for edge in graph.edges:
        style = " [color=red, style=bold]" if edge.in_cycle else ""
        lines.append(f"  {_dot(edge.start)} -> {_dot(edge.end)}{style};")
    return "".join(f"{line}\n" for line in [*lines, "}"])


def _dot(name: str) -> str:
    escaped = display(name, 200).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
