"""``trust``: what may run, listed, approved as it is now, and taken back."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import click

from core.text import display, plural
from explorer.cli.common import chosen_path, format_option, load_workspace, path_argument, say_notices
from explorer.cli.output import cell, emit_json, say, style

if TYPE_CHECKING:
    from core.runtime.call import ExecutionIdentity
    from core.workspace import Workspace

_DIGEST = re.compile(r"[0-9a-f]{6,64}")


@click.command("trust")
@path_argument
@format_option()
@click.option("--list", "listing", is_flag=True, help="Only list what would run and what is approved.")
@click.option(
    "--revoke",
    "revoked",
    multiple=True,
    metavar="DIGEST|all",
    help="Take approvals back; all are those of this workspace.",
)
@click.option("--all-workspaces", "everywhere", is_flag=True, help="With --revoke all: those of all workspaces.")
@click.option("--yes", is_flag=True, help="Approve without asking, as needed where there is no terminal.")
def command(
    path: str | None,
    workspace: str | None,
    state: str | None,
    form: str,
    listing: bool,
    revoked: tuple[str, ...],
    everywhere: bool,
    yes: bool,
) -> int:
    """List what the workspace would run, and approve it exactly as it is now.

    Example: skill-explorer trust sample_workspace --list
    """
    digests = _digests(revoked)
    if everywhere and "all" not in revoked:
        raise click.UsageError("--all-workspaces goes with --revoke all")
    found = load_workspace(chosen_path(path, workspace), state)
    try:
        if revoked:
            return _revoke(found, digests, form, everywhere=everywhere)
        items = _items(found)
        if not listing and not _approve(found, items, ask=not yes, form=form):
            return _cannot_ask(found, items, form)
        return _report(found, _items(found), form, whole=not listing)
    finally:
        say_notices(found)
        found.close()


def _digests(revoked: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the beginnings of digests that ``--revoke`` names; None for all.

    Raises:
        click.UsageError: one is no beginning of a digest, or too short to mean one thing.
    """
    for word in revoked:
        if word != "all" and not _DIGEST.fullmatch(word):
            raise click.UsageError(f"--revoke takes at least 6 digits of a digest, or all, not `{display(word, 80)}`")
    return None if "all" in revoked else revoked


def _items(workspace: Workspace) -> list[tuple[ExecutionIdentity, str]]:
    return [(identity, workspace.approvals.state_of(identity)) for identity in workspace.all_identities()]


def _approve(workspace: Workspace, items: list[tuple[ExecutionIdentity, str]], *, ask: bool, form: str) -> bool:
    """Approve ``items``, after a yes where ``ask`` is set; False where there is nobody to ask."""
    open_items = [identity for identity, state in items if state != "approved"]
    if not open_items:
        return True
    if ask:
        if sys.stdin is None or not sys.stdin.isatty() or form == "json":
            return False
        for identity in open_items:
            _describe(workspace.approvals.compared(identity))
        if not click.confirm(f"Approve these {len(open_items)} as they are now?", default=False):
            return True
    try:
        workspace.record_approvals(open_items)
    except OSError as error:
        raise click.ClickException(f"nothing was approved: {error.strerror or error}") from error
    return True


def _cannot_ask(workspace: Workspace, items: list[tuple[ExecutionIdentity, str]], form: str) -> int:
    """Show what would be approved, and say how to approve it."""
    if form != "json":
        for identity in (identity for identity, state in items if state != "approved"):
            _describe(workspace.approvals.compared(identity))
    _report(workspace, items, form, whole=False)
    raise click.UsageError("nothing was approved: there is no terminal to ask on; --yes approves what --list shows")


def _describe(identity: ExecutionIdentity) -> None:
    say(f"{style(identity.kind, bold=True)} {style(identity.title)}  {_place(identity)}")
    for label, value in identity.details:
        say(f"    {style(label)}: {cell(value, 4000)}")
    for warning in identity.warnings:
        say(f"    {style(warning, 'yellow')}")
    for line in identity.changed:
        say(f"    {style(line, 'cyan')}")
    for line in (identity.code or "").splitlines():
        say(f"    | {style(line)}")


def _place(identity: ExecutionIdentity) -> str:
    return "built in" if identity.path is None else style(f"{identity.path}:{identity.line}")


def _revoke(workspace: Workspace, digests: tuple[str, ...] | None, form: str, *, everywhere: bool) -> int:
    try:
        gone = workspace.revoke(digests, everywhere=everywhere)
    except OSError as error:
        raise click.ClickException(f"nothing was revoked: {error.strerror or error}") from error
    unmatched = [word for word in digests or () if not any(approval.digest.startswith(word) for approval in gone)]
    for word in unmatched:
        say(f"no approval begins with {word}: nothing was revoked for it", err=True)
    if form == "json":
        emit_json(
            {"revoked": [{"kind": a.kind, "source": a.title, "digest": a.digest} for a in gone], "unknown": unmatched}
        )
        return 1 if unmatched else 0
    for approval in gone:
        say(f"revoked {style(approval.kind)} {style(approval.title)} ({approval.digest[:12]})")
    if gone or not unmatched:
        say(f"{plural(len(gone), 'approval')} revoked")
    return 1 if unmatched else 0


def _report(workspace: Workspace, items: list[tuple[ExecutionIdentity, str]], form: str, *, whole: bool) -> int:
    others = _others(workspace, items)
    if form == "json":
        emit_json({"items": [_item(identity, state) for identity, state in items], "others": others})
        return 0
    for identity, state in items:
        say(f"{state:9} {cell(identity.kind)} {cell(identity.title, 120)}  {_place(identity)}  {identity.digest[:12]}")
    if not items:
        say("nothing in this workspace would run code of its own")
    elif whole and all(state == "approved" for _, state in items):
        say(f"{len(items)} approved as they are now")
    for other in others:
        what = f"{cell(other['kind'])} {cell(other['source'], 120)}  {style(other['workspace'])}"
        say(f"{'stored':9} {what}  {other['digest'][:12]}")
    return 0


def _others(workspace: Workspace, items: list[tuple[ExecutionIdentity, str]]) -> list[dict[str, Any]]:
    """Return the stored approvals of earlier states and of other workspaces, which can be taken back too."""
    present = {identity.digest for identity, _ in items}
    return [
        {"kind": a.kind, "source": a.title, "workspace": a.root, "digest": a.digest, "approved_at": a.approved_at}
        for a in workspace.approvals.entries()
        if a.digest not in present
    ]


def _item(identity: ExecutionIdentity, state: str) -> dict[str, Any]:
    return {
        "kind": identity.kind,
        "source": identity.title,
        "path": identity.path,
        "line": identity.line,
        "digest": identity.digest,
        "state": state,
        "runs": [{"label": label, "value": value} for label, value in identity.details],
        "code": identity.code,
        "warnings": list(identity.warnings),
    }
