"""``register``: skills entered in the registry as they resolve now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from core.text import plural
from explorer.cli.common import format_option, load_workspace, registry_of, workspace_options
from explorer.cli.drift import failed_document, say_failed
from explorer.cli.output import cell, emit_json, say, style

if TYPE_CHECKING:
    from core.registry.skills import Entered
    from core.workspace.registering import Registering


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
        if form == "json":
            emit_json(_document(found))
        else:
            _print(found)
        return 1 if found.failed else 0


def _document(found: Registering) -> dict[str, Any]:
    return {"registered": [_row(one) for one in found.entered], **failed_document(found.failed)}


def _row(entered: Entered) -> dict[str, Any]:
    return {
        "name": entered.entry.name,
        "registered_at": entered.entry.registered_at,
        "tools": entered.entry.tools,
        "state": _state(entered),
        "undiscovered_servers": list(entered.unknown),
    }


def _state(entered: Entered) -> str:
    if entered.new:
        return "new"
    return "updated" if entered.drift else "unchanged"


def _print(found: Registering) -> None:
    for one in found.entered:
        again = "" if one.new else f"; registered before: {one.drift.words or 'unchanged'}"
        say(f"registered {style(one.entry.name, bold=True)}: {plural(one.entry.tools, 'tool')}{again}")
        for label in one.unknown:
            say(f"  {cell(label)}: MCP server, not discovered; its tools are unknown until a refresh asks it")
    say_failed(found.failed)
