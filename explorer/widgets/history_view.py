"""History: the earlier calls of what is selected, also those of other days; one in full, or two side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.worker import get_current_worker

from explorer.messages import Notify
from explorer.presenters.diffs import compared_head
from explorer.presenters.history import call_page
from explorer.services.calls import CallRequest, command_line
from explorer.services.compare import Pair, compared_text, pairs
from explorer.services.tool_to_try import record_of
from explorer.widgets.call_list import CallList
from explorer.widgets.hint import keymap_of
from explorer.widgets.overview import Overview
from explorer.widgets.result.compared_view import ComparedView

if TYPE_CHECKING:
    from core.registry.history import PastCall
    from core.workspace import Workspace

MOST_CALLS = 500


class HistoryView(Vertical):
    """The list above; below it the call at its cursor, or how that differs from another."""

    DEFAULT_CSS = """
    HistoryView > CallList { height: auto; max-height: 50%; }
    HistoryView > Overview, HistoryView > ComparedView { height: 1fr; border-top: solid $line; }
    HistoryView > ComparedView { display: none; }
    HistoryView.-comparing > Overview, HistoryView.-empty > Overview { display: none; }
    HistoryView.-comparing > ComparedView { display: block; }
    """

    @dataclass
    class Read(Message):
        """The calls have been read."""

        calls: list[PastCall]
        of_one_tool: bool

    @dataclass
    class Matched(Message):
        """Two calls have been compared."""

        old: int
        new: int
        pairs: list[Pair]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._workspace: Workspace | None = None

    def compose(self) -> ComposeResult:
        """Put the list above the page."""
        yield CallList()
        yield Overview()
        yield ComparedView()

    def show(self, workspace: Workspace, skill: str | None, tool: str | None, reason: str = "") -> None:
        """Show the calls of a tool, else of a skill, else all."""
        self._workspace = workspace
        self._look_up(workspace, skill, tool)

    @work(thread=True, exclusive=True, group="history", exit_on_error=False, description="history")
    def _look_up(self, workspace: Workspace, skill: str | None, tool: str | None) -> None:
        calls = workspace.history.calls(skill, tool, MOST_CALLS)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Read(calls, tool is not None))

    def on_history_view_read(self, message: Read) -> None:
        """Show what was read."""
        self.query_one(CallList).show(message.calls, of_one_tool=message.of_one_tool)

    def on_call_list_highlighted(self, message: CallList.Highlighted) -> None:
        """Show the call in full."""
        message.stop()
        self.remove_class("-comparing")
        call = message.call
        self.set_class(call is None, "-empty")
        if call is not None:
            self.query_one(Overview).show_page(lambda width: call_page(call, width, keymap_of(self)))

    @on(CallList.Compare)
    def _compare(self, event: CallList.Compare) -> None:
        event.stop()
        self.query_one(ComparedView).wait()
        self.add_class("-comparing")
        self._match(event.old, event.new)

    @work(thread=True, exclusive=True, group="compare", exit_on_error=False, description="compare")
    def _match(self, old: PastCall, new: PastCall) -> None:
        found = pairs(*(compared_text(call.arguments, call.result) for call in (old, new)))
        if not get_current_worker().is_cancelled:
            self.post_message(self.Matched(old.id, new.id, found))

    @on(Matched)
    def _show_both(self, event: Matched) -> None:
        event.stop()
        self.query_one(ComparedView).compare(compared_head(event.old, event.new), event.pairs)

    @on(CallList.CopyCommand)
    def _copy_command(self, event: CallList.CopyCommand) -> None:
        event.stop()
        call, workspace = event.call, self._workspace
        record = record_of(workspace, call.skill, call.tool) if workspace is not None else None
        if workspace is None or record is None:
            self.post_message(Notify(f"{call.skill} has no {call.tool} any more.", "warning"))
            return
        request = CallRequest(call.skill, record, call.arguments, call.real)
        line = command_line(request, str(workspace.root), workspace.state)
        self.app.copy_to_clipboard(line)
        self.post_message(Notify(f"Copied: {line}", copied=True))
