"""What stands where in the Try pane: form, bar and result, and which of them has the room and the focus."""

from __future__ import annotations

from textual import events, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from core.text import display
from explorer.presenters import marks
from explorer.services.runs import TryState
from explorer.widgets.arguments import Arguments
from explorer.widgets.call_runner import CallRunner
from explorer.widgets.result.result_view import ResultView
from explorer.widgets.run_bar import RunBar

SHORT = 26
_AROUND = 4


class TryAreas(Vertical):
    """Form and result share the pane where it is high enough; else they take turns."""

    DEFAULT_CSS = """
    TryAreas > #try-head { height: auto; max-height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    TryAreas.-says > #try-head { max-height: 8; text-wrap: wrap; }
    TryAreas > Arguments { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._state: TryState | None = None
        self._full = False

    def compose(self) -> ComposeResult:
        """Form and JSON, the bar, the result."""
        yield Static(id="try-head")
        yield Arguments()
        yield RunBar()
        yield ResultView()
        yield CallRunner()

    @property
    def arguments(self) -> Arguments:
        """Form and JSON."""
        return self.query_one(Arguments)

    @property
    def bar(self) -> RunBar:
        """The line with the buttons."""
        return self.query_one(RunBar)

    @property
    def result(self) -> ResultView:
        """The result."""
        return self.query_one(ResultView)

    @property
    def runner(self) -> CallRunner:
        """What runs calls."""
        return self.query_one(CallRunner)

    @property
    def _is_short(self) -> bool:
        return self.size.height < SHORT

    def _head(self, content: Content, *, whole: bool = False) -> None:
        self.set_class(whole, "-says")
        self.query_one("#try-head", Static).update(content)

    def _nothing(self, reason: str) -> None:
        self._arrange()
        self._head(Content.styled(display(reason, 500), marks.MUTED), whole=True)

    def _arrange(self) -> None:
        state = self._state
        called = state is not None and (bool(state.runs) or state.call is not None)
        self._full = self._full and called
        _display(self.arguments, state is not None and not self._full)
        _display(self.bar, state is not None)
        _display(self.result, called and (self._full or not self._is_short))
        most = max(6, self.size.height * 2 // 5)
        shared = self.result.display and not self._full
        self.arguments.fit(self.size.width, most if shared else self.size.height - _AROUND)
        self.arguments.styles.height = min(self.arguments.lines, most) if shared else "1fr"

    @on(ResultView.WantsRoom)
    def _more_room(self, event: ResultView.WantsRoom) -> None:
        event.stop()
        self._turn_to(result=not self._full)

    def _turn_to(self, *, result: bool, full: bool = True) -> None:
        self._full = result and (full or self._is_short)
        self._arrange()
        self.refresh_bindings()
        if result:
            self.result.focus_view()
        elif self.arguments.json_alone:
            self.arguments.focus_json()
        else:
            self.arguments.focus_form()

    def on_resize(self, _event: events.Resize) -> None:
        """Share the pane anew."""
        self.set_class(self._is_short, "-short")
        self._arrange()

    def _leave_at_the_end(self, step: int) -> None:
        """Go to the next stop of the pane; from the last one out of it."""
        chain = [w for w in self.screen.focus_chain if self in w.ancestors]
        focused = self.screen.focused
        at = chain.index(focused) + step if focused in chain else -1
        if not 0 <= at < len(chain):
            raise SkipAction
        chain[at].focus()


def _display(widget: Widget, wanted: bool) -> None:
    """Change it only where it differs: each change lays the screen out anew."""
    if widget.display is not wanted:
        widget.display = wanted
