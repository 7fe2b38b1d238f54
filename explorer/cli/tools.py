"""``tools``: the flattened tool table of a skill."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from core.protocol import SkillFailure
from explorer.cli.common import approve_and_say, fail, format_option, load_workspace, workspace_options
from explorer.cli.output import cell, emit_json, say
from explorer.cli.text import error_lines, summary_line, tool_table

if TYPE_CHECKING:
    from core.protocol import SkillError
    from core.workspace import Workspace


@click.command("tools")
@click.argument("skill")
@workspace_options
@format_option()
@click.option("--discover", is_flag=True, help="Ask the skill's MCP servers for their tools; needs approval.")
@click.option("--trust", is_flag=True, help="Approve what this one run needs, as it is now.")
def command(skill: str, workspace: str | None, state: str | None, form: str, discover: bool, trust: bool) -> int:
    """Show the flattened tools of a skill; `*` marks an overridden value, `?` an assumed one.

    Example: skill-explorer tools local/release-desk -w sample_workspace
    """
    found = load_workspace(workspace, state)
    try:
        failed = ask_servers(found, skill, trust=trust) if discover else []
        flat = found.catalogue.flatten(skill)
    except SkillFailure as failure:
        return fail(failure.error, form)
    finally:
        found.close()
    summary = flat.metadata.capability_summary
    if form == "json":
        emit_json(
            {
                "skill": skill,
                "tools": [record.as_dict() for record in flat.records],
                "summary": summary.model_dump(mode="json"),
                "status": flat.status,
                "undiscovered_servers": list(flat.undiscovered_servers),
                "errors": [error.model_dump(mode="json") for error in (*flat.errors, *failed)],
            }
        )
    else:
        for line in tool_table(flat.records):
            say(line)
        for label in flat.undiscovered_servers:
            say(f"{cell(label)}: MCP server, not discovered; its tools are unknown")
        for error in failed:
            for line in error_lines(error):
                say(line)
        say(summary_line(summary))
    return 0 if flat.status == "resolved" and not failed else 1


def ask_servers(workspace: Workspace, skill: str, *, trust: bool) -> list[SkillError]:
    """Discover the servers of ``skill``; return an error for each that was not approved or did not answer."""
    from core.protocol import SkillError, SkillErrorType
    from core.workspace.running import NOT_APPROVED

    answers = workspace.discover(skill, approve=approve_and_say if trust else None)
    hint = f"`skill-explorer tools {skill} --discover --trust` approves it for one run"
    return [
        SkillError(
            error_type=SkillErrorType.PERMISSION_DENIED
            if answer.error == NOT_APPROVED
            else SkillErrorType.TOOL_ACTIVATION_FAILURE,
            message=f"MCP server `{answer.label}`: {answer.error}",
            details={"server": answer.label, "stderr": answer.stderr.splitlines()[-20:]}
            | ({"hint": hint} if answer.error == NOT_APPROVED else {}),
            skill_name=skill,
        )
        for answer in answers.values()
        if answer.error is not None
    ]
