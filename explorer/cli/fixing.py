"""``check --fix`` and ``check --diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.workspace.fixes import FixPlan, plan_fixes, write_fixed
from explorer.cli.output import say, style

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.workspace import Workspace

ROUNDS = 5


def show_diff(workspace: Workspace, chosen: list[Diagnostic]) -> int:
    """Print what the fixes would change; the exit status is 1 when there is something."""
    plan = plan_fixes(chosen, workspace.text_of)
    for fixed in plan.files:
        for line in fixed.diff().splitlines():
            say(style(line, {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])))
    return 1 if plan.files else 0


def apply_fixes(workspace: Workspace, chosen: list[Diagnostic]) -> None:
    """Apply the fixes of ``chosen`` and reload; fixes that overlapped get their turn in the next round."""
    codes = {d.code for d in chosen}
    for _ in range(ROUNDS):
        plan = plan_fixes([d for d in workspace.diagnostics if d.code in codes], workspace.text_of)
        if not _write(workspace, plan):
            return
        workspace.load()
        if not plan.left:
            return


def _write(workspace: Workspace, plan: FixPlan) -> bool:
    wrote = False
    for fixed in plan.files:
        if write_fixed(workspace.root, fixed):
            wrote = True
            say(f"fixed {style(fixed.path)}", err=True)
        else:
            say(f"{style(fixed.path)} has changed meanwhile: left alone", err=True)
    return wrote
