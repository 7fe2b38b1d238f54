"""Which tool is tried: it is looked up in a thread, and its form comes back as it was left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on, work
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from explorer.messages import ToolHighlighted
from explorer.presenters import try_state
from explorer.services.calls import has_copy
from explorer.services.runs import TryState, TryStates
from explorer.services.tool_to_try import ToolToTry, look_up
from explorer.widgets.arguments import Arguments
from explorer.widgets.hint import keymap_of
from explorer.widgets.run_bar import RunBar, WhereField
from explorer.widgets.trying.areas import TryAreas

if TYPE_CHECKING:
    from core.workspace import Workspace

NO_TOOL = "Choose a tool to try it."


class TryLookup(TryAreas):
    """Keeps a form for every tool that was looked at."""

    @dataclass
    class Found(Message):
        """The tool to try has been looked up."""

        tool: ToolToTry

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._workspace: Workspace | None = None
        self._states = TryStates()
        self._wanted: tuple[str, str] | None = None
        self.waiting = False
        """Whether the tool is still looked at, or its form not there yet."""
        self._prefill: tuple[str, str, str] | None = None
        self.about = ""
        """What help says first: how a call is kept apart."""

    def on_mount(self) -> None:
        """Begin empty."""
        self._nothing(NO_TOOL)

    def on_unmount(self) -> None:
        """Drop what runs have kept."""
        self._states.discard()

    def show(self, workspace: Workspace, skill: str | None, tool: str | None, reason: str = "") -> None:
        """Show the form of ``tool`` as it was left; the same tool again keeps everything."""
        self._workspace = workspace
        self.result.results_folder = workspace.state / "results"
        if skill is None or tool is None:
            self._wanted = self._state = None
            self.waiting = False
            self._nothing(reason or NO_TOOL)
            return
        if self._wanted != (skill, tool):
            self._state = None
            self._nothing("Looking at the tool…")
        self._wanted, self.waiting = (skill, tool), True
        self._look_up(workspace, skill, tool, self._states.is_real(skill, tool))

    def prefill(self, skill: str, tool: str, arguments: str) -> None:
        """Put ``arguments``, JSON text, into the form of a tool as soon as it is there."""
        self._prefill = skill, tool, arguments
        if self._workspace is not None and self._wanted == (skill, tool):
            self.show(self._workspace, skill, tool)

    @work(thread=True, group="try", exclusive=True, exit_on_error=False, description="look up")
    def _look_up(self, workspace: Workspace, skill: str, tool: str, real: bool) -> None:
        found = look_up(workspace, skill, tool, real=real)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Found(found))

    @on(Found)
    async def _put_in_what_was_found(self, event: Found) -> None:
        event.stop()
        found = event.tool
        if (found.skill, found.name) != self._wanted:
            return
        await self._put_in_tool(found)
        self.app.call_later(self._has_come)  # after the focus, which moves in the same way

    def _has_come(self) -> None:
        self.waiting = False

    async def _put_in_tool(self, found: ToolToTry) -> None:
        state = self._states.open(found)
        if state is None:
            self._state = None
            self._nothing(found.reason)
            return
        another = state is not self._state or state.model is not self.arguments.model
        if self._prefill is not None and self._prefill[:2] == self._wanted:
            another = state.model.load(self._prefill[2]) or another
            self._prefill = None
        self._state = state
        self._head(try_state.heading(state, found.isolation, self.size.width - 2, keymap_of(self)))
        self.about = found.isolation
        self.bar.set_limits(state.record.timeout, state.timeout_s, real=state.real, choice=has_copy(state.record))
        if another:
            await self._put_in(state)
            focused = self.screen.focused
            if (focused is None or self in focused.ancestors) and not self.arguments.form.focus_first():
                self.bar.query_one("#bar-run").focus()  # a tool that takes nothing has no field
        self.post_message(ToolHighlighted(state.skill, state.record.name))
        self._say()

    async def _put_in(self, state: TryState) -> None:
        await self.arguments.show(state.model)
        self._full = False
        if state.call is not None:
            self.result.start(Content(""))
        elif state.runs:
            self.result.show(state.runs[-1], state.earlier(state.runs[-1]))
        self._arrange()

    @on(Arguments.Changed)
    def _arguments_changed(self, event: Arguments.Changed) -> None:
        event.stop()
        self._say()

    @on(WhereField.Changed)
    def _other_place(self, event: WhereField.Changed) -> None:
        event.stop()
        state = self._state
        if state is not None and self._workspace is not None:
            state.real = self.bar.query_one(WhereField).real
            self._look_up(self._workspace, state.skill, state.record.name, state.real)

    @on(RunBar.TimeoutChanged)
    def _other_limit(self, event: RunBar.TimeoutChanged) -> None:
        event.stop()
        if self._state is not None:
            self._state.timeout_s = event.seconds

    @property
    def _calling(self) -> bool:
        return self.runner.call is not None

    def _say(self) -> None:
        """Say in the bar whether the arguments can be sent."""
        model, form = self.arguments.model, self.arguments.form
        running = self._calling
        state = Content("") if running else try_state.readiness(model, form.faults, strict=form.strict)
        faulty = model.sendable and any(form.strict or fault.keyword != "required" for fault in form.faults)
        self.bar.show(running=running, faulty=faulty, state=state)
        self._arrange()
        self.refresh_bindings()
