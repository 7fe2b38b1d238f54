"""What is asked or shown on top of the main screen, and what an answer does."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from core.text import display
from explorer.messages import AskApproval, Consent, Request
from explorer.presenters.fix_page import fix_page
from explorer.presenters.why_page import why_page
from explorer.screens.confirm import ConfirmScreen
from explorer.screens.fix import FixScreen
from explorer.screens.page import PageScreen
from explorer.services.editor import NoEditor, editor_command
from explorer.services.flat import why_of

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.workspace import Workspace
    from explorer.screens.areas import Areas


def show_why(screen: Areas, workspace: Workspace, skill: str, tool: str) -> None:
    """Show why ``tool`` is in ``skill``; a link in it leads on."""
    why = why_of(workspace, skill, tool)
    if why is None:
        screen.notify(display(f"{tool} is no longer in {skill}.", 500), severity="warning", markup=False)
        return
    _open_page(screen, PageScreen("Why", lambda width: why_page(why, width)))


def _open_page(screen: Areas, page: PageScreen) -> None:
    def follow(request: Request | None) -> None:
        if request is not None:
            screen.post_message(request)

    screen.app.push_screen(page, follow)


def ask_approval(screen: Areas, message: AskApproval) -> None:
    """Show the dialog; leaving it in any way answers, so that nobody waits for ever."""

    def answer(consent: Consent | None) -> None:
        if not message.answer.done():
            message.answer.set_result(consent or Consent.CANCEL)

    screen.app.push_screen(ConfirmScreen(message.identity, confirm_only=message.confirm_only), answer)


def copy(screen: Areas, text: str) -> None:
    """Copy ``text`` in its displayed form, and say what was sent to the terminal's clipboard."""
    if not text:
        return
    shown = display(text, 100_000, multiline=True)
    screen.app.copy_to_clipboard(shown)
    screen.notify(f"Copied: {display(shown, 60)}", markup=False)


def edit(screen: Areas, root: Path, path: str, line: int) -> None:
    """Give the terminal to the user's editor, then read the workspace again."""
    try:
        command = editor_command(root, path, line)
        with screen.app.suspend():
            status = _run(command)
    except NoEditor as reason:
        screen.notify(display(str(reason), 300), severity="warning", markup=False)
        return
    except SuspendNotSupported:
        screen.notify("This terminal cannot be given to an editor.", severity="warning", markup=False)
        return
    if status:
        screen.notify(display(f"The editor ended with {status}.", 300), severity="warning", markup=False)
    screen.load()


def _run(command: list[str]) -> str:
    try:
        status = subprocess.run(command, check=False).returncode
    except OSError as error:
        return str(error)
    return f"status {status}" if status else ""


def offer_fix(screen: Areas, workspace: Workspace, found: Diagnostic) -> None:
    """Show what the fix changes; on yes, change it and read the workspace again."""
    from core.workspace.fixes import plan_one, write_fixed

    assert found.fix is not None
    try:
        plan = plan_one(found.fix, workspace.text_of)
    except (OSError, ValueError) as error:
        screen.notify(display(f"The fix cannot be shown: {error}", 300), severity="error", markup=False)
        return

    def apply(yes: bool | None) -> None:
        if not yes:
            return
        try:
            refused = [fixed.path for fixed in plan if not write_fixed(workspace.root, fixed)]
        except OSError as error:
            screen.notify(display(f"Nothing was fixed: {error}", 300), severity="error", markup=False)
            return
        if refused:
            text = f"{', '.join(refused)} has changed meanwhile, so it was left alone."
            screen.notify(display(text, 300), severity="warning", markup=False)
        screen.load()

    screen.app.push_screen(FixScreen(found.fix.title, lambda width: fix_page(found, plan, width)), apply)
