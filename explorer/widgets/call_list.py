"""The list of earlier calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message

from explorer.commands import Where, bindings
from explorer.messages import TryTool
from explorer.presenters import marks
from explorer.presenters.history import call_row
from explorer.services.forms.exact import dump
from explorer.widgets.hint import with_keys
from explorer.widgets.row_list import RowList

if TYPE_CHECKING:
    from core.registry.history import PastCall

NONE_YET = "No calls yet; {show-tab-5} opens the form that makes one."


class CallList(RowList):
    """One row a call, newest first; one of them may be marked for comparing."""

    HELP = "Earlier calls, the newest first; below them the one at the cursor, or a comparison."
    BINDINGS = bindings(Where.HISTORY)

    @dataclass
    class Highlighted(Message):
        """The cursor stands on this call."""

        call: PastCall | None

    @dataclass
    class Compare(Message):
        """These two are to be compared, the older one first."""

        old: PastCall
        new: PastCall

    @dataclass
    class CopyCommand(Message):
        """The command line of this call is wanted."""

        call: PastCall

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[PastCall] = []
        self._read = False
        self.of_one_tool = False
        self.marked: int | None = None

    def show(self, calls: list[PastCall], *, of_one_tool: bool) -> None:
        """Show other calls; cursor and mark stay on the same ones where they are still there."""
        before = self.calls[self.cursor].id if self.calls else None
        self.calls, self.of_one_tool, self._read = calls, of_one_tool, True
        if all(call.id != self.marked for call in calls):
            self.marked = None
        self.set_reactive(CallList.cursor, next((i for i, c in enumerate(calls) if c.id == before), 0))
        self.rows_changed()
        self.highlighted()
        self.refresh_bindings()

    def row_count(self) -> int:
        """Return the number of rows; one says that there are none."""
        return len(self.calls) or 1

    def selectable(self, index: int) -> bool:
        """Nothing can be selected where there is nothing."""
        return bool(self.calls)

    def row(self, index: int, width: int) -> Content:
        """Return a row."""
        if not self.calls:
            said = with_keys(self, NONE_YET) if self._read else marks.LOADING
            return Content.styled(f" {said}", marks.MUTED)
        call = self.calls[index]
        return call_row(call, width, with_tool=not self.of_one_tool, marked=call.id == self.marked)

    def highlighted(self) -> None:
        """Tell what the cursor stands on."""
        self.tell(self.Highlighted(self.current))

    def chosen(self) -> None:
        """Ask for the form of the tool that was called, with the arguments of that call."""
        if (call := self.current) is not None:
            self.post_message(TryTool(call.skill, call.tool, dump(call.arguments)))

    @property
    def current(self) -> PastCall | None:
        """The call at the cursor."""
        return self.calls[self.cursor] if self.calls else None

    @property
    def other(self) -> PastCall | None:
        """The call that the one at the cursor is compared with: the marked one, else the one before of its tool."""
        here = self.current
        if here is None:
            return None
        if self.marked is not None and self.marked != here.id:
            return next(call for call in self.calls if call.id == self.marked)
        older = self.calls[self.cursor + 1 :]
        return next((call for call in older if (call.skill, call.tool) == (here.skill, here.tool)), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what the list has."""
        if action in ("history_mark", "history_copy"):
            return bool(self.calls)
        if action == "history_compare":
            return self.other is not None
        return super().check_action(action, parameters)

    def action_history_mark(self) -> None:
        """Mark the call at the cursor, or take its mark away."""
        if (call := self.current) is not None:
            self.marked = None if call.id == self.marked else call.id
            self.refresh()
            self.refresh_bindings()

    def action_history_compare(self) -> None:
        """Ask for the comparison."""
        here, other = self.current, self.other
        if here is not None and other is not None:
            self.post_message(self.Compare(*sorted((here, other), key=lambda call: call.id)))

    def action_history_copy(self) -> None:
        """Ask for the command line."""
        if (call := self.current) is not None:
            self.post_message(self.CopyCommand(call))
