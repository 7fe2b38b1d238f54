"""``check``: validate everything, execute nothing."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from core.text import plural
from explorer.cli.common import chosen_path, format_option, load_workspace, path_argument
from explorer.cli.findings import print_findings
from explorer.cli.output import emit_json, say
from explorer.cli.text import MARKS

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.workspace import Workspace


@click.command("check")
@path_argument
@format_option("sarif", "github")
@click.option("--select", multiple=True, metavar="CODES", help="Only these codes or families, comma separated.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these codes or families, comma separated.")
@click.option("--strict", is_flag=True, help="Raise to errors what the Agent Skills reference validator rejects.")
@click.option(
    "--fix",
    is_flag=True,
    help="Apply the mechanical fixes, then report what is left. Fixes that decide something (which include of a cycle "
    "goes) wait until --select names their code.",
)
@click.option(
    "--diff",
    is_flag=True,
    help="Show what --fix would change, and change nothing: a patch for `git apply` or `patch -p1 --binary` in the "
    "workspace's folder.",
)
@click.option(
    "--watch",
    "follows",
    is_flag=True,
    help="Stay, and show what each save changes in the findings; as JSON one document a line.",
)
def command(
    path: str | None,
    workspace: str | None,
    state: str | None,
    form: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict: bool,
    fix: bool,
    diff: bool,
    follows: bool,
) -> int:
    """Validate a workspace; exit status 1 when there are errors.

    Example: skill-explorer check . --format json
    """
    _refuse_together(form, fix=fix, diff=diff, follows=follows)
    found = load_workspace(chosen_path(path, workspace), state)
    choose = Choice(_codes(select), _codes(ignore), strict)
    if diff:
        from explorer.cli.fixing import show_diff

        return show_diff(found, choose, choose.select, form)
    if fix:
        from explorer.cli.fixing import apply_fixes

        apply_fixes(found, choose, choose.select)
    if follows:
        from explorer.cli.watching import follow

        return follow(found, choose, form)
    return _report(found, choose(found), form)


def _refuse_together(form: str, *, fix: bool, diff: bool, follows: bool) -> None:
    """Raise click.UsageError for options that say two things at once."""
    if diff and (fix or follows):
        raise click.UsageError(f"--diff changes nothing and ends: leave out {'--fix' if fix else '--watch'}")
    if form in ("sarif", "github") and (diff or follows):
        raise click.UsageError(f"{'--diff' if diff else '--watch'} shows changes as text or json, not as {form}")


@dataclass(frozen=True)
class Choice:
    """Which findings count: codes or families to keep and to leave out, and the strict profile."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False

    def __call__(self, workspace: Workspace) -> list[Diagnostic]:
        """Return the findings of ``workspace`` that count."""
        from core.workspace.settings import matches

        found = [
            d
            for d in workspace.diagnostics
            if (not self.select or matches(d.code, self.select)) and not matches(d.code, self.ignore)
        ]
        if not self.strict:
            return found
        from core.language.agent_skill.strict import strict

        return strict(found)


def _report(workspace: Workspace, chosen: list[Diagnostic], form: str) -> int:
    summary = _summary(workspace, chosen)
    if form == "json":
        emit_json(document(workspace, chosen))
    elif form == "sarif":
        emit_json(formats().sarif(workspace.root, chosen))
    elif form == "github":
        for line in formats().github(workspace.root, chosen):
            say(line)
    else:
        print_findings(workspace, chosen)
        say(summary_line(summary))
    return 1 if summary["errors"] else 0


def document(workspace: Workspace, chosen: list[Diagnostic]) -> dict[str, Any]:
    """Return the JSON document of ``check``."""
    found = [d.as_dict() for d in chosen]
    return {"workspace": str(workspace.root), "summary": _summary(workspace, chosen), "diagnostics": found}


def summary_line(summary: dict[str, Any]) -> str:
    """Return the counts in words."""

    def counted(noun: str) -> str:
        return plural(summary[f"{noun}s"], noun)

    return (
        f"{counted('skill')}, {counted('tool')}, {counted('actor')} in {counted('file')}: "
        f"{counted('error')}, {counted('warning')}, {counted('info')}"
    )


def formats() -> ModuleType:
    """The forms for other programs, imported when asked for."""
    from explorer.cli import formats as module

    return module


def _codes(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the codes and families of an option.

    Raises:
        click.UsageError: one of them is neither; it would silently choose nothing.
    """
    codes = tuple(code.strip() for value in values for code in value.split(",") if code.strip())
    if codes:
        from core.diagnostics.catalogue import catalogue
        from core.text import nearest

        known = {name for code in catalogue() for name in (code, code.split("/")[0])}
        for code in codes:
            if code.rstrip("/") not in known:
                near = nearest(code, known)
                hint = f"; did you mean {near[0]!r}?" if near else "; `skill-explorer explain` lists them"
                raise click.UsageError(f"there is no diagnostic {code!r}{hint}")
    return codes


def _summary(workspace: Workspace, chosen: list[Diagnostic]) -> dict[str, Any]:
    shown = [str(d.severity) for d in chosen]
    counted = {f"{severity}s": shown.count(severity) for severity in MARKS}
    return {**asdict(workspace.counts), **counted}
