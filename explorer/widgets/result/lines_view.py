"""Lines of text with a cursor: a log, a diff, an output as text."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.strip import Strip

from core.text import plural
from explorer.presenters import marks
from explorer.widgets.row_list import RowList, to_strip

MOST_LINES = 200_000
MOST_HITS = 10_000


class LinesView(RowList):
    """Shows lines that are already wrapped and safe; lines may still be added."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._lines: list[Content | str] = []
        self._strips: list[Strip] | None = None
        self._hits: list[int] = []
        self._hit = -1
        self._empty = ""

    def show(self, lines: Sequence[Content | str], *, empty: str = "") -> None:
        """Show other lines, from the first one; a ``str`` must be safe already. ``empty`` says that there are none."""
        self._strips, self._empty = None, empty
        self._lines = list(lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            self._lines.append(f"… {plural(len(lines) - MOST_LINES, 'more line')}; save the output to read them")
        self._start()

    def complete(self, lines: list[str]) -> None:
        """Put ``lines`` in the place of those that began with them; cursor and scroll stay."""
        cursor, scroll = self.cursor, self.scroll_offset
        self.show(lines)
        self.set_reactive(LinesView.cursor, self.validate_cursor(cursor))
        self.scroll_to(y=scroll.y, animate=False)

    def show_strips(self, strips: list[Strip]) -> None:
        """Show lines that were drawn elsewhere."""
        self._lines, self._strips = [strip.text for strip in strips], strips
        self._start()

    def _start(self) -> None:
        self._hits, self._hit = [], -1
        self.set_reactive(LinesView.cursor, 0)
        self.scroll_home(animate=False)
        self.rows_changed()

    def add(self, lines: Sequence[Content | str]) -> None:
        """Add lines at the end; who looks at the end keeps looking at it."""
        at_end = self.cursor >= len(self._lines) - 1
        self._lines.extend(lines)
        del self._lines[:-MOST_LINES]
        self.rows_changed()
        if at_end:
            self.cursor = len(self._lines) - 1
            self.scroll_to_cursor()

    def row_count(self) -> int:
        """Return the number of lines."""
        return len(self._lines) or bool(self._empty)

    def selectable(self, index: int) -> bool:
        """There is nothing to select where there are no lines."""
        return bool(self._lines)

    def row(self, index: int, width: int) -> Content:  # lines are wrapped already
        """Return a line."""
        if not self._lines:
            return Content.styled(f" {self._empty}", marks.MUTED)
        line = self._lines[index]
        return Content.assemble(" ", Content(line) if isinstance(line, str) else line)

    def render_line(self, y: int) -> Strip:
        """Draw one line, from what was drawn elsewhere while that is shown."""
        index = self.scroll_offset.y + y
        if self._strips is None or index >= len(self._strips):
            return super().render_line(y)
        width, style = self.scrollable_content_region.width, self.row_style(index, self.visual_style)
        line = Strip([*to_strip(self.mark(index), style, 1), *self._strips[index].apply_style(style.rich_style)])
        return line.adjust_cell_length(width, style.rich_style)

    def can_open(self) -> bool:
        """Lines lead nowhere."""
        return False

    def selected(self) -> str:
        """Return the line at the cursor."""
        return _plain(self._lines[self.cursor]) if self._lines else ""

    def everything(self) -> str:
        """Return all lines."""
        return "\n".join(_plain(line) for line in self._lines)

    def find(self, text: str) -> int:
        """Look for ``text``; return the number of lines that have it and go to the first."""
        wanted = text.casefold()
        found = (at for at, line in enumerate(self._lines) if wanted and wanted in _plain(line).casefold())
        self._hits = [at for at, _ in zip(found, range(MOST_HITS), strict=False)]
        self._hit = -1
        self.step(1)
        return len(self._hits)

    def step(self, step: int) -> int:
        """Go to the next or previous hit; return its number from 1, 0 when there is none."""
        if not self._hits:
            return 0
        self._hit = (self._hit + step) % len(self._hits)
        self.cursor = self._hits[self._hit]
        return self._hit + 1


def _plain(line: Content | str) -> str:
    return line if isinstance(line, str) else line.plain
