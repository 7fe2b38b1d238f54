"""``list``: the skills of a workspace, and the sources that no skill uses."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from explorer.cli.common import chosen_path, format_option, load_workspace, path_argument
from explorer.cli.output import cell, emit_json, say, style, table

if TYPE_CHECKING:
    from core.resolve.views import SkillRow, Unassigned
    from core.workspace import Workspace


@click.command("list")
@path_argument
@format_option()
def command(path: str | None, workspace: str | None, state: str | None, form: str) -> int:
    """List the skills with counts and capabilities.

    Example: skill-explorer list sample_workspace
    """
    found = load_workspace(chosen_path(path, workspace), state)
    if form == "json":
        emit_json(_document(found))
    else:
        _print(found)
    return 0


def _document(workspace: Workspace) -> dict[str, Any]:
    return {
        "skills": [_row(row) for row in workspace.catalogue.skills()],
        "unassigned": _unassigned(workspace.catalogue.unassigned()),
        "workspaces": list(workspace.declarations.sub_workspaces),
        "summary": asdict(workspace.counts),
    }


def _row(row: SkillRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "description": row.description,
        "version": row.version,
        "path": row.place.path,
        "status": row.status,
        "tools": row.tools,
        "includes": [include.name for include in row.includes],
        "sources": list(row.sources),
        "summary": row.summary.model_dump(mode="json"),
        "undiscovered_servers": list(row.undiscovered_servers),
    }


def _unassigned(found: Unassigned) -> dict[str, Any]:
    return {
        "agent_skills": [
            {"name": a.name, "path": a.path, "status": "valid" if a.valid else "invalid"} for a in found.agent_skills
        ],
        "mcp_servers": [{"name": s.name, "path": s.path} for s in found.mcp_servers],
    }


def _print(workspace: Workspace) -> None:
    rows = workspace.catalogue.skills()
    header = ("skill", "version", "status", "tools", "reads", "writes", "sources", "description")
    for line in table(header, (_cells(row) for row in rows)):
        say(line)
    unassigned = workspace.catalogue.unassigned()
    if unassigned.agent_skills or unassigned.mcp_servers:
        say(style("unassigned", bold=True))
    for skill in unassigned.agent_skills:
        say(f"  Agent Skill {style(skill.name)}  {style(skill.path)}{'' if skill.valid else '  invalid'}")
    for server in unassigned.mcp_servers:
        say(f"  MCP server {style(server.name)}  {style(server.path)}")
    for path in workspace.declarations.sub_workspaces:
        say(f"{style(path)}/ is a workspace of its own")
    if not rows and not unassigned.agent_skills:
        say("no skills found: looked for skill files (*.yaml, *.yml) and folders with a SKILL.md")


def _cells(row: SkillRow) -> tuple[str, ...]:
    summary = row.summary
    tools = f"{row.tools}{'+?' if row.undiscovered_servers else ''}"
    return (
        cell(row.name, 120),
        cell(row.version),
        row.status,
        tools,
        str(summary.read_only_tools),
        str(summary.write_tools),
        cell(list(row.sources)),
        cell(row.description, 50),
    )
