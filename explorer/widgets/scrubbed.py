"""Editors of untrusted text: what is edited stays as it is, what is drawn hides no character and lets none control."""

from __future__ import annotations

from textual.strip import Strip
from textual.widgets import Input, TextArea

from explorer.services.scrub import scrub


class SafeInput(Input):
    """One line."""

    def render_line(self, y: int) -> Strip:
        """Draw the line with such characters in sight, one cell each."""
        return scrubbed(super().render_line(y))


class SafeTextArea(TextArea):
    """Many lines."""

    def render_line(self, y: int) -> Strip:
        """Draw a line with such characters in sight, one cell each."""
        return scrubbed(super().render_line(y))


def scrubbed(strip: Strip) -> Strip:
    """Return ``strip`` in the same width, safe for a terminal."""
    segments = list(strip)
    clean = scrub(segments)
    return strip if clean is segments else Strip(clean).adjust_cell_length(strip.cell_length)
