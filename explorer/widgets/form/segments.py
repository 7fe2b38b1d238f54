"""Values side by side on one line: all of them where they fit, else the one in force and how many there are."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from core.text import plural
from explorer.presenters import marks

GAP = 2
_LEAST = 4


@dataclass(frozen=True, slots=True)
class Segment:
    """One value: its words, and whether it stands for no value at all."""

    label: str
    quiet: bool = False


def line_of(
    segments: list[Segment], at: int, width: int, *, focused: bool
) -> tuple[Content, list[tuple[int, int, int]]]:
    """Return the line, and from which to which cell each value stands."""
    if len(segments) * _LEAST > width:
        return _one(segments, at, focused), []
    parts = [_segment(segment, index == at, focused) for index, segment in enumerate(segments)]
    total = sum(part.cell_length for part in parts) + GAP * (len(parts) - 1)
    if total > width:
        return _one(segments, at, focused), []
    places, x = [], 0
    for index, part in enumerate(parts):
        places.append((x, x + part.cell_length, index))
        x += part.cell_length + GAP
    return Content(" " * GAP).join(parts), places


def _segment(segment: Segment, chosen: bool, focused: bool) -> Content:
    mark = "● " if chosen else "○ "
    style = "bold" if chosen else marks.MUTED
    if chosen and focused:
        style = "bold $accent"
    return Content.assemble((mark, style), marks.text(segment.label, style, 60))


def _one(segments: list[Segment], at: int, focused: bool) -> Content:
    chosen = segments[at] if 0 <= at < len(segments) else Segment("choose", quiet=True)
    style = "bold $accent" if focused else marks.MUTED if chosen.quiet else "bold"
    count = f"  ▾ {plural(len(segments), 'value')}"
    return Content.assemble(marks.text(chosen.label, style, 60), (count, marks.MUTED))
