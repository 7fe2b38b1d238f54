"""The line between form and result: run, cancel, where it runs, for how long, and how it goes."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from explorer.commands import Where, bindings
from explorer.widgets.form.segments import Segment, line_of

_PLACES = [Segment("on a copy"), Segment("on the real workspace")]
_SHORT = [Segment("copy"), Segment("real")]
NARROW = 100


class WhereField(Widget, can_focus=True):
    """A copy of the workspace, or the real one."""

    BINDINGS = [*bindings(Where.FIELD)]
    DEFAULT_CSS = "WhereField { height: 1; width: 38; margin-left: 1; }"
    real: reactive[bool] = reactive(False)

    class Changed(Message):
        """The other place was chosen."""

    def render(self) -> Content:
        """Return both places."""
        places = _PLACES if self.size.width >= 38 else _SHORT
        line, self._places = line_of(places, int(self.real), self.size.width, focused=self.has_focus)
        return line.stylize("$warning", line.plain.find("real")) if self.real else line

    def flip(self) -> None:
        """Take the other place."""
        self.real = not self.real
        self.post_message(self.Changed())

    def action_field_left(self) -> None:
        """Take the other place."""
        self.flip()

    def action_field_right(self) -> None:
        """Take the other place."""
        self.flip()

    def action_field_space(self) -> None:
        """Take the other place."""
        self.flip()

    def action_field_enter(self) -> None:
        """Take the other place."""
        self.flip()

    def on_click(self, event: events.Click) -> None:
        """Take the clicked place."""
        self.focus()
        for start, end, index in self._places:
            if start <= event.x < end and bool(index) != self.real:
                self.flip()

    def on_focus(self) -> None:
        """Brighten."""
        self.refresh()

    def on_blur(self) -> None:
        """Dim."""
        self.refresh()


class RunBar(Horizontal):
    """Buttons and state of a call."""

    DEFAULT_CSS = """
    RunBar { height: 1; background: $surface; padding: 0 1; }
    RunBar > Button { width: auto; min-width: 6; height: 1; border: none; padding: 0 1; margin-right: 1; }
    RunBar > #bar-run { background: $accent; color: $background; text-style: bold; }
    RunBar > #bar-send { background: $panel; color: $foreground; }
    RunBar > #bar-cancel { background: $error; color: $background; text-style: bold; }
    RunBar > Button:focus { text-style: bold reverse; }
    RunBar > #bar-timeout { width: 6; height: 1; border: none; background: $panel; margin-left: 2; }
    RunBar > .bar-word { width: auto; color: $muted; margin-left: 1; }
    RunBar > #bar-state { width: 1fr; text-align: right; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    @dataclass
    class Pressed(Message):
        """A button was pressed: ``run``, ``send`` or ``cancel``."""

        what: str

    @dataclass
    class TimeoutChanged(Message):
        """Another time limit, in seconds; None for the tool's own."""

        seconds: int | None

    def compose(self) -> ComposeResult:
        """Buttons at the left, state at the right."""
        yield Button(Content("Run"), id="bar-run", compact=True)
        yield Button(Content("Cancel"), id="bar-cancel", compact=True)
        yield Button(Content("Send as it is"), id="bar-send", compact=True)
        yield WhereField()
        yield Input(id="bar-timeout", compact=True, restrict=r"[0-9]*", max_length=4)
        yield Static("s limit", classes="bar-word")
        yield Static(id="bar-state")

    def on_mount(self) -> None:
        """Nothing runs."""
        self.show(running=False, faulty=False, state=Content(""))

    def show(self, *, running: bool, faulty: bool, state: Content) -> None:
        """Show the buttons that mean something now, and ``state``."""
        for name, wanted in (("run", not running), ("cancel", running), ("send", faulty and not running)):
            button = self.query_one(f"#bar-{name}")
            if button.display is not wanted:
                button.display = wanted
        self.query_one("#bar-state", Static).update(state, layout=False)

    def set_limits(self, own_s: int, chosen_s: int | None, *, real: bool, choice: bool) -> None:
        """Show the time limit and the place of another tool; without a ``choice`` of place none is shown."""
        self.query_one(WhereField).display = choice
        field = self.query_one("#bar-timeout", Input)
        with self.prevent(Input.Changed):
            field.value = str(chosen_s) if chosen_s else ""
        field.placeholder = str(own_s)
        self.query_one(WhereField).real = real

    def on_resize(self, event: events.Resize) -> None:
        """Use fewer words where there is less room."""
        narrow = event.size.width < NARROW
        self.query_one(WhereField).styles.width = 16 if narrow else 38
        self.query_one(".bar-word", Static).update("s" if narrow else "s limit")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Pass on what was pressed."""
        event.stop()
        self.post_message(self.Pressed((event.button.id or "").removeprefix("bar-")))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass on the time limit."""
        event.stop()
        seconds = int(event.value) if event.value.isdecimal() else 0
        self.post_message(self.TimeoutChanged(seconds or None))
