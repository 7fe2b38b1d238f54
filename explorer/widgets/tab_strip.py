"""The heading of the detail: what is shown, and the tabs that show it."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from explorer.presenters import marks
from explorer.presenters.layout import two_sides
from explorer.widgets.focus_mark import heading
from explorer.widgets.hint import key_of


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab: the id of its pane and its fixed title."""

    id: str
    title: str


class TabStrip(Widget):
    """Two lines: the title with the state at its right, and the tabs, each with the digit that opens it."""

    DEFAULT_CSS = "TabStrip { height: 2; width: 1fr; background: $surface; }"
    active: reactive[str] = reactive("")

    @dataclass
    class Chosen(Message):
        """The user clicked a tab."""

        tab: str

    def __init__(self, tabs: tuple[Tab, ...], *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.tabs = tabs
        self._title, self._state = Content(""), Content("")
        self._numbers: dict[str, int] = {}
        self._places: list[tuple[int, int, str]] = []

    def show(self, title: Content, state: Content, numbers: dict[str, int]) -> None:
        """Show another subject; ``numbers`` stand beside the titles of their tabs."""
        same = title.is_same(self._title) and state.is_same(self._state) and numbers == self._numbers
        self._title, self._state, self._numbers = title, state, numbers
        if not same:
            self.refresh()

    def render(self) -> Content:
        """Return both lines."""
        width = self.size.width
        top = two_sides(heading(self._title, self), self._state + Content(" "), width)
        return Content("\n").join([top, self._line()])

    def _line(self) -> Content:
        line, at, self._places = Content(" "), 1, []
        for number, tab in enumerate(self.tabs, 1):
            count = f" {self._numbers[tab.id]:,}" if tab.id in self._numbers else ""
            style = "bold underline $accent" if tab.id == self.active else ""
            title = Content.assemble(
                (f"{key_of(self, f'show-tab-{number}')} ", marks.MUTED), (tab.title, style), (count, marks.MUTED)
            )
            line = Content.assemble(line, title, "   ")
            self._places.append((at, at + title.cell_length, tab.id))
            at += title.cell_length + 3
        return line

    def on_click(self, event: events.Click) -> None:
        """Open the clicked tab."""
        for start, end, tab in self._places:
            if event.y == 1 and start <= event.x < end:
                self.post_message(self.Chosen(tab))
