"""A list of values to choose one from, filtered as one types; a hundred thousand of them are as quick as ten."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from explorer.presenters import marks
from explorer.widgets.dialog import Dialog
from explorer.widgets.row_list import RowList
from explorer.widgets.scrubbed import SafeInput


class _Values(RowList):
    """The values that the filter leaves."""

    class Chosen(Message):
        """The value at the cursor was opened."""

    def __init__(self, labels: list[str], at: int) -> None:
        super().__init__()
        self._labels = labels
        self._folded = [label.casefold() for label in labels]
        self.hits = list(range(len(labels)))
        self._first = at

    def on_mount(self) -> None:
        """Start at the value in force."""
        self.rows_changed()
        self.cursor = max(0, self._first)

    def row_count(self) -> int:
        """Return the number of values in sight."""
        return len(self.hits)

    def row(self, index: int, width: int) -> Content:
        """Return a value."""
        return Content.assemble(" ", marks.text(self._labels[self.hits[index]], limit=max(width, 20)))

    def filter(self, query: str) -> None:
        """Show the values that have all words of ``query``."""
        words = query.casefold().split()
        self.hits = [at for at, text in enumerate(self._folded) if all(word in text for word in words)]
        self.rows_changed()

    def chosen(self) -> None:
        """Tell."""
        self.post_message(self.Chosen())


class ChoicePicker(Dialog[int | None]):
    """Answers with the index of a value, None when it is left."""

    HELP = "All values that the field can take. What is typed narrows them down."
    BINDINGS = [
        Binding("down", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
    ]
    DEFAULT_CSS = """
    ChoicePicker { align: center middle; }
    ChoicePicker > Vertical { width: 60%; max-width: 70; min-width: 30; height: auto; max-height: 60%; }
    ChoicePicker > Vertical { background: $surface; border: round $border; }
    ChoicePicker Input { height: 1; border: none; background: $boost; }
    ChoicePicker _Values { height: auto; max-height: 100%; }
    """

    def __init__(self, labels: list[str], at: int) -> None:
        super().__init__()
        self._labels, self._at = labels, at

    def compose(self) -> ComposeResult:
        """Filter above the values."""
        with Vertical():
            yield SafeInput(placeholder="words of a value", compact=True)
            yield _Values(self._labels, self._at)

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        self.query_one(_Values).filter(event.value)

    @on(Input.Submitted)
    @on(_Values.Chosen)
    def _take(self) -> None:
        values = self.query_one(_Values)
        self.dismiss(values.hits[values.cursor] if values.hits else None)

    def action_move(self, step: int) -> None:
        """Go through the values while the filter has the focus."""
        self.query_one(_Values).move(step)

    def action_dialog_close(self) -> None:
        """Choose nothing."""
        self.dismiss(None)
