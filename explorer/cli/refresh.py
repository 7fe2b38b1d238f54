"""``refresh``: registered skills resolved anew, and their MCP servers asked for their tools."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from core.text import plural
from explorer.cli.again import Again, given
from explorer.cli.common import approve_and_say, format_option, load_workspace, registry_of, workspace_options
from explorer.cli.drift import drift_document, drift_lines
from explorer.cli.output import cell, emit_json, say, style
from explorer.cli.text import server_document

if TYPE_CHECKING:
    from core.workspace.refreshing import Bucket, Outcome, Refreshed

_COLOURS = {"refreshed": "green", "failed": "red", "skipped": "yellow"}


@click.command("refresh")
@click.argument("skills", metavar="[SKILL...]", nargs=-1)
@workspace_options
@format_option()
@click.option("--trust", is_flag=True, help="Approve what this one run needs, as it is now.")
def command(skills: tuple[str, ...], workspace: str | None, state: str | None, form: str, trust: bool) -> int:
    """Enter registered skills anew, all or those named, with what their MCP servers list now.

    A server needs approval before it is asked; without, what is registered of its tools stays, and the skill counts
    as skipped. Skills that include a named one follow. Exit status 1 when one failed, or one of those to be refreshed
    was skipped.

    Example: skill-explorer refresh local/notes -w sample_workspace --trust
    """
    found = load_workspace(workspace, state)
    where = (*given("-w", workspace), *given("--state", state))
    with registry_of(found):
        done = found.refresh(skills, approve=approve_and_say if trust else None)
        done = replace(done, outcomes=tuple(_told(one, Again(("refresh", *skills), where)) for one in done.outcomes))
        if form == "json":
            emit_json(_document(done))
        else:
            _print(done)
        return 0 if done.complete else 1


def _told(outcome: Outcome, again: Again) -> Outcome:
    return outcome if outcome.error is None else replace(outcome, error=again.told(outcome.error))


def _document(done: Refreshed) -> dict[str, Any]:
    from core.workspace.refreshing import Bucket

    errors = [one.error for one in done.of(Bucket.FAILED) if one.error is not None]
    return {
        **{bucket.value: _rows(done, bucket) for bucket in Bucket},
        "servers": [server_document(answer) for answer in done.servers],
        **({"error": errors[0].model_dump(mode="json")} if errors else {}),
    }


def _rows(done: Refreshed, bucket: Bucket) -> list[dict[str, Any]]:
    return [
        {
            "name": one.name,
            "reason": _reason(one),
            **drift_document(one.drift),
            "error": one.error.model_dump(mode="json") if one.error is not None else None,
        }
        for one in done.of(bucket)
    ]


def _reason(outcome: Outcome) -> str | None:
    """Return why the skill is in its bucket, and why it was looked at at all where it was not named."""
    return "; ".join(part for part in (outcome.reason, outcome.drift.words, outcome.follows) if part) or None


def _print(done: Refreshed) -> None:
    for answer in done.servers:
        if answer.error is None:
            say(f"asked MCP server {cell(answer.label)}: {plural(len(answer.tools), 'tool')}")
        for note in answer.notes:
            say(f"{cell(answer.label)}: {style(note, 'yellow')}")
    for one in done.outcomes:
        bucket = one.bucket.value
        say(f"{style(f'{bucket:9}', _COLOURS.get(bucket))} {cell(one.name, 120)}  {style(_reason(one) or '')}".rstrip())
        for line in drift_lines(one.drift):
            say(line)
        if one.error is not None and "hint" in one.error.details:
            say(f"  hint: {cell(one.error.details['hint'], 20_000)}")
    if not done.outcomes:
        say("nothing is registered; skill-explorer register SKILL enters a skill")
