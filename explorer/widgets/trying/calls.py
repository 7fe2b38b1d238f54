"""The calls of the Try pane: begun, heard of while they run, shown when they are over. One runs at a time."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual import on
from textual.content import Content

from explorer.messages import Notify
from explorer.presenters import marks, try_state
from explorer.services.calls import CallRequest, RunningCall
from explorer.widgets.call_runner import CallRunner
from explorer.widgets.hint import keymap_of
from explorer.widgets.result.carry_over import CarryOver
from explorer.widgets.run_bar import RunBar
from explorer.widgets.trying.lookup import TryLookup


class TryCalls(TryLookup):
    """Keeps the runs of every tool; a call goes on while another tool is looked at."""

    def __init__(self, *, id: str | None = None, clock: Callable[[], float] = time.monotonic) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._clock = clock

    @on(RunBar.Pressed)
    async def _pressed(self, event: RunBar.Pressed) -> None:
        event.stop()
        if event.what == "cancel":
            self.runner.cancel()
        else:
            await self._run(unchecked=event.what == "send")

    @property
    def request(self) -> CallRequest | None:
        """The call that the form stands for now; None without a tool."""
        state = self._state
        if state is None:
            return None
        return CallRequest(state.skill, state.record, state.model.value, state.real, timeout_s=state.timeout_s)

    async def _run(self, *, unchecked: bool) -> None:
        state, workspace = self._state, self._workspace
        if state is None or workspace is None or self._calling:
            return
        model = state.model
        if not model.sendable or (not unchecked and not model.acceptable):
            await self._refuse()
            return
        request = CallRequest(state.skill, state.record, model.value, state.real, unchecked, state.timeout_s)
        call = RunningCall(request, self.runner.ask, self._clock)
        state.call = call
        self.result.start(try_state.progress(call, None, ""))
        self.runner.start(workspace, call)
        self._full = self._full or self._is_short
        self._say()
        self.result.focus_view()

    async def _refuse(self) -> None:
        self._full = False
        await self.arguments.refuse()
        self._say()
        said = try_state.refusal(self.arguments.model, self.arguments.form.faults, keymap_of(self))
        self.post_message(Notify(said, "warning"))

    @on(CallRunner.Heard)
    def _heard(self, event: CallRunner.Heard) -> None:
        event.stop()
        said = try_state.progress(event.call, event.progress, event.stage)
        if self._state is not None and self._state.call is event.call:
            self.result.hear(event.log)
            self.result.say(said)
        elif self.runner.call is event.call:
            name = marks.text(event.call.request.record.name, limit=60)
            self.bar.show(running=True, faulty=False, state=Content.assemble(said, "  ", name))

    @on(CallRunner.Ended)
    def _ended(self, event: CallRunner.Ended) -> None:
        event.stop()
        request = event.call.request
        state = self._states.known(request.skill, request.record.name)
        if state is None:
            return
        state.call = None
        run = state.finished(request, event.outcome)
        if state is self._state:
            self.result.show(run, state.earlier(run))
            if self._full:
                self.result.focus_view()
        else:
            self.post_message(Notify(f"{request.record.name} has ended; its result is in its Try tab."))
        self._say()

    @on(CarryOver.Done)
    def _carried_over(self, event: CarryOver.Done) -> None:
        event.stop()
        request = event.run.request
        state = self._states.known(request.skill, request.record.name)
        if state is not None:
            state.runs = [event.after if run is event.run else run for run in state.runs]
