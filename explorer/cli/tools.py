"""``tools``: the flattened tool table of a skill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from core.protocol import SkillFailure
from explorer.cli.again import Again, given
from explorer.cli.common import approve_and_say, fail, format_option, load_workspace, say_notices, workspace_options
from explorer.cli.output import cell, emit_json, say, style
from explorer.cli.text import error_lines, problem_lines, server_document, summary_line, tool_table

if TYPE_CHECKING:
    from core.model.discovery import DiscoveredServer
    from core.protocol import SkillError
    from core.resolve.views import FlatSkill
    from core.workspace import Workspace


@click.command("tools")
@click.argument("skill")
@workspace_options
@format_option("csv", "markdown")
@click.option("--discover", is_flag=True, help="Ask the skill's MCP servers for their tools; needs approval.")
@click.option("--trust", is_flag=True, help="Approve what this one run needs, as it is now.")
def command(skill: str, workspace: str | None, state: str | None, form: str, discover: bool, trust: bool) -> int:
    """Show the flattened tools of a skill; `*` marks an overridden value, `?` an assumed one.

    With `--format csv` or `markdown` the table of the screen, for a file.

    Example: skill-explorer tools local/release-desk -w sample_workspace
    """
    found = load_workspace(workspace, state)
    try:
        answers = _ask(found, skill, trust=trust) if discover else {}
        flat = found.catalogue.flatten(skill)
        again = Again(("tools", skill, "--discover"), (*given("-w", workspace), *given("--state", state)))
        failed = [again.told(error) for error in _failures(skill, answers)]
        if form == "json":
            emit_json(_document(flat, answers, failed))
        elif form != "text":
            _export(flat, failed, form)
        else:
            _print(flat, answers, failed)
        if discover:
            say_notices(found)
        return 0 if flat.status == "resolved" and not failed else 1
    except SkillFailure as failure:
        return fail(failure.error, form)
    finally:
        found.close()


def _ask(workspace: Workspace, skill: str, *, trust: bool) -> dict[str, DiscoveredServer]:
    workspace.catalogue.flatten(skill)  # a skill that isn't there is told before anything is asked
    return workspace.discover(skill, approve=approve_and_say if trust else None)


def _failures(skill: str, answers: dict[str, DiscoveredServer]) -> list[SkillError]:
    from core.workspace.live_servers import failure_of

    return [failure_of(answer, skill) for answer in answers.values() if answer.error is not None]


def _document(flat: FlatSkill, answers: dict[str, DiscoveredServer], failed: list[SkillError]) -> dict[str, Any]:
    return {
        "skill": flat.name,
        "tools": [record.as_dict() for record in flat.records],
        "summary": flat.metadata.capability_summary.model_dump(mode="json"),
        "status": flat.status,
        "undiscovered_servers": list(flat.undiscovered_servers),
        "servers": [server_document(answer) for answer in answers.values()],
        "errors": [error.model_dump(mode="json") for error in (*flat.errors, *failed)],
    }


def _export(flat: FlatSkill, failed: list[SkillError], form: str) -> None:
    """Print the table alone; what goes beside it is told on the other stream."""
    from explorer.services.matrix import Matrix, as_csv, as_markdown

    table = Matrix(flat.records).table()
    text = as_csv(table) if form == "csv" else as_markdown(table)
    for line in text.removesuffix("\n").split("\n"):
        say(style(line))
    for label in flat.undiscovered_servers:
        say(f"{cell(label)}: MCP server, not discovered; its tools are unknown", err=True)
    for error in (*flat.errors, *failed):
        for line in error_lines(error):
            say(line, err=True)


def _print(flat: FlatSkill, answers: dict[str, DiscoveredServer], failed: list[SkillError]) -> None:
    for line in (*tool_table(flat.records), *problem_lines(flat.records)):
        say(line)
    for label in flat.undiscovered_servers:
        say(f"{cell(label)}: MCP server, not discovered; its tools are unknown")
    for answer in answers.values():
        for note in answer.notes:
            say(f"{cell(answer.label)}: {style(note, 'yellow')}")
    for error in (*flat.errors, *failed):
        for line in error_lines(error):
            say(line)
    say(summary_line(flat.metadata.capability_summary))
