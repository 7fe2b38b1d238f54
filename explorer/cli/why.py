"""``why``: the include paths of a tool and the origin of each of its flags."""

from __future__ import annotations

import click

from core.protocol import SkillFailure
from core.text import plural
from explorer.cli.common import fail, format_option, load_workspace, workspace_options
from explorer.cli.output import cell, emit_json, say
from explorer.cli.text import flag_lines


@click.command("why")
@click.argument("skill")
@click.argument("tool")
@workspace_options
@format_option()
def command(skill: str, tool: str, workspace: str | None, state: str | None, form: str) -> int:
    """Say why a tool is in a skill and where each flag comes from.

    Example: skill-explorer why local/release-desk builtin/write_file -w sample_workspace
    """
    found = load_workspace(workspace, state)
    try:
        why = found.catalogue.why(skill, tool)
    except SkillFailure as failure:
        return fail(failure.error, form)
    if form == "json":
        emit_json(
            {
                "skill": why.skill,
                "tool": why.tool,
                "paths": [list(path) for path in why.paths],
                "path_count": why.path_count,
                "flags": {flag: said.model_dump(mode="json") for flag, said in why.flags.items()},
            }
        )
        return 0
    for path in why.paths:
        say(" > ".join(cell(name, 120) for name in path))
    if why.path_count > len(why.paths):
        say(f"… {plural(why.path_count - len(why.paths), 'more way')}")
    for line in flag_lines(why.flags):
        say(line)
    return 0
