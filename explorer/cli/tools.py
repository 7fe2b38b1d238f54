"""``tools``: the flattened tool table of a skill."""

from __future__ import annotations

import click

from core.protocol import SkillFailure
from explorer.cli.common import fail, format_option, load_workspace, workspace_options
from explorer.cli.output import cell, emit_json, say
from explorer.cli.text import summary_line, tool_table


@click.command("tools")
@click.argument("skill")
@workspace_options
@format_option()
def command(skill: str, workspace: str | None, state: str | None, form: str) -> int:
    """Show the flattened tools of a skill; `*` marks an overridden value, `?` an assumed one.

    Example: skill-explorer tools local/release-desk -w sample_workspace
    """
    found = load_workspace(workspace, state)
    try:
        flat = found.catalogue.flatten(skill)
    except SkillFailure as failure:
        return fail(failure.error, form)
    summary = flat.metadata.capability_summary
    if form == "json":
        emit_json(
            {
                "skill": skill,
                "tools": [record.as_dict() for record in flat.records],
                "summary": summary.model_dump(mode="json"),
                "status": flat.status,
                "undiscovered_servers": list(flat.undiscovered_servers),
                "errors": [error.model_dump(mode="json") for error in flat.errors],
            }
        )
    else:
        for line in tool_table(flat.records):
            say(line)
        for label in flat.undiscovered_servers:
            say(f"{cell(label)}: MCP server, not discovered; its tools are unknown")
        say(summary_line(summary))
    return 0 if flat.status == "resolved" else 1
