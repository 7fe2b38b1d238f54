"""The second net: no line leaves for the terminal with a control character in it, whoever drew it."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from core.text import rewrite_unsafe, safe_text


class ScrubFilter(LineFilter):
    """Shows what ``safe_text`` would show, each in one cell, so that the layout holds."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return ``segments``, untouched where they are clean."""
        return scrub(segments)


def scrub(segments: list[Segment]) -> list[Segment]:
    """Return ``segments`` with each unsafe character shown in one cell; the same list where all are clean."""
    if all(segment.control is not None or _clean(segment.text) for segment in segments):
        return segments
    return [s if s.control is not None else Segment(_scrubbed(s.text), s.style) for s in segments]


def _clean(text: str) -> bool:
    return "\n" not in text and "\t" not in text and safe_text(text) is text


def _scrubbed(text: str) -> str:
    return rewrite_unsafe(text, _one_cell).replace("\n", " ").replace("\t", " ")


def _one_cell(characters: str) -> str:
    """One cell for a character; none for the rest of a pile of combining marks, which takes none as it is."""
    shown = safe_text(characters[0])
    if shown == characters[0]:
        return ""
    return shown if len(shown) == 1 else "\ufffd"
