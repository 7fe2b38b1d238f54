"""Carries the changes of a call over from its copy into the workspace."""

from __future__ import annotations

from dataclasses import dataclass

from textual import work
from textual.message import Message
from textual.widget import Widget

from explorer.messages import AskCarryOver, Notify
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

        @property
        def carried(self) -> tuple[str, ...]:
            """The paths that are in the workspace now."""
            return tuple(diff.path for diff in self.run.outcome.diffs if diff.path not in self.refused)

        @property
        def after(self) -> Run:
            """The run as it is to be kept."""
            return self.run.carried_over(len(self.carried))

    def ask(self, run: Run) -> None:
        """Ask the user; a yes begins."""
        changes = tuple((diff.path, diff.change) for diff in run.outcome.diffs)
        self.post_message(AskCarryOver(changes, lambda: self._start(run)))

    @work(thread=True, group="apply", exclusive=True, exit_on_error=False, description="apply")
    def _start(self, run: Run) -> None:
        changes = run.outcome.changes
        if changes is None:
            return
        try:
            refused = changes.apply()
            changes.discard()
        except OSError as error:
            self.post_message(Notify(f"The changes could not be carried over: {error}", "error"))
            return
        self.post_message(self.Done(run, refused))

    def on_carry_over_done(self, event: Done) -> None:
        """Say what was carried over; the message goes on to the result."""
        said = f"Carried over to the real workspace: {_named(event.carried)}." if event.carried else ""
        if event.refused:
            said = f"{said} Left alone, since changed meanwhile: {_named(event.refused)}.".lstrip()
        self.post_message(Notify(said, "warning" if event.refused else "information"))


def _named(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - MOST_NAMED:,} more" if len(paths) > MOST_NAMED else ""
    return ", ".join(paths[:MOST_NAMED]) + more
