"""What all dialogs have in common: the keys of the command table, help about those that work in them, their height."""

from __future__ import annotations

from typing import TypeVar

from textual import events
from textual.screen import ModalScreen

from explorer.commands import Where, bindings
from explorer.widgets.row_list import RowList

Answer = TypeVar("Answer")
MOST_HEIGHT = 0.85
"""The share of the screen that a dialog takes at most."""
_BORDER, _LINE = 2, 2
"""The cells of height that the frame takes, and each line in it with the blank one beside it."""


class Dialog(ModalScreen[Answer]):
    """Closes with one key and says with another which keys there are; its box is as high as what it holds."""

    BINDINGS = bindings(Where.DIALOG)

    def on_mount(self) -> None:
        """Leave room for the lines around the content."""
        self._limit()

    def on_resize(self, _event: events.Resize) -> None:
        """Leave it in another size, too."""
        self._limit()

    def _limit(self) -> None:
        most = int(self.app.size.height * MOST_HEIGHT)
        for box in self.query(".dialog"):
            box.styles.max_height = most
            for content in box.query_children(RowList):
                content.styles.max_height = max(1, most - _BORDER - _LINE * (len(box.children) - 1))

    async def action_dialog_help(self) -> None:
        """Show help about the keys that work here."""
        await self.run_action("app.help")
