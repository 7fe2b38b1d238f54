"""Two outputs compared, drawn for the width there is now."""

from __future__ import annotations

from textual import events
from textual.content import Content

from explorer.presenters import marks
from explorer.presenters.diffs import compared_lines
from explorer.services.compare import Pair
from explorer.widgets.result.lines_view import LinesView


class ComparedView(LinesView):
    """Draws its lines anew when it gets another width, and not before it has one."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._head = Content("")
        self._pairs: list[Pair] | None = None
        self._drawn = 0

    def wait(self) -> None:
        """Say that the outputs are being compared."""
        self._pairs = None
        self.show([Content.styled("Comparing…", marks.MUTED)])

    def compare(self, head: Content, pairs: list[Pair]) -> None:
        """Show ``pairs`` under ``head``."""
        self._head, self._pairs, self._drawn = head, pairs, 0
        self._draw()

    def on_resize(self, _event: events.Resize) -> None:
        """Divide the width anew."""
        self._draw()

    def _draw(self) -> None:
        width = self.size.width - self.styles.scrollbar_size_vertical - 2
        if self._pairs is not None and 0 < width != self._drawn:
            self._drawn = width
            self.show([self._head, *compared_lines(self._pairs, width)])
