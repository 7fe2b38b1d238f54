"""The arguments as JSON: exactly what will be sent, and a second way to write them."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from explorer.widgets.scrubbed import SafeTextArea


class JsonEditor(Vertical):
    """Follows the form while the form is edited; leads it while the text is."""

    HELP = "The arguments exactly as they will be sent. What is written here changes the form."
    DEFAULT_CSS = """
    JsonEditor { height: 1fr; }
    JsonEditor > #json-title { height: auto; max-height: 4; padding: 0 1; }
    JsonEditor > TextArea { height: 1fr; border: none; padding: 0 1; background: $surface; }
    """

    @dataclass
    class Edited(Message):
        """The text was changed by hand."""

        text: str

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._title = Content("")

    def compose(self) -> ComposeResult:
        """Title and text."""
        yield Static(id="json-title")
        yield SafeTextArea(compact=True, soft_wrap=True, tab_behavior="focus", highlight_cursor_line=False)

    def on_mount(self) -> None:
        """Brackets are marked while one writes, not beside the form."""
        self.area.match_cursor_bracket = False

    @property
    def area(self) -> TextArea:
        """The text."""
        return self.query_one(TextArea)

    def follow(self, text: str) -> None:
        """Show what the form makes, unless the text says the same already in its own way."""
        if text != self.area.text:
            with self.prevent(TextArea.Changed):
                self.area.load_text(text)

    def say(self, title: Content) -> None:
        """Say what the text stands for."""
        if title != self._title:
            self._title = title
            self.query_one("#json-title", Static).update(title)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Pass on what was written."""
        event.stop()
        self.post_message(self.Edited(self.area.text))
