"""``registry``: what is registered of a workspace, and how it stands against the files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from core.protocol import SkillFailure
from explorer.cli.common import (
    approve_and_say,
    chosen_path,
    fail,
    format_option,
    load_workspace,
    path_argument,
    registry_of,
    workspace_options,
)
from explorer.cli.drift import drift_document, drift_lines, failed_document, say_failed
from explorer.cli.output import cell, emit_json, say, style, table
from explorer.cli.text import tool_table

if TYPE_CHECKING:
    from core.registry.snapshot import Snapshot
    from core.workspace.registering import Registrations, Standing

F = TypeVar("F", bound=Callable[..., Any])
_COLOURS = {"current": "green", "drifted": "yellow", "stale": "yellow", "gone": "red"}
_EMPTY = "nothing is registered; skill-explorer register SKILL enters a skill"


@click.group("registry", no_args_is_help=False)
def command() -> None:
    """List, show, compare or remove what is registered of a workspace.

    Example: skill-explorer registry list sample_workspace
    """


def _asking(function: F) -> F:
    """``--discover`` and ``--trust``: hold entries against what the MCP servers list now, too."""
    discover = click.option("--discover", is_flag=True, help="Ask the MCP servers for their tools; needs approval.")
    trust = click.option("--trust", is_flag=True, help="Approve what this one run needs, as it is now.")
    return discover(trust(function))


@command.command("list")
@path_argument
@format_option()
@_asking
def listing(path: str | None, workspace: str | None, state: str | None, form: str, discover: bool, trust: bool) -> int:
    """List the registered skills: current, drifted, stale (they can't be checked) or gone.

    With --discover the exit status is 1 where a server could not be asked.

    Example: skill-explorer registry list sample_workspace
    """
    with registry_of(load_workspace(chosen_path(path, workspace), state)) as registry:
        found = _standings(registry, (), discover=discover, trust=trust)
        if form == "json":
            emit_json({"skills": [_row(standing) for standing in found]})
        else:
            header = ("skill", "registered", "status", "tools", "what is different, or why it can't be checked")
            for line in table(header, map(_cells, found)) if found else (_EMPTY,):
                say(line)
        return 1 if discover and not _all_checked(found) else 0


@command.command("show")
@click.argument("skill")
@workspace_options
@format_option()
def show(skill: str, workspace: str | None, state: str | None, form: str) -> int:
    """Show what is registered of a skill: its tools as they were resolved then.

    Example: skill-explorer registry show local/release-desk -w sample_workspace
    """
    with registry_of(load_workspace(workspace, state)) as registry:
        try:
            standing = registry.standings([skill])[0]
        except SkillFailure as failure:
            return fail(failure.error, form)
        snapshot = registry.store.snapshot(skill)
        names = {entry.name for entry in registry.entries()}
        if form == "json":
            emit_json({**_row(standing), **(_snapshot(snapshot, names) if snapshot else {})})
        else:
            _print(standing, snapshot, names)
        return 0


@command.command("diff")
@click.argument("skills", metavar="[SKILL...]", nargs=-1)
@workspace_options
@format_option()
@_asking
def diff(
    skills: tuple[str, ...], workspace: str | None, state: str | None, form: str, discover: bool, trust: bool
) -> int:
    """Say what registered skills, all or those named, come to otherwise now; exit status 1 when one does.

    A skill that is gone or does not resolve counts as different. What an MCP server was not asked for does not, but
    with --discover the status is 1 also where one could not be asked.

    Example: skill-explorer registry diff local/release-desk -w sample_workspace
    """
    with registry_of(load_workspace(workspace, state)) as registry:
        try:
            found = _standings(registry, skills, discover=discover, trust=trust)
        except SkillFailure as failure:
            return fail(failure.error, form)
        if form == "json":
            emit_json({"skills": [{**_row(standing), **drift_document(standing.drift)} for standing in found]})
        else:
            _print_diff(found)
        return 1 if any(standing.differs for standing in found) or (discover and not _all_checked(found)) else 0


@command.command("remove")
@click.argument("skills", metavar="SKILL...", nargs=-1, required=True)
@workspace_options
@format_option()
def remove(skills: tuple[str, ...], workspace: str | None, state: str | None, form: str) -> int:
    """Take skills out of the registry; their files stay. Exit status 1 when one is not registered.

    Example: skill-explorer registry remove local/release-desk -w sample_workspace
    """
    with registry_of(load_workspace(workspace, state)) as registry:
        removed, failed = registry.remove(skills)
        if form == "json":
            emit_json({"removed": removed, **failed_document(failed)})
        else:
            for name in removed:
                say(f"removed {style(name)} from the registry")
            say_failed(failed)
        return 1 if failed else 0


def _standings(registry: Registrations, skills: Iterable[str], *, discover: bool, trust: bool) -> tuple[Standing, ...]:
    if discover:
        names = [entry.name for entry in registry.entries(skills)]
        registry.ask(names, approve_and_say if trust else None)
    return registry.standings(skills)


def _all_checked(found: Iterable[Standing]) -> bool:
    return not any(standing.drift.unchecked for standing in found)


def _row(standing: Standing) -> dict[str, Any]:
    entry = standing.entry
    return {
        "name": entry.name,
        "registered_at": entry.registered_at,
        "refreshed_at": entry.refreshed_at,
        "status": standing.status.value,
        "reason": standing.reason,
        "tools": entry.tools,
    }


def _cells(standing: Standing) -> tuple[str, ...]:
    entry, status = standing.entry, standing.status.value
    return cell(entry.name, 120), cell(entry.registered_at), status, str(entry.tools), cell(_words(standing), 200)


def _words(standing: Standing) -> str | None:
    return "; ".join(part for part in (standing.drift.words, standing.reason) if part) or None


def _snapshot(snapshot: Snapshot, registered: set[str]) -> dict[str, Any]:
    return {
        "description": snapshot.description,
        "version": snapshot.version,
        "includes": [{"name": name, "registered": name in registered} for name in snapshot.includes],
        "servers": snapshot.servers,
        "undiscovered_servers": list(snapshot.unlisted),
        "tools": [record.as_dict() for record in snapshot.tools],
    }


def _print(standing: Standing, snapshot: Snapshot | None, registered: set[str]) -> None:
    _heading(standing)
    if standing.entry.refreshed_at:
        say(f"  refreshed {cell(standing.entry.refreshed_at)}")
    if snapshot is None:
        return
    say(f"  {cell(snapshot.description, 1000)}")
    for name in snapshot.includes:
        say(f"  includes {style(name)}{'' if name in registered else '  not registered'}")
    for line in tool_table(snapshot.tools):
        say(line)
    for label in snapshot.unlisted:
        say(f"{cell(label)}: MCP server, not discovered; its tools are unknown")


def _heading(standing: Standing) -> None:
    status = standing.status.value
    say(f"{style(standing.entry.name, bold=True)}  {style(status, _COLOURS[status])}")
    say(f"  registered {cell(standing.entry.registered_at)}")
    if standing.reason:
        say(f"  {style(standing.reason, 'yellow')}")


def _print_diff(found: tuple[Standing, ...]) -> None:
    for standing in found:
        if standing.drift or standing.reason:
            _heading(standing)
            for line in drift_lines(standing.drift):
                say(line)
    if not found:
        say(_EMPTY)
    elif not any(standing.differs for standing in found):
        say("nothing that could be checked is different")
