"""Try: a form for a tool's arguments, the JSON that will be sent, the call, and its result."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import get_current_worker

from core.text import display
from explorer.commands import Where, bindings
from explorer.messages import Notify, ToolHighlighted
from explorer.presenters import marks, try_state
from explorer.services.calls import CallRequest, RunningCall, command_line, has_copy
from explorer.services.runs import TryState, TryStates
from explorer.services.tool_to_try import ToolToTry, look_up
from explorer.widgets.arguments import Arguments
from explorer.widgets.call_runner import CallRunner
from explorer.widgets.form.fields import TextField
from explorer.widgets.result.carry_over import CarryOver
from explorer.widgets.result.result_view import ResultView
from explorer.widgets.run_bar import RunBar, WhereField

if TYPE_CHECKING:
    from core.workspace import Workspace


class TryPane(Vertical):
    """Keeps a form and its runs for every tool that was looked at. One call runs at a time."""

    BINDINGS = [*bindings(Where.TRY)]
    DEFAULT_CSS = """
    TryPane > #try-head { height: auto; max-height: 3; padding: 0 1; }
    TryPane.-short > #try-head { max-height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    TryPane > Arguments { height: 1fr; }
    """

    @dataclass
    class Found(Message):
        """The tool to try has been looked up."""

        tool: ToolToTry

    def __init__(self, *, id: str | None = None, clock: Callable[[], float] = time.monotonic) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._clock = clock
        self._workspace: Workspace | None = None
        self._states = TryStates()
        self._state: TryState | None = None
        self._wanted: tuple[str, str] | None = None
        self._full = False
        self._field: Widget | None = None
        self._prefill: tuple[str, str, str] | None = None

    def compose(self) -> ComposeResult:
        """Form and JSON side by side, the bar, the result."""
        yield Static(id="try-head")
        yield Arguments()
        yield RunBar()
        yield ResultView()
        yield CallRunner()

    def on_mount(self) -> None:
        """Begin empty."""
        self._nothing("Choose a tool to try it.")

    def on_unmount(self) -> None:
        """Drop what runs have kept."""
        self._states.discard()

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

    # Which tool

    def show(self, workspace: Workspace, skill: str | None, tool: str | None) -> None:
        """Show the form of ``tool`` as it was left; the same tool again keeps everything."""
        self._workspace = workspace
        self.result.results_folder = workspace.state / "results"
        if skill is None or tool is None:
            self._wanted = self._state = None
            self._nothing("Choose a tool to try it." if skill is None else f"Choose a tool of {skill} to try it.")
            return
        if self._wanted != (skill, tool):
            self._state = None
            self._nothing("Looking at the tool…")
        self._wanted = skill, tool
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

    async def on_try_pane_found(self, event: Found) -> None:
        """Put the form in."""
        event.stop()
        found = event.tool
        if (found.skill, found.name) != self._wanted:
            return
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
        self.query_one("#try-head", Static).update(try_state.heading(state, found.isolation))
        self.bar.set_limits(state.record.timeout, state.timeout_s, real=state.real, choice=has_copy(state.record))
        if another:
            await self._put_in(state)
            focused = self.screen.focused
            if focused is None or self in focused.ancestors:
                self.arguments.form.focus_first()
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

    def _arrange(self) -> None:
        """Form and result share the pane where it is high enough; else they take turns."""
        state = self._state
        called = state is not None and (bool(state.runs) or state.call is not None)
        self._full = self._full and called
        _display(self.arguments, state is not None and not self._full)
        _display(self.bar, state is not None)
        _display(self.result, called and (self._full or not self._is_short))
        most = max(6, self.size.height * 2 // 5)
        shared = self.result.display and not self._full
        self.arguments.styles.height = min(self.arguments.lines, most) if shared else "1fr"

    def _nothing(self, reason: str) -> None:
        self._arrange()
        self.query_one("#try-head", Static).update(Content.styled(display(reason, 500), marks.MUTED))

    # Arguments

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

    def _say(self) -> None:
        model = self.arguments.model
        running = self._calling
        faults, strict = self.arguments.form.faults, self.arguments.form.strict
        state = Content("") if running else try_state.readiness(model, faults, strict=strict)
        faulty = model.sendable and any(strict or fault.keyword != "required" for fault in faults)
        self.bar.show(running=running, faulty=faulty, state=state)
        self._arrange()
        self.refresh_bindings()

    # Calls

    @property
    def _calling(self) -> bool:
        return self.runner.call is not None

    @on(RunBar.Pressed)
    async def _pressed(self, event: RunBar.Pressed) -> None:
        event.stop()
        if event.what == "cancel":
            self.runner.cancel()
        else:
            await self._run(unchecked=event.what == "send")

    async def _run(self, *, unchecked: bool) -> None:
        state, workspace = self._state, self._workspace
        if state is None or workspace is None or self._calling:
            return
        model = state.model
        if not model.sendable or (not unchecked and not model.acceptable):
            self._full = False
            await self.arguments.refuse()
            self._say()
            self.post_message(Notify(try_state.refusal(model, self.arguments.form.faults), "warning"))
            return
        request = CallRequest(state.skill, state.record, model.value, state.real, unchecked, state.timeout_s)
        call = RunningCall(request, self.runner.ask, self._clock)
        state.call = call
        self.result.start(try_state.progress(call, None, ""))
        self.runner.start(workspace, call)
        self._full = self._full or self._is_short
        self._say()
        self.result.focus_view()

    @property
    def _is_short(self) -> bool:
        return self.size.height < 26

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
        else:
            self._go_back()

    def _go_back(self) -> None:
        """Go to the field where the user was, with the caret where it was."""
        field = self._field
        if field is None or not field.is_attached or self.arguments not in field.ancestors:
            self.arguments.form.focus_first()
            return
        if isinstance(field, TextField):
            field.select_on_focus = False
        field.focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember the field."""
        if self.arguments in event.widget.ancestors:
            self._field = event.widget

    def on_resize(self, _event: events.Resize) -> None:
        """Share the pane anew."""
        self.set_class(self._is_short, "-short")
        self._arrange()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what is possible now."""
        if action == "try_cancel":
            return self._calling
        if action == "try_where":
            return self._state is not None and has_copy(self._state.record)
        if action == "try_back":
            return self._full and not self._calling
        if action == "try_result":
            return bool(self._state and (self._state.runs or self._state.call))
        if action == "try_send":
            model = self.arguments.model
            return self._state is not None and not self._calling and model.sendable and not model.acceptable
        if action == "try_run":
            return self._state is not None and not self._calling
        return super().check_action(action, parameters)

    async def action_try_run(self) -> None:
        """Run the tool."""
        await self._run(unchecked=False)

    async def action_try_send(self) -> None:
        """Run the tool with arguments that its schema refuses."""
        await self._run(unchecked=True)

    def action_try_cancel(self) -> None:
        """Stop the running call."""
        self.runner.cancel()

    def action_try_back(self) -> None:
        """Go back from the result to the form."""
        self._turn_to(result=False)

    def action_try_result(self) -> None:
        """Go to the result, or back to the form."""
        inside = self.screen.focused is not None and self.result in self.screen.focused.ancestors
        self._turn_to(result=not inside, full=self._full)

    def action_try_where(self) -> None:
        """Take the other place to run."""
        self.bar.query_one(WhereField).flip()

    async def action_try_reset(self) -> None:
        """Start over."""
        await self.arguments.reset()
        self._say()

    def action_try_command(self) -> None:
        """Copy the command line that makes this call."""
        state, workspace = self._state, self._workspace
        if state is None or workspace is None:
            return
        request = CallRequest(state.skill, state.record, state.model.value, state.real, False, state.timeout_s)
        line = command_line(request, str(workspace.root))
        self.app.copy_to_clipboard(line)
        self.post_message(Notify(f"Copied: {line}"))

    def action_try_next(self) -> None:
        """Go to the next field; from the last one out of the pane."""
        self._leave_at_the_end(1)

    def action_try_previous(self) -> None:
        """Go to the field before; from the first one out of the pane."""
        self._leave_at_the_end(-1)

    def _leave_at_the_end(self, step: int) -> None:
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
