"""``register``: skills entered in the registry as they resolve now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from core.text import plural
from explorer.cli.common import format_option, load_workspace, registry_of, workspace_options
from explorer.cli.drift import failed_document, say_failed
from explorer.cli.output import cell, emit_json, say, style
from explorer.cli.text import problem_lines

if TYPE_CHECKING:
    from core.registry.skills import Entered


@click.command("register")
@click.argument("skills", metavar="SKILL...", nargs=-1, required=True)
@workspace_options
@format_option()
def command(skills: tuple[str, ...], workspace: str | None, state: str | None, form: str) -> int:
    """Enter skills in the registry with their flattened tools; exit status 1 when one does not resolve.

    Each is entered by itself. Nothing runs: the tools of an MCP server are entered by `refresh`.

    Example: skill-explorer register local/release-desk -w sample_workspace
    """
    with registry_of(load_workspace(workspace, state)) as registry:
        found = registry.register(skills)
        names = {entry.name for entry in registry.entries()}
        if form == "json":
            emit_json({"registered": [_row(one, names) for one in found.entered], **failed_document(found.failed)})
        else:
            for one in found.entered:
                _print(one, names)
            say_failed(found.failed)
        return 1 if found.failed else 0


def _row(entered: Entered, registered: set[str]) -> dict[str, Any]:
    return {
        "name": entered.entry.name,
        "registered_at": entered.entry.registered_at,
        "tools": entered.entry.tools,
        "state": _state(entered),
        "unavailable": [tool.name for tool in entered.snapshot.unavailable],
        "unregistered_includes": _unregistered(entered, registered),
        "undiscovered_servers": entered.snapshot.unknown_servers,
    }


def _state(entered: Entered) -> str:
    if entered.new:
        return "new"
    return "updated" if entered.drift else "unchanged"


def _unregistered(entered: Entered, registered: set[str]) -> list[str]:
    return [name for name in entered.snapshot.includes if name not in registered]


def _print(entered: Entered, registered: set[str]) -> None:
    entry = entered.entry
    again = "" if entered.new else f"; registered before: {entered.drift.words or 'unchanged'}"
    say(f"registered {style(entry.name, bold=True)}: {plural(entry.tools, 'tool')}{again}")
    for name in _unregistered(entered, registered):
        say(f"  includes {style(name)}, which is not registered itself")
    for line in problem_lines(entered.snapshot.unavailable):
        say(f"  {line}")
    for label in entered.snapshot.unknown_servers:
        say(f"  {cell(label)}: MCP server, not discovered; its tools are unknown until a refresh asks it")
