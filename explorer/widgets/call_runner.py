"""Runs one call at a time in a thread and tells the screen, ten times a second, what was heard."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from core.runtime.call import CallEvent, CallOutcome, ExecutionIdentity
from explorer.messages import AskApproval, Consent
from explorer.services.calls import RunningCall

if TYPE_CHECKING:
    from core.workspace import Workspace

_TICK_S = 0.1


class CallRunner(Widget):
    """Has nothing to show. Going away cancels the call."""

    DEFAULT_CSS = "CallRunner { display: none; }"

    @dataclass
    class Heard(Message):
        """Time has passed in a call; ``log`` are new events, ``stage`` and ``progress`` the latest of their kind."""

        call: RunningCall
        log: list[CallEvent]
        stage: str
        progress: CallEvent | None

    @dataclass
    class Ended(Message):
        """A call is over."""

        call: RunningCall
        outcome: CallOutcome

    def __init__(self) -> None:
        super().__init__()
        self.call: RunningCall | None = None
        self._ticker: Timer | None = None
        self._stage = ""
        self._progress: CallEvent | None = None

    def on_mount(self) -> None:
        """Prepare the clock."""
        self._ticker = self.set_interval(_TICK_S, self.tick, pause=True)

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.cancel()

    def start(self, workspace: Workspace, call: RunningCall) -> None:
        """Begin a call; the one before must be over."""
        self.call, self._stage, self._progress = call, "", None
        if self._ticker is not None:
            self._ticker.resume()
        self._run(workspace, call)

    def cancel(self) -> None:
        """Stop the running call."""
        if self.call is not None:
            self.call.cancel.set()

    def ask(
        self, identity: ExecutionIdentity, confirm_only: bool, call: ExecutionIdentity | None = None
    ) -> Future[Consent]:
        """Have the user asked; called from the call's thread."""
        answer: Future[Consent] = Future()
        self.post_message(AskApproval(identity, answer, confirm_only, call))
        return answer

    @work(thread=True, group="call", exclusive=True, exit_on_error=False, description="call")
    def _run(self, workspace: Workspace, call: RunningCall) -> None:
        self.post_message(self.Ended(call, call.run(workspace)))

    def tick(self) -> None:
        """Tell what was heard since the last time."""
        call = self.call
        if call is None:
            return
        log: list[CallEvent] = []
        while call.heard:
            event = call.heard.popleft()
            if event.kind == "progress":
                self._progress = event
                continue
            if event.kind == "stage":
                self._stage = event.text
            log.append(event)
        self.post_message(self.Heard(call, log, self._stage, self._progress))

    def on_call_runner_ended(self, event: Ended) -> None:
        """Stop the clock; the message goes on to the pane."""
        if event.call is self.call:
            self.call = None
            if self._ticker is not None:
                self._ticker.pause()
