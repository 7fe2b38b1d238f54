"""What is asked or shown on top of the main screen, and what an answer does."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.text import display
from explorer.messages import AskApproval, AskApprovals, AskCarryOver, Consent, Request
from explorer.presenters.fix_page import fix_page, new_file_page
from explorer.presenters.result import changes_page
from explorer.presenters.why_page import why_page
from explorer.screens.confirm import ConfirmScreen, Decision
from explorer.screens.fix import FixScreen
from explorer.screens.page import PageScreen
from explorer.services.flat import why_of
from explorer.widgets.hint import with_keys

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.runtime.call import ExecutionIdentity
    from core.workspace import Workspace
    from explorer.screens.areas import Areas

FIRST_SKILL = "local/first-skill"
T = TypeVar("T")


def show_why(screen: Areas, workspace: Workspace, skill: str, tool: str) -> None:
    """Show why ``tool`` is in ``skill``; a link in it leads on."""
    why = why_of(workspace, skill, tool)
    if why is None:
        screen.notify(display(f"{tool} is no longer in {skill}.", 500), severity="warning", markup=False)
        return
    _open_page(screen, PageScreen("Why", lambda width: why_page(why, width)))


def show_approvals(screen: Areas, workspace: Workspace) -> None:
    """Show what is approved; afterwards the Overview says how things stand."""
    from explorer.screens.approvals import ApprovalsScreen

    screen.app.push_screen(ApprovalsScreen(workspace), lambda _: screen.detail.look_again())


def _open_page(screen: Areas, page: PageScreen) -> None:
    def follow(request: Request | None) -> None:
        if request is not None:
            screen.post_message(request)

    screen.app.push_screen(page, follow)


def ask_approval(screen: Areas, message: AskApproval) -> None:
    """Show the dialog; leaving it in any way answers, so that nobody waits for ever."""

    dialog = ConfirmScreen((message.identity,), confirm_only=message.confirm_only, call=message.call)
    _ask(screen, dialog, lambda decision: _settle(message.answer, decision.consent))


def ask_approvals(screen: Areas, message: AskApprovals) -> None:
    """Show the dialog for several things at once, in the same way."""

    def answer(decision: Decision) -> None:
        _settle(message.answer, frozenset(identity.digest for identity in decision.chosen))

    _ask(screen, ConfirmScreen(message.identities), answer)


def _ask(screen: Areas, dialog: ConfirmScreen, tell: Callable[[Decision], None]) -> None:
    def answered(decision: Decision | None) -> None:
        decision = decision or Decision()
        if decision.consent is Consent.APPROVE:
            _record(screen, decision.chosen)
        tell(decision)

    screen.app.push_screen(dialog, answered)


def _settle(answer: Future[T], value: T) -> None:
    if not answer.done():
        answer.set_result(value)


def ask_carry_over(screen: Areas, message: AskCarryOver) -> None:
    """Show what would change in the real workspace; on yes, have it carried over."""

    def answer(yes: bool | None) -> None:
        if yes:
            message.then()

    screen.app.push_screen(FixScreen(message.question, lambda width: changes_page(message.changes, width)), answer)


def _record(screen: Areas, identities: tuple[ExecutionIdentity, ...]) -> None:
    """Keep the approvals; what cannot be kept holds for this once, and that is said."""
    if screen.workspace is None:
        return
    try:
        screen.workspace.record_approvals(identities)
        screen.detail.look_again()
    except OSError as error:
        text = display(f"This holds for once; the approval could not be kept: {error}", 300)
        screen.notify(text, severity="warning", markup=False)


def offer_fix(screen: Areas, workspace: Workspace, found: Diagnostic) -> None:
    """Show what the fix changes; on yes, change it and read the workspace again."""
    from core.workspace.fixes import plan_one, write_fixed

    assert found.fix is not None
    title = found.fix.title
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
        if done := [fixed.path for fixed in plan if fixed.path not in refused]:
            screen.notify(display(f"Fixed {', '.join(done)}: {title}.", 300), markup=False)
        screen.load()

    screen.app.push_screen(FixScreen(found.fix.title, lambda width: fix_page(found, plan, width)), apply)


def offer_first_skill(screen: Areas, root: Path) -> None:
    """Show the file that a first skill starts from; on yes, write it and read the workspace again."""
    from core.workspace.starters import starter, write_starter

    path, text = starter("skill", FIRST_SKILL)

    def write(yes: bool | None) -> None:
        if not yes:
            return
        try:
            write_starter(root, "skill", FIRST_SKILL)
        except OSError as error:
            screen.notify(display(f"{path} was not written: {error}", 300), severity="error", markup=False)
            return
        screen.notify(with_keys(screen, f"Wrote {path}; {{edit-file}} opens it in your editor."), markup=False)
        screen.load()

    screen.app.push_screen(FixScreen("Write a first skill", lambda width: new_file_page(path, text, width)), write)
