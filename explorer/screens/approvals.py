"""Approvals: what may run in this workspace without being asked for, whether it runs now, and taking it back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from core.text import display, plural
from explorer.presenters.approvals import revoking_page, stored_page
from explorer.screens.fix import FixScreen
from explorer.screens.page import PageScreen
from explorer.widgets.approval_list import ApprovalList
from explorer.widgets.dialog import Dialog
from explorer.widgets.key_bar import KeyBar
from explorer.widgets.overview import Overview

if TYPE_CHECKING:
    from core.registry.approvals import Approval
    from core.workspace import Workspace
    from explorer.presenters.page import Page

T = TypeVar("T")
LOOK_S = 1.0


class ApprovalsScreen(Dialog[None]):
    """Follows what is approved and what runs under it, by this program or another, until it is closed."""

    HELP = "What is approved in this workspace. What is taken back is ended, and asked for again before it runs."

    class Read(Message):
        """The approvals have been read."""

        def __init__(self, approvals: tuple[Approval, ...], running: frozenset[str]) -> None:
            super().__init__()
            self.approvals, self.running = approvals, running

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._above: Dialog[Any] | None = None

    def compose(self) -> ComposeResult:
        """Put the list in a box with its keys below."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled("Approvals of this workspace", "bold"), classes="dialog-title")
            yield ApprovalList()
        yield KeyBar()

    def on_mount(self) -> None:
        """Read, and go on looking for what changes."""
        self._look()
        self.set_interval(LOOK_S, self._look)
        self.query_one(ApprovalList).focus()

    def _look(self) -> None:
        self._work(lambda: None)

    def _work(self, first: Callable[[], None]) -> None:
        """Do ``first`` in a thread, then read what is approved now."""

        def work() -> None:
            first()
            approvals = tuple(reversed(self._workspace.approvals.here()))
            self.post_message(self.Read(approvals, self._workspace.running()))

        self.run_worker(work, thread=True, group="approvals", exit_on_error=False, description="approvals")

    @on(Read)
    def _show(self, message: Read) -> None:
        rows = self.query_one(ApprovalList)
        if (message.approvals, message.running) != (rows.approvals, rows.running):
            rows.show(message.approvals, message.running)
            for page in self._above.query(Overview) if self._above is not None else ():
                page.show_again()

    def _put_above(self, dialog: Dialog[T], answered: Callable[[T | None], None] | None = None) -> None:
        """Show a dialog that goes on following what runs."""
        self._above = dialog
        self.app.push_screen(dialog, answered)

    @on(ApprovalList.Opened)
    def _open(self, message: ApprovalList.Opened) -> None:
        approval, rows = message.approval, self.query_one(ApprovalList)

        def page(width: int) -> Page:
            return stored_page(approval, width, runs=approval.digest in rows.running)

        self._put_above(PageScreen("Approved", page))

    @on(ApprovalList.Revoke)
    def _ask(self, message: ApprovalList.Revoke) -> None:
        approvals, rows = message.approvals, self.query_one(ApprovalList)
        title = f"Take {plural(len(approvals), 'approval')} of this workspace back?"

        def answered(yes: bool | None) -> None:
            if yes:
                self._work(lambda: self._revoke(approvals))

        self._put_above(
            FixScreen(title, lambda width: revoking_page(approvals, rows.running, width), "Revoke"), answered
        )

    def _revoke(self, approvals: tuple[Approval, ...]) -> None:
        """Take them back, in a thread: what runs under them is waited for."""
        try:
            gone = self._workspace.revoke(approval.digest for approval in approvals)
        except OSError as error:
            text = display(f"Nothing was taken back: {error.strerror or error}", 300)
            self.notify(text, severity="error", markup=False)
            return
        self.notify(f"{plural(len(gone), 'approval')} taken back; what ran under that is ended.", markup=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is no text to copy."""
        return action != "dialog_copy"

    def action_dialog_close(self) -> None:
        """Close."""
        self.dismiss(None)
