"""The tabs of a result on one line, each with the key that opens it while the focus is there."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from explorer.presenters import marks
from explorer.presenters.layout import two_sides


@dataclass(frozen=True, slots=True)
class ResultTab:
    """One tab: the id of its view, its key, its title, and a number beside it."""

    id: str
    key: str
    title: str
    number: int | None = None


class ResultTabs(Widget):
    """Shows which view is in sight, and at the right what the view says of itself."""

    DEFAULT_CSS = "ResultTabs { height: 1; width: 1fr; }"

    @dataclass
    class Chosen(Message):
        """A tab was clicked."""

        tab: str

    def __init__(self) -> None:
        super().__init__()
        self._tabs: list[ResultTab] = []
        self._active = ""
        self._says = Content("")
        self._keys = False
        self._places: list[tuple[int, int, str]] = []

    def show(self, tabs: list[ResultTab], active: str, says: Content) -> None:
        """Show other tabs."""
        self._tabs, self._active, self._says = tabs, active, says
        self.refresh()

    def offer_keys(self, offered: bool) -> None:
        """Show the keys of the tabs, or only their titles."""
        if offered is not self._keys:
            self._keys = offered
            self.refresh()

    def render(self) -> Content:
        """Return the line."""
        line, at, self._places = Content(" "), 1, []
        for tab in self._tabs:
            number = f" {tab.number:,}" if tab.number is not None else ""
            style = "bold underline $accent" if tab.id == self._active else ""
            key = f"{tab.key} " if self._keys else ""
            title = Content.assemble((key, marks.MUTED), (tab.title, style), (number, marks.MUTED))
            line = Content.assemble(line, title, "   ")
            self._places.append((at, at + title.cell_length, tab.id))
            at += title.cell_length + 3
        return two_sides(line, Content.assemble(self._says, " "), self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Open the clicked tab."""
        for start, end, tab in self._places:
            if start <= event.x < end:
                self.post_message(self.Chosen(tab))
