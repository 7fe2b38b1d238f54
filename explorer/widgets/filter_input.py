"""The line above the tree that filters it while one types."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message
from textual.widgets import Input

from explorer.commands import Where, bindings


class FilterInput(Input):
    """Tells what was typed; enter or down goes to the first hit, escape clears."""

    BINDINGS = bindings(Where.FILTER)

    @dataclass
    class Typed(Message):
        """The query is now this."""

        query: str

    @dataclass
    class Left(Message):
        """The user wants to go on in the tree."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(placeholder="words of a skill or tool", id=id, compact=True, select_on_focus=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass on what was typed."""
        event.stop()
        self.post_message(self.Typed(event.value))

    def action_filter_leave(self) -> None:
        """Go on in the tree."""
        self.post_message(self.Left())

    def action_filter_clear(self) -> None:
        """Show everything again."""
        self.value = ""
        self.post_message(self.Left())
