"""``check --watch``: the findings that came and went with each save."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from explorer.cli.findings import print_findings
from explorer.cli.output import say, style

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.workspace import Workspace

Choose = Callable[["Workspace"], list["Diagnostic"]]


def follow(workspace: Workspace, choose: Choose, form: str) -> int:
    """Show all findings, then what changes in them, until interrupted; return the exit status of the last state.

    With ``--format json`` the first line is the whole document and each change another:
    ``{"added": [D…], "removed": [D…]}``.
    """
    from core.workspace.watch import WatchState, watch

    before = choose(workspace)
    _show_all(workspace, before, form)
    try:
        for change in watch(workspace.root, threading.Event()):
            if change.notice:
                say(style(change.notice, dim=True), err=True)
            if change.state is WatchState.GONE:
                continue
            workspace.load(changed=change.paths)
            before, earlier = choose(workspace), before
            _show_change(workspace, earlier, before, form)
    except KeyboardInterrupt:
        pass
    return 1 if any(d.severity == "error" for d in before) else 0


def _show_all(workspace: Workspace, found: list[Diagnostic], form: str) -> None:
    from explorer.cli.check import document

    if form == "json":
        _line(document(workspace, found))
    else:
        print_findings(workspace, found)


def _show_change(workspace: Workspace, before: list[Diagnostic], after: list[Diagnostic], form: str) -> None:
    gone = [d for d in before if d not in after]
    come = [d for d in after if d not in before]
    if not gone and not come:
        return
    if form == "json":
        _line({"added": [d.as_dict() for d in come], "removed": [d.as_dict() for d in gone]})
        return
    for found in gone:
        place = f"{found.place.path}:{found.place.line}"
        say(f"{style('gone', 'green', bold=True)} {style(place)}: {style(found.message)} {style(f'[{found.code}]')}")
    print_findings(workspace, come)


def _line(document: dict[str, Any]) -> None:
    click.echo(json.dumps(document, ensure_ascii=True))
