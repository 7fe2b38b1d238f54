"""The preview of what a yes changes, and whether it may: a mechanical fix, for one."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from core.text import display
from explorer.screens.answer import AnswerScreen
from explorer.widgets.answer_button import AnswerButton
from explorer.widgets.key_bar import KeyBar
from explorer.widgets.overview import Overview, PageMaker


class FixScreen(AnswerScreen[bool]):
    """Answers True on the button called ``answer``. The focus starts on Cancel."""

    HELP = "What a yes would change. Nothing changes before the button for it is chosen."

    def __init__(self, title: str, maker: PageMaker, answer: str = "Apply") -> None:
        super().__init__()
        self._heading, self._maker, self._answer = title, maker, answer

    def compose(self) -> ComposeResult:
        """Put the preview above the buttons."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled(display(self._heading, 300), "bold"), classes="dialog-title")
            yield Overview()
            with Horizontal(classes="dialog-buttons"):
                yield AnswerButton(Content("Cancel"), id="cancel")
                yield AnswerButton(Content(self._answer), id="apply")
        yield KeyBar()

    def on_mount(self) -> None:
        """Fill the preview."""
        self.query_one(Overview).show_page(self._maker)
        self.query_one("#cancel").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(event.button.id == "apply")

    def action_dialog_close(self) -> None:
        """Answer with no."""
        self.dismiss(False)
