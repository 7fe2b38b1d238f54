"""What all dialogs have in common: the keys of the command table, and help about those that work in them."""

from __future__ import annotations

from typing import TypeVar

from textual.screen import ModalScreen

from explorer.commands import Where, bindings

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """Closes with one key and says with another which keys there are."""

    BINDINGS = bindings(Where.DIALOG)

    async def action_dialog_help(self) -> None:
        """Show help about the keys that work here."""
        await self.run_action("app.help")
