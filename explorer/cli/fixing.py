"""``check --fix`` and ``check --diff``."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from core.workspace.fixes import FixPlan, plan_fixes, write_fixed
from explorer.cli.output import say, style

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.workspace import Workspace

ROUNDS = 50


def show_diff(workspace: Workspace, chosen: list[Diagnostic], named: Collection[str]) -> int:
    """Print what the fixes would change; the exit status is 1 when there is something."""
    plan = plan_fixes(chosen, workspace.text_of, named)
    for fixed in plan.files:
        for line in fixed.diff().splitlines():
            say(style(line, {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])))
    return 1 if plan.files else 0


def apply_fixes(workspace: Workspace, choose: Callable[[Workspace], list[Diagnostic]], named: Collection[str]) -> None:
    """Apply the fixes of what ``choose`` chooses and reload, until nothing is left that a fix would change.

    Fixes that overlapped get their turn in the next round, and so does the next of several cycles.
    """
    for _ in range(ROUNDS):
        if not _write(workspace, plan_fixes(choose(workspace), workspace.text_of, named)):
            return
        workspace.load()


def _write(workspace: Workspace, plan: FixPlan) -> bool:
    wrote = False
    for fixed in plan.files:
        if write_fixed(workspace.root, fixed):
            wrote = True
            say(f"fixed {style(fixed.path)}", err=True)
        else:
            say(f"{style(fixed.path)} has changed meanwhile: left alone", err=True)
    return wrote
