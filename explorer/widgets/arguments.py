"""The arguments of a call, as a form and as the JSON that will be sent; each follows the other."""

from __future__ import annotations

from enum import StrEnum

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message

from explorer.presenters import try_state
from explorer.services.form_model import FormModel
from explorer.widgets.form.form_view import FormView
from explorer.widgets.json_editor import JsonEditor
from explorer.widgets.json_summary import JsonSummary

WIDE, HIGH = 110, 18


class Room(StrEnum):
    """How the JSON stands to the form: beside it, below it, or as one line until it is asked for."""

    BESIDE = "-beside"
    BELOW = "-below"
    LINE = "-line"


class Arguments(Container):
    """Two views of one model. Where there is no room for both, the JSON is one line that opens over the form."""

    DEFAULT_CSS = """
    Arguments { layout: vertical; }
    Arguments > FormView { width: 1fr; height: 1fr; padding: 0 1; }
    Arguments > JsonEditor { border-top: solid $line; }
    Arguments > JsonSummary { display: none; }
    Arguments.-beside { layout: horizontal; }
    Arguments.-beside > JsonEditor { width: 36%; height: 1fr; border-top: none; border-left: solid $line; }
    Arguments.-below > JsonEditor { height: auto; max-height: 40%; }
    Arguments.-below > JsonEditor > TextArea { height: auto; max-height: 100%; }
    Arguments.-line > JsonEditor { display: none; height: 1fr; border-top: none; }
    Arguments.-line > JsonSummary { display: block; }
    Arguments.-line.-json > FormView, Arguments.-line.-json > JsonSummary { display: none; }
    Arguments.-line.-json > JsonEditor { display: block; }
    """

    class Changed(Message):
        """The model has another value, or its JSON can no longer be read."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._room = Room.BESIDE
        self.add_class(self._room)

    def compose(self) -> ComposeResult:
        """The form first."""
        yield FormView()
        yield JsonEditor()
        yield JsonSummary()

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
        written = self.editor.area.document.line_count + 1
        if self._room is Room.BESIDE:
            return max(self.form.lines, written)
        return self.form.lines + (1 if self._room is Room.LINE else written + 1)

    @property
    def json_alone(self) -> bool:
        """Whether the JSON stands in the place of the form."""
        return self._room is Room.LINE and self.has_class("-json")

    def fit(self, width: int, height: int) -> None:
        """Arrange both views for the cells and lines that they may take."""
        room = Room.BESIDE if width >= WIDE else Room.BELOW if height >= HIGH else Room.LINE
        if room is not self._room:
            self.remove_class(self._room)
            self.add_class(room)
            self._room = room

    async def show(self, model: FormModel) -> None:
        """Show another model."""
        await self.form.show(model)
        self._follow()
        self._say()

    async def reset(self) -> None:
        """Start over."""
        self.model.reset()
        await self.show(self.model)

    async def refuse(self) -> None:
        """Say at each field what is wrong, and go to the first fault."""
        self.form.strict = True
        for fault in self.form.faults[:1]:
            self.model.reveal(fault.path)
        await self.form.sync()
        if self.model.broken is None:
            self.remove_class("-json")
            self.form.focus_first()
        else:
            self.focus_json()

    def focus_json(self) -> None:
        """Go to the JSON."""
        self.add_class("-json")
        self.editor.area.focus()

    def focus_form(self) -> None:
        """Go to the form, and leave the JSON where it stood in its place."""
        self.remove_class("-json")
        self.form.focus_again()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Keep that view in sight which has the focus."""
        self.set_class(self.editor in event.widget.ancestors, "-json")

    def _follow(self) -> None:
        self.editor.follow(self.model.json)
        self._say()

    def _say(self) -> None:
        self.editor.say(try_state.heading_of_json(self.model))
        self.query_one(JsonSummary).show(self.model)

    @on(FormView.Changed)
    def _form_changed(self, event: FormView.Changed) -> None:
        event.stop()
        if self.model.broken is None:
            self._follow()
        self.post_message(self.Changed())

    @on(JsonEditor.Edited)
    async def _json_edited(self, event: JsonEditor.Edited) -> None:
        event.stop()
        self.model.load(event.text)
        self._say()
        await self.form.sync()
        self.post_message(self.Changed())

    @on(JsonSummary.Opened)
    def _summary_opened(self, event: JsonSummary.Opened) -> None:
        event.stop()
        self.focus_json()
