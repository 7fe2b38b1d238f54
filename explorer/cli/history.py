"""``history``: earlier calls of the workspace's tools, and making one of them again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from explorer.cli.again import Again, given
from explorer.cli.common import chosen_path, fail, format_option, load_workspace, path_argument, say_notices
from explorer.cli.invoke import call_and_show, call_options
from explorer.cli.output import brief, cell, emit_json, say, style, table

if TYPE_CHECKING:
    from core.registry.history import PastCall
    from core.workspace import Workspace

_SHOWN_ARGUMENTS = 50
_COMMANDLINE = click.core.ParameterSource.COMMANDLINE


@click.command("history")
@path_argument
@format_option()
@click.option("--skill", metavar="NAME", help="Only calls of this skill.")
@click.option("--tool", metavar="NAME", help="Only calls of this tool.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, help="At most so many, the newest.")
@click.option("--replay", type=int, metavar="ID", help="Make this call again, on a copy unless --real is given.")
@click.option("--real", is_flag=True, help="Replay on the workspace itself, not on a copy.")
@click.option("--yes", is_flag=True, help="The explicit yes that unsafe and approval-required tools need.")
@click.option("--trust", is_flag=True, help="Approve what this one run needs, as it is now.")
def command(
    path: str | None,
    workspace: str | None,
    state: str | None,
    form: str,
    skill: str | None,
    tool: str | None,
    limit: int,
    replay: int | None,
    real: bool,
    yes: bool,
    trust: bool,
) -> int:
    """List earlier calls, newest first, or make one again; exit status 1 for a failed one.

    Example: skill-explorer history sample_workspace --limit 5
    """
    _refuse_together(replay, skill=skill, tool=tool, real=real, yes=yes, trust=trust)
    found = load_workspace(chosen_path(path, workspace), state)
    if replay is None:
        return _list(found, found.history.calls(skill, tool, limit), form)
    past = found.history.call(replay)
    if past is None:
        return _unknown(found, replay, form)
    _say_changes(found, past)
    options = call_options(real=real, yes=yes, trust=trust, timeout=None)
    where = (*given("-w", path or workspace), *given("--state", state), *(("--real",) if real else ()))
    again = Again(("history", "--replay", str(replay)), where, yes, trust)
    return call_and_show(found, past.skill, past.tool, past.arguments, options, form, again)


def _refuse_together(replay: int | None, **given: object) -> None:
    """Raise click.UsageError for options of the list with a replay, and for those of a replay without one."""
    chosen = "limit" if click.get_current_context().get_parameter_source("limit") is _COMMANDLINE else None
    filters = [name for name in ("skill", "tool") if given[name] is not None] + ([chosen] if chosen else [])
    runs = [name for name in ("real", "yes", "trust") if given[name]]
    if replay is not None and filters:
        raise click.UsageError(f"--replay names one call, which --{filters[0]} can't choose from; leave it out")
    if replay is None and runs:
        raise click.UsageError(f"--{runs[0]} goes with --replay; the list runs nothing")


def _list(workspace: Workspace, calls: list[PastCall], form: str) -> int:
    if form == "json":
        emit_json({"calls": [_document(call) for call in calls]})
    else:
        header = ("id", "at", "skill", "tool", "outcome", "ms", "arguments")
        for line in table(header, map(_row, calls)) if calls else ("no calls yet",):
            say(line)
    say_notices(workspace)
    return 0


def _document(call: PastCall) -> dict[str, Any]:
    return {
        "id": call.id,
        "at": call.at,
        "skill": call.skill,
        "tool": call.tool,
        "arguments": call.arguments,
        "schema": call.schema,
        "real": call.real,
        "result": call.result.model_dump(mode="json"),
    }


def _row(call: PastCall) -> tuple[str, ...]:
    result = call.result
    outcome = "succeeded" if result.success else str(result.error.error_type) if result.error else "failed"
    arguments = brief(json.dumps(call.arguments, ensure_ascii=False), _SHOWN_ARGUMENTS)
    where = " (real)" if call.real else ""
    return (
        str(call.id),
        cell(call.at),
        cell(call.skill, 120),
        cell(call.tool, 120),
        f"{outcome}{where}",
        f"{result.duration_ms:.0f}",
        arguments,
    )


def _unknown(workspace: Workspace, number: int, form: str) -> int:
    from core.protocol import SkillError, SkillErrorType

    known = [call.id for call in workspace.history.calls(limit=3)]
    message = f"the history has no call {number} of this workspace"
    details = {"newest": known}
    say_notices(workspace)
    return fail(
        SkillError(error_type=SkillErrorType.RESOLUTION_FAILURE, message=message, details=details, skill_name=""), form
    )


def _say_changes(workspace: Workspace, past: PastCall) -> None:
    """Say where the tool takes other arguments now than those of the earlier call were made for."""
    now = workspace.input_schema_digest(past.skill, past.tool)
    if now is not None and now != past.schema:
        say(style(f"the input schema of {past.tool} has changed since call {past.id}", "yellow"), err=True)
