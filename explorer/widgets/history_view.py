"""History: the earlier calls of what is selected, also those of other days, and one of them in full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from explorer.messages import TryTool
from explorer.presenters import marks
from explorer.presenters.history import call_page, call_row
from explorer.services.forms.exact import dump
from explorer.widgets.overview import Overview
from explorer.widgets.row_list import RowList

if TYPE_CHECKING:
    from core.registry.history import PastCall
    from core.workspace import Workspace

MOST_CALLS = 500
NONE_YET = " No calls yet; 5 opens the form that makes one."


class CallList(RowList):
    """One row a call, newest first."""

    @dataclass
    class Highlighted(Message):
        """The cursor stands on this call."""

        call: PastCall | None

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[PastCall] = []
        self.of_one_tool = False

    def show(self, calls: list[PastCall], *, of_one_tool: bool) -> None:
        """Show other calls; the cursor stays on the same one where it is still there."""
        before = self.calls[self.cursor].id if self.calls else None
        self.calls, self.of_one_tool = calls, of_one_tool
        self.set_reactive(CallList.cursor, next((i for i, c in enumerate(calls) if c.id == before), 0))
        self.rows_changed()
        self.highlighted()

    def row_count(self) -> int:
        """Return the number of rows; one says that there are none."""
        return len(self.calls) or 1

    def selectable(self, index: int) -> bool:
        """Nothing can be selected where there is nothing."""
        return bool(self.calls)

    def row(self, index: int, width: int) -> Content:
        """Return a row."""
        if not self.calls:
            return Content.styled(NONE_YET, marks.MUTED)
        return call_row(self.calls[index], width, with_tool=not self.of_one_tool)

    def highlighted(self) -> None:
        """Tell what the cursor stands on."""
        self.tell(self.Highlighted(self.calls[self.cursor] if self.calls else None))

    def chosen(self) -> None:
        """Ask for the form of the tool that was called, with the arguments of that call."""
        if self.calls:
            call = self.calls[self.cursor]
            self.post_message(TryTool(call.skill, call.tool, dump(call.arguments)))


class HistoryView(Vertical):
    """The list above, the call at its cursor below."""

    DEFAULT_CSS = """
    HistoryView > CallList { height: auto; max-height: 50%; }
    HistoryView > Overview { height: 1fr; border-top: solid $line; }
    """

    @dataclass
    class Read(Message):
        """The calls have been read."""

        calls: list[PastCall]
        of_one_tool: bool

    def compose(self) -> ComposeResult:
        """Put the list above the page."""
        yield CallList()
        yield Overview()

    def show(self, workspace: Workspace, skill: str | None, tool: str | None) -> None:
        """Show the calls of a tool, else of a skill, else all."""
        self._look_up(workspace, skill, tool)

    @work(thread=True, exclusive=True, group="history", exit_on_error=False)
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
        call, page = message.call, self.query_one(Overview)
        page.display = call is not None
        if call is not None:
            page.show_page(lambda width: call_page(call, width))
