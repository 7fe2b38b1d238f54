"""The approval dialog: the whole of what would run, and three answers. The focus starts on Cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from core.text import display
from explorer.commands import Where, bindings
from explorer.messages import Consent
from explorer.presenters.approval import approval_page
from explorer.widgets.key_bar import KeyBar
from explorer.widgets.overview import Overview

if TYPE_CHECKING:
    from core.runtime.call import ExecutionIdentity


HINT = "← → choose, space answers. Enter only ever cancels."


class ConsentButton(Button, inherit_bindings=False):
    """A button that enter does not press: nothing runs because of a key that was meant for something else."""

    BINDINGS = [Binding("space", "press", "Answer", show=False), Binding("enter", "explain", show=False)]

    def action_explain(self) -> None:
        """Say which key it is."""
        self.notify(HINT, markup=False)


class ConfirmScreen(ModalScreen[Consent]):
    """Answers CANCEL however it is left, unless a button with another answer was chosen on purpose."""

    BINDINGS = bindings(Where.DIALOG, Where.CONFIRM)

    def __init__(
        self, identity: ExecutionIdentity, *, confirm_only: bool, call: ExecutionIdentity | None = None
    ) -> None:
        super().__init__()
        self._identity, self._confirm_only, self._call = identity, confirm_only, call

    def compose(self) -> ComposeResult:
        """Show all of the identity above the buttons."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled(display(self._identity.title), "bold"), classes="dialog-title")
            yield Overview()
            with Horizontal(classes="dialog-buttons"):
                yield Button(Content("Cancel"), id="cancel")
                yield ConsentButton(Content("Run once"), id="once")
                if not self._confirm_only:
                    yield ConsentButton(Content("Approve exactly this"), id="approve")

            yield Static(Content.styled(HINT, "$muted"), classes="dialog-hint")
        yield KeyBar()

    def on_mount(self) -> None:
        """Fill the page; nothing but Cancel has the focus."""
        self.query_one(Overview).show_page(lambda width: approval_page(self._identity, width, self._call))
        self.query_one("#cancel").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(Consent(event.button.id or Consent.CANCEL))

    def action_dialog_close(self) -> None:
        """Answer with Cancel."""
        self.dismiss(Consent.CANCEL)

    def action_confirm_next(self) -> None:
        """Go to the next button, or to the text."""
        self.focus_next()

    def action_confirm_previous(self) -> None:
        """Go to the previous button, or to the text."""
        self.focus_previous()
