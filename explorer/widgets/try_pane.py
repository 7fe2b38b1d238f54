"""Try: a form for a tool's arguments, the JSON that will be sent, the call, and its result."""

from __future__ import annotations

from explorer.commands import Where, bindings
from explorer.messages import Notify
from explorer.services.calls import command_line, has_copy
from explorer.widgets.run_bar import WhereField
from explorer.widgets.trying.calls import TryCalls


class TryPane(TryCalls):
    """The keys of the pane. What they do to form, call and result is in the classes below it."""

    BINDINGS = [*bindings(Where.TRY)]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what is possible now."""
        state, calling = self._state, self._calling
        if action == "try_cancel":
            return calling
        if action == "try_where":
            return state is not None and has_copy(state.record)
        if action == "try_back":
            return (self._full or self.arguments.json_alone) and not calling
        if action == "try_json":
            return state is not None and not self._full
        if action == "try_result":
            return bool(state and (state.runs or state.call))
        if action == "try_send":
            model = self.arguments.model
            return state is not None and not calling and model.sendable and not model.acceptable
        if action == "try_run":
            return state is not None and not calling
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
        """Go back from the result to the form, or from the JSON in its place."""
        if self._full:
            self._turn_to(result=False)
        else:
            self.arguments.focus_form()

    def action_try_result(self) -> None:
        """Go to the result, or back to the form."""
        inside = self.screen.focused is not None and self.result in self.screen.focused.ancestors
        self._turn_to(result=not inside, full=self._full)

    def action_try_json(self) -> None:
        """Go to the JSON, or back to the form."""
        if self.arguments.editor.area.has_focus:
            self.arguments.focus_form()
        else:
            self.arguments.focus_json()

    def action_try_where(self) -> None:
        """Take the other place to run."""
        self.bar.query_one(WhereField).flip()

    async def action_try_reset(self) -> None:
        """Start over."""
        await self.arguments.reset()
        self._say()

    def action_try_command(self) -> None:
        """Copy the command line that makes this call."""
        request, workspace = self.request, self._workspace
        if request is None or workspace is None:
            return
        line = command_line(request, str(workspace.root), workspace.state)
        self.app.copy_to_clipboard(line)
        self.post_message(Notify(f"Copied: {line}", copied=True))

    def action_try_next(self) -> None:
        """Go to the next field; from the last one out of the pane."""
        self._leave_at_the_end(1)

    def action_try_previous(self) -> None:
        """Go to the field before; from the first one out of the pane."""
        self._leave_at_the_end(-1)
