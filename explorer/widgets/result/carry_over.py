"""Carries the changes of a call over from its copy into the workspace."""

from __future__ import annotations

from dataclasses import dataclass

from textual import work
from textual.message import Message
from textual.widget import Widget

from explorer.messages import Notify
from explorer.services.runs import Run

MOST_NAMED = 5


class CarryOver(Widget):
    """Has nothing to show; says how it went."""

    DEFAULT_CSS = "CarryOver { display: none; }"

    @dataclass
    class Done(Message):
        """The changes of a run are in the workspace, but for the ``refused`` paths."""

        run: Run
        refused: tuple[str, ...]

    @work(thread=True, group="apply", exclusive=True, exit_on_error=False, description="apply")
    def start(self, run: Run) -> None:
        """Begin, in a thread."""
        changes = run.outcome.changes
        if changes is None:
            return
        try:
            self.post_message(self.Done(run, changes.apply()))
        except OSError as error:
            self.post_message(Notify(f"The changes could not be carried over: {error}", "error"))

    def on_carry_over_done(self, event: Done) -> None:
        """Say what was carried over; the message goes on to the result."""
        if not event.refused:
            self.post_message(Notify("The changes are in the workspace now."))
            return
        names = ", ".join(event.refused[:MOST_NAMED])
        said = f"Left alone, since changed meanwhile: {names}. All else was carried over."
        self.post_message(Notify(said, "warning"))
