"""``actor``: the merged tool surface of an actor."""

from __future__ import annotations

import click

from core.protocol import SkillFailure
from explorer.cli.common import fail, format_option, load_workspace, workspace_options
from explorer.cli.output import cell, emit_json, say, style
from explorer.cli.text import error_lines, problem_lines, tool_table


@click.command("actor")
@click.argument("name")
@workspace_options
@format_option()
def command(name: str, workspace: str | None, state: str | None, form: str) -> int:
    """Show the tools that an actor gets through its skills.

    Example: skill-explorer actor local/release-bot -w sample_workspace
    """
    found = load_workspace(workspace, state)
    try:
        actor = found.catalogue.actor(name)
    except SkillFailure as failure:
        return fail(failure.error, form)
    if form == "json":
        emit_json(
            {
                "actor": actor.name,
                "skills": [{"name": skill, "status": status} for skill, status in actor.skills],
                "tools": [record.as_dict() for record in actor.records],
                "errors": [error.model_dump(mode="json") for error in actor.errors],
            }
        )
    else:
        say(style(actor.name, bold=True))
        for skill, status in actor.skills:
            say(f"  {cell(skill, 120)}  {status}")
        for line in (*tool_table(actor.records), *problem_lines(actor.records)):
            say(line)
        for error in actor.errors:
            for line in error_lines(error):
                say(line)
    return 1 if actor.errors else 0
