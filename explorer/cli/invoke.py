"""``invoke``: one call of one tool; the SkillResult on stdout, the tool's log on stderr."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from explorer.cli.again import Again, given
from explorer.cli.arguments import input_schema, read_arguments, typed
from explorer.cli.common import approve_and_say, format_option, load_workspace, say_notices, workspace_options
from explorer.cli.interrupt import INTERRUPTED_STATUS, interrupting
from explorer.cli.output import cell, emit_json, say, style
from explorer.cli.text import error_lines

if TYPE_CHECKING:
    from core.protocol import SkillResult
    from core.runtime.call import CallEvent, CallOptions, CallOutcome
    from core.workspace import Workspace


@click.command("invoke")
@click.argument("skill")
@click.argument("tool")
@workspace_options
@format_option()
@click.option("--input", "text", metavar="JSON|@FILE|-", help="The arguments as JSON, from a file, or from stdin.")
@click.option(
    "--set",
    "pairs",
    multiple=True,
    metavar="KEY=VALUE",
    help="One argument; VALUE is JSON where that fits the schema, else text.",
)
@click.option("--real", is_flag=True, help="Run on the workspace itself, not on a copy.")
@click.option("--yes", is_flag=True, help="The explicit yes that unsafe and approval-required tools need.")
@click.option("--trust", is_flag=True, help="Approve what this one run needs, as it is now.")
@click.option("--timeout", type=click.IntRange(1), metavar="S", help="Seconds, instead of the tool's own.")
def command(
    skill: str,
    tool: str,
    workspace: str | None,
    state: str | None,
    form: str,
    text: str | None,
    pairs: tuple[str, ...],
    real: bool,
    yes: bool,
    trust: bool,
    timeout: int | None,
) -> int:
    """Call one tool of a skill and print its SkillResult; exit status 1 for a failed one.

    Ctrl-C cancels the call: its result is printed and kept all the same, with exit status 130; a second ends at once.

    Example: skill-explorer invoke local/release-desk builtin/read_file --set path=CHANGELOG.md
    """
    arguments, texts = read_arguments(text, pairs)
    options = call_options(real=real, yes=yes, trust=trust, timeout=timeout)
    where = (*given("-w", workspace), *given("--state", state))
    more = (*given("--input", text), *given("--set", *pairs), *given("--timeout", timeout))
    words = (*where, *more, *(("--real",) if real else ()))
    again = Again(("invoke", skill, tool), words, yes, trust)
    found = load_workspace(workspace, state)
    if texts:
        arguments |= typed(texts, input_schema(found, skill, tool))
    return call_and_show(found, skill, tool, arguments, options, form, again)


def call_and_show(
    workspace: Workspace, skill: str, tool: str, arguments: Any, options: CallOptions, form: str, again: Again
) -> int:
    """Make one call, print its result and its log, close the workspace, and return the exit status.

    ``again`` is the command that asked for the call: a refusal says how to give it with what it lacked.
    An interrupt cancels the call.
    """
    cancel = threading.Event()
    try:
        with interrupting(cancel) as interrupted:
            outcome = _with_command(workspace.invoke(skill, tool, arguments, options, _log, cancel), again)
        _show(outcome, form)
        say_notices(workspace)
        if outcome.result.success:
            return 0
        return INTERRUPTED_STATUS if interrupted.is_set() else 1
    finally:
        cancel.set()
        workspace.close()


def _with_command(outcome: CallOutcome, again: Again) -> CallOutcome:
    error = outcome.result.error
    if error is None:
        return outcome
    return replace(outcome, result=outcome.result.model_copy(update={"error": again.told(error)}))


def call_options(*, real: bool, yes: bool, trust: bool, timeout: int | None) -> CallOptions:
    """Return the options of a call as the command line gives them.

    Raises:
        click.UsageError: the timeout is longer than a file may ask for.
    """
    from core.model.capability_reading import MOST_TIMEOUT_S
    from core.runtime.call import CallOptions

    if timeout is not None and timeout > MOST_TIMEOUT_S:
        raise click.UsageError(f"--timeout takes {MOST_TIMEOUT_S:,} seconds at most")
    return CallOptions(real=real, confirmed=yes, approve=approve_and_say if trust else None, timeout_s=timeout)


def _log(event: CallEvent) -> None:
    if event.kind == "log":
        for line in event.text.splitlines():
            say(style(line), err=True)


def _show(outcome: CallOutcome, form: str) -> None:
    if form == "json":
        emit_json(outcome.result.model_dump(mode="json"))
        return
    _print(outcome.result)
    for diff in outcome.diffs:
        say(f"{diff.change} {style(diff.path)}")
        for line in diff.diff.splitlines():
            say(f"  {style(line, {'+': 'green', '-': 'red'}.get(line[:1]))}")
    if outcome.isolation:
        say(style(outcome.isolation, dim=True), err=True)


def _print(result: SkillResult) -> None:
    if result.error is not None:
        for line in error_lines(result.error):
            say(line)
    if result.output_data is not None or result.success:
        for line in json.dumps(result.output_data, indent=2, ensure_ascii=False).splitlines():
            say(style(line))
    word = "succeeded" if result.success else "failed"
    what = f"{word} in {result.duration_ms:.0f} ms" if result.success or result.duration_ms else "was not run"
    say(f"{cell(result.tool_name, 120)} {what}", err=True)
