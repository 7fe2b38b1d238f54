"""``show``: one skill whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from core.protocol import SkillFailure
from explorer.cli.common import fail, format_option, load_workspace, workspace_options
from explorer.cli.output import cell, emit_json, say, style

if TYPE_CHECKING:
    from core.resolve.views import FlatSkill, SkillRow
    from core.workspace import Workspace


@click.command("show")
@click.argument("skill")
@workspace_options
@format_option()
def command(skill: str, workspace: str | None, state: str | None, form: str) -> int:
    """Show one skill: its file, metadata, includes and flattened tools.

    Example: skill-explorer show local/release-desk -w sample_workspace
    """
    found = load_workspace(workspace, state)
    try:
        flat = found.catalogue.flatten(skill)
    except SkillFailure as failure:
        return fail(failure.error, form)
    row = found.catalogue.skill(skill)
    if form == "json":
        emit_json(_document(found, row, flat))
    else:
        _print(found, row, flat)
    return 0 if flat.status == "resolved" else 1


def _document(workspace: Workspace, row: SkillRow | None, flat: FlatSkill) -> dict[str, Any]:
    catalogue = workspace.catalogue
    file = catalogue.file(flat.name)
    return {
        "skill": file.model.as_cli_dict() if file else None,
        "metadata": flat.metadata.model_dump(mode="json"),
        "status": flat.status,
        "includes": [
            {"name": i.name, "status": i.status, "path": i.path, "line": i.line} for i in (row.includes if row else ())
        ],
        "included_by": list(catalogue.included_by(flat.name)),
        "actors": list(catalogue.actors_of(flat.name)),
        "tools": [record.as_dict() for record in flat.records],
        "undiscovered_servers": list(flat.undiscovered_servers),
        "errors": [error.model_dump(mode="json") for error in flat.errors],
    }


def _print(workspace: Workspace, row: SkillRow | None, flat: FlatSkill) -> None:
    from explorer.cli.text import error_lines, problem_lines, summary_line, tool_table

    metadata = flat.metadata
    say(f"{style(metadata.name, bold=True)} {cell(metadata.version)}  {flat.status}")
    say(f"  {cell(metadata.description, 1000)}")
    say(f"  {summary_line(metadata.capability_summary)}; {'reads only' if metadata.read_only else 'writes'}")
    for include in row.includes if row else ():
        say(f"  includes {style(include.name)}  {include.status}  {style(include.path)}:{include.line}")
    _names("included by", workspace.catalogue.included_by(flat.name))
    _names("actors", workspace.catalogue.actors_of(flat.name))
    for line in (*tool_table(flat.records), *problem_lines(flat.records)):
        say(line)
    _names("undiscovered servers", flat.undiscovered_servers)
    for error in flat.errors:
        for line in error_lines(error):
            say(line)


def _names(label: str, names: tuple[str, ...]) -> None:
    if names:
        say(f"  {label}: {', '.join(cell(name, 120) for name in names)}")
