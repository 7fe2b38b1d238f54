"""The JSON that will be sent, on one line, where there is no room for more."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from explorer.presenters import try_state
from explorer.presenters.layout import fit
from explorer.services.form_model import FormModel


class JsonSummary(Widget):
    """Shows as much of it as fits; a click opens the whole."""

    DEFAULT_CSS = "JsonSummary { height: 1; width: 1fr; padding: 0 1; background: $surface; }"

    class Opened(Message):
        """The line was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self._said = Content("")

    def show(self, model: FormModel) -> None:
        """Show the arguments of ``model``, or why they are none."""
        said = try_state.summary(model)
        if said != self._said:
            self._said = said
            self.refresh()

    def render(self) -> Content:
        """Return the line."""
        return fit(self._said, self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Open the whole."""
        event.stop()
        self.post_message(self.Opened())
