"""Overview: a page about the selected thing, whose links the cursor goes from one to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from explorer.messages import Request
from explorer.presenters.page import Line, Page, same_lines
from explorer.widgets.row_list import RowList

PageMaker = Callable[[int], Page]


class Overview(RowList):
    """Shows the page that a function makes for the width there is."""

    HELP = "A page of text. The cursor goes from link to link."
    shows_blurred_cursor = False

    @dataclass
    class Moved(Message):
        """The cursor stands on another link."""

        leads_to: Request | None

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._maker: PageMaker | None = None
        self._lines: list[Line] = []
        self._made_for = -1
        self._at_top = True
        self._measured, self._unmeasured = (0, 0), True

    def show_page(self, maker: PageMaker, *, keep_place: bool = False) -> None:
        """Show another page; ``keep_place`` leaves cursor and scroll where they are."""
        self._maker, self._at_top, self._made_for = maker, self._at_top or not keep_place, -1
        self._unmeasured = True
        before, at = self._lines, self.cursor
        self._make()
        if self.cursor != at or not same_lines(before, self._lines):
            self.rows_changed()

    def show_again(self) -> None:
        """Make the same page anew, since what it tells of may have changed; cursor and scroll stay."""
        if self._maker:
            self.show_page(self._maker, keep_place=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines of the page; of one that is shown anew, never fewer than before: a dialog doesn't jump."""
        inner = width - self.scrollbar_gutter.width
        before, height = self._measured
        if self._maker and inner > 0 and (inner != before or self._unmeasured):
            lines = len(self._maker(inner).lines)
            self._measured, self._unmeasured = (inner, max(lines, height if inner == before else 0)), False
        return self._measured[1]

    def row_count(self) -> int:
        """Return the number of lines."""
        return len(self._lines)

    def row(self, index: int, width: int) -> Content:
        """Return a line."""
        return self._lines[index].content

    def selectable(self, index: int) -> bool:
        """Only what leads somewhere takes the cursor."""
        return index < len(self._lines) and self._lines[index].leads_to is not None

    def can_move(self) -> bool:
        """Whether there is a second link, or more than fits."""
        links = sum(line.leads_to is not None for line in self._lines)
        return links > 1 or len(self._lines) > self.size.height

    @property
    def text(self) -> str:
        """The page as it stands there, without styles."""
        return "\n".join(line.content.plain.rstrip() for line in self._lines)

    @property
    def leads_to(self) -> Request | None:
        """What the line at the cursor leads to."""
        return self._lines[self.cursor].leads_to if self.cursor < len(self._lines) else None

    def highlighted(self) -> None:
        """Tell where the cursor stands."""
        self.tell(self.Moved(self.leads_to))

    def clicked(self, index: int, x: int) -> bool:
        """A click on a link follows it."""
        if self.selectable(index):
            self.cursor = index
            self.chosen()
        return True

    def chosen(self) -> None:
        """Ask for what the line leads to."""
        if (message := self.leads_to) is not None:
            self.post_message(replace(message))

    def on_resize(self, event: events.Resize) -> None:
        """Wrap the page anew for another width."""
        if self._maker and self.scrollable_content_region.width != self._made_for:
            self._make()
            self.refresh()  # a page made anew while it was hidden may come back in the size that it had
        self.virtual_size = Size(event.size.width, self.row_count())
        self.scroll_to_cursor()

    def _make(self) -> None:
        if self._maker and (width := self.scrollable_content_region.width):
            self._made_for = width
            here = self.leads_to
            self._lines = self._maker(width).lines
            if self._at_top:
                self._at_top = False
                self.set_reactive(Overview.cursor, self._selectable_near(0, 1) or 0)
                self.scroll_home(animate=False)
            else:
                self.set_reactive(Overview.cursor, self._again(here))
            self.refresh_bindings()

    def _again(self, here: Request | None) -> int:
        """Return where the link ``here`` stands now, else the link nearest to the cursor."""
        same = [at for at, line in enumerate(self._lines) if here is not None and line.leads_to == here]
        near = min(same, key=lambda at: abs(at - self.cursor), default=None)
        return near if near is not None else self._selectable_near(self.cursor, 1) or 0
