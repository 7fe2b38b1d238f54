"""The list of what is approved in the workspace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message

from explorer.commands import Where, bindings
from explorer.presenters import marks
from explorer.presenters.approvals import NONE_YET, Columns, approval_row, columns_of
from explorer.presenters.layout import wrap
from explorer.widgets.row_list import RowList

if TYPE_CHECKING:
    from core.registry.approvals import Approval


class ApprovalList(RowList):
    """One row an approval, newest first. Where there is none it says what asks for one."""

    BINDINGS = bindings(Where.APPROVALS)

    @dataclass
    class Opened(Message):
        """The whole of this approval is wanted."""

        approval: Approval

    @dataclass
    class Revoke(Message):
        """These are to be taken back."""

        approvals: tuple[Approval, ...]

    def __init__(self) -> None:
        super().__init__()
        self.approvals: tuple[Approval, ...] | None = None
        self.running: frozenset[str] = frozenset()
        self._columns = Columns()

    def show(self, approvals: tuple[Approval, ...], running: frozenset[str]) -> None:
        """Show these; the cursor stays on the same one where it is still there."""
        before = self.current
        self.approvals, self.running = approvals, running
        self._columns = columns_of(approvals)
        same = (at for at, approval in enumerate(approvals) if before and approval.digest == before.digest)
        self.set_reactive(ApprovalList.cursor, next(same, self.cursor))
        self.rows_changed()
        self.refresh_bindings()

    @property
    def current(self) -> Approval | None:
        """The approval at the cursor."""
        return self.approvals[self.cursor] if self.approvals else None

    def row_count(self) -> int:
        """Return the number of rows, those of the sentence that there is none included."""
        return len(self.approvals) if self.approvals else len(self._nothing(self.size.width))

    def selectable(self, index: int) -> bool:
        """Only an approval can be selected."""
        return bool(self.approvals)

    def can_move(self) -> bool:
        """Whether there is a second approval."""
        return len(self.approvals or ()) > 1

    def row(self, index: int, width: int) -> Content:
        """Return a row."""
        if not self.approvals:
            return self._nothing(width)[index]
        approval = self.approvals[index]
        return approval_row(approval, width, self._columns, runs=approval.digest in self.running)

    def _nothing(self, width: int) -> list[Content]:
        if self.approvals is None:
            return [Content("")]
        return [Content(" ") + line for line in wrap(Content.styled(NONE_YET, marks.MUTED), width - 2)]

    def chosen(self) -> None:
        """Ask for the whole of the approval."""
        if (approval := self.current) is not None:
            self.post_message(self.Opened(approval))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to take back only where there is something."""
        if action in ("approvals_revoke", "approvals_revoke_all"):
            return bool(self.approvals)
        return super().check_action(action, parameters)

    def action_approvals_revoke(self) -> None:
        """Ask to take the approval at the cursor back."""
        if (approval := self.current) is not None:
            self.post_message(self.Revoke((approval,)))

    def action_approvals_revoke_all(self) -> None:
        """Ask to take all of them back."""
        if self.approvals:
            self.post_message(self.Revoke(self.approvals))
