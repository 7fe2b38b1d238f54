"""Approvals: what may run in this workspace without being asked for, whether it runs now, and taking it back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from core.registry.approvals import Approval
    from core.workspace import Workspace

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

    @on(ApprovalList.Opened)
    def _open(self, message: ApprovalList.Opened) -> None:
        approval, runs = message.approval, message.approval.digest in self.query_one(ApprovalList).running
        self.app.push_screen(PageScreen("Approved", lambda width: stored_page(approval, width, runs=runs)))

    @on(ApprovalList.Revoke)
    def _ask(self, message: ApprovalList.Revoke) -> None:
        approvals, running = message.approvals, self.query_one(ApprovalList).running
        title = f"Take {plural(len(approvals), 'approval')} of this workspace back?"

        def answered(yes: bool | None) -> None:
            if yes:
                self._work(lambda: self._revoke(approvals))

        dialog = FixScreen(title, lambda width: revoking_page(approvals, running, width), "Revoke")
        self.app.push_screen(dialog, answered)

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
