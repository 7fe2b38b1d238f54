"""The line above the tree that filters it while one types."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Input

from explorer.commands import Where, bindings
from explorer.services.finder import LONGEST
from explorer.widgets.scrubbed import SafeInput


class FilterInput(SafeInput):
    """Tells what was typed, one line of at most ``LONGEST`` characters; enter or down goes on, escape clears."""

    BINDINGS = bindings(Where.FILTER)
    DEFAULT_CSS = """
    FilterInput { background: $panel; color: $foreground; }
    FilterInput.-textual-compact { padding: 0 1 !important; }
    FilterInput:focus { background: $boost; }
    FilterInput > .input--placeholder { color: $muted; }
    """

    @dataclass
    class Typed(Message):
        """The query is now this."""

        query: str

    @dataclass
    class Left(Message):
        """The user wants to go on in the tree."""

    def __init__(self, about: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        self.about = about
        """What help says of it: what it filters or finds."""
        super().__init__(
            placeholder="words of a skill or tool", id=id, compact=True, select_on_focus=False, max_length=LONGEST
        )

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass on what was typed."""
        event.stop()
        self.post_message(self.Typed(event.value))

    def on_paste(self, event: events.Paste) -> None:
        """Take as much of the first line as there is room for."""
        event.stop()
        event.prevent_default()
        start, end = self.selection.start, self.selection.end
        room = LONGEST - len(self.value) + abs(end - start)
        line = event.text.lstrip()[: 2 * LONGEST].splitlines()
        if line and room > 0:
            self.replace(line[0][:room], *sorted((start, end)))

    def restricted(self) -> None:
        """Leave out what goes beyond the cap, without a bell for every character."""

    def action_filter_leave(self) -> None:
        """Go on in the tree."""
        self.post_message(self.Left())

    def action_filter_clear(self) -> None:
        """Show everything again."""
        self.value = ""
        self.post_message(self.Left())
