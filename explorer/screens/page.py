"""A dialog with a page of text, whose links close it and go where they lead."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from core.text import display
from explorer.messages import Request
from explorer.presenters.page import text_page
from explorer.widgets.dialog import Dialog
from explorer.widgets.hint import SAVES_IT, with_keys
from explorer.widgets.key_bar import KeyBar
from explorer.widgets.overview import Overview, PageMaker

GOES_ON = "The program goes on, but what you did last may be half done. The report is printed again when you leave."


def report_screen(report: str) -> PageScreen:
    """Return a dialog that shows a report and lets it be copied."""
    text = f"{report}\n\n{GOES_ON}"
    return PageScreen("Something unexpected", lambda width: text_page(text, width), report)


class PageScreen(Dialog[Request | None]):
    """Shows a page; ``text`` is what copying gives, the page itself where there is none."""

    def __init__(self, title: str, maker: PageMaker, text: str = "") -> None:
        super().__init__()
        self._heading, self._maker, self._text = title, maker, text

    def compose(self) -> ComposeResult:
        """Put the page in a box with its keys below."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled(display(self._heading), "bold"), classes="dialog-title")
            yield Overview()
        yield KeyBar()

    def on_mount(self) -> None:
        """Fill the page."""
        self.query_one(Overview).show_page(self._maker)

    @on(Request)
    def _follow(self, request: Request) -> None:
        """Close, and hand what was asked for to the screen below."""
        request.stop()
        self.dismiss(request)

    def action_dialog_close(self) -> None:
        """Close."""
        self.dismiss(None)

    def action_dialog_copy(self) -> None:
        """Copy the text."""
        self.app.copy_to_clipboard(display(self._text or self.query_one(Overview).text, 100_000, multiline=True))
        self.notify(with_keys(self, f"Copied.{SAVES_IT}"), markup=False)
