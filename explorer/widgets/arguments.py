"""The arguments of a call, as a form and as the JSON that will be sent; each follows the other."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message

from explorer.services.form_model import FormModel
from explorer.widgets.form.form_view import FormView
from explorer.widgets.json_editor import JsonEditor


class Arguments(Horizontal):
    """Two views of one model."""

    DEFAULT_CSS = """
    Arguments > FormView { width: 1fr; padding: 0 1; }
    Arguments > JsonEditor { width: 36%; border-left: solid $line; }
    """

    class Changed(Message):
        """The model has another value, or its JSON can no longer be read."""

    def compose(self) -> ComposeResult:
        """Side by side."""
        yield FormView()
        yield JsonEditor()

    @property
    def form(self) -> FormView:
        """The form."""
        return self.query_one(FormView)

    @property
    def editor(self) -> JsonEditor:
        """The JSON."""
        return self.query_one(JsonEditor)

    @property
    def model(self) -> FormModel:
        """The model of both."""
        return self.form.model

    @property
    def lines(self) -> int:
        """How many lines both views would fill."""
        return max(self.form.lines, self.editor.area.document.line_count + 1)

    async def show(self, model: FormModel) -> None:
        """Show another model."""
        await self.form.show(model)
        self.editor.follow(model.json)
        self.editor.say(model.broken)

    async def reset(self) -> None:
        """Start over."""
        self.model.reset()
        await self.show(self.model)

    async def refuse(self) -> None:
        """Say at each field what is wrong, and go to the first fault."""
        self.form.strict = True
        await self.form.sync()
        if self.model.broken is None:
            self.form.focus_first()
        else:
            self.editor.area.focus()

    @on(FormView.Changed)
    def _form_changed(self, event: FormView.Changed) -> None:
        event.stop()
        if self.model.broken is None:
            self.editor.follow(self.model.json)
        self.post_message(self.Changed())

    @on(JsonEditor.Edited)
    async def _json_edited(self, event: JsonEditor.Edited) -> None:
        event.stop()
        self.model.load(event.text)
        self.editor.say(self.model.broken)
        await self.form.sync()
        self.post_message(self.Changed())
