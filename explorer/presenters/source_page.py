"""The Overview of sources: Agent Skills, MCP servers, and files that gave nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from core.text import plural
from explorer.messages import OpenPlace
from explorer.presenters import marks
from explorer.presenters.approvals import listing_part, standing_part
from explorer.presenters.keys import NO_KEYMAP, Keymap
from explorer.presenters.page import Page
from explorer.presenters.places import place_text
from explorer.presenters.skill_page import problems_part

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.language.declarations import AgentSkillDecl, ServerDecl
    from core.workspace.standing import Standing

MOST_STEPS = 40
MOST_RESOURCES = 100


def agent_skill_page(skill: AgentSkillDecl, findings: list[Diagnostic], width: int) -> Page:
    """Return the page of an Agent Skill that no skill lists."""
    page = Page(width)
    how = marks.text(f"agent_skill_folders: [{skill.path}]", "bold", 200)
    page.paragraph(skill.description or "No description.", "" if skill.description else marks.MUTED)
    page.blank()
    valid = Content.styled("✓ valid", "$success") if skill.valid else Content.styled("✗ invalid", "$error")
    page.field("Agent Skill", valid)
    page.field("defined in", place_text(skill.source.path), OpenPlace(skill.source.path))
    if skill.allowed_tools:
        page.field("allowed tools", marks.text(skill.allowed_tools))
    page.field("listed by", Content.assemble("no skill, so no actor gets it; a skill takes it in with ", how))
    page.heading("Steps", len(skill.steps))
    for number, step in enumerate(skill.steps[:MOST_STEPS], 1):
        page.paragraph(f"{number}. {step}", indent=3)
    if not skill.steps:
        page.paragraph("No structured steps.", marks.MUTED, indent=3)
    page.links("Resources", ((marks.text(r), Content(""), None) for r in skill.resources[:MOST_RESOURCES]))
    problems_part(page, findings)
    return page


def server_page(
    server: ServerDecl,
    path: str,
    line: int,
    findings: list[Diagnostic],
    width: int,
    standing: Standing | None = None,
    keys: Keymap = NO_KEYMAP,
) -> Page:
    """Return the page of an MCP server: how it is reached, and how it stands; env and headers stay masked."""
    model = server.model
    page = Page(width)
    page.paragraph(_known(server, standing))
    page.blank()
    page.field("state", _connected(standing))
    standing_part(page, standing, keys)
    if standing is not None and standing.digest:
        page.field("digest", marks.text(f"{standing.digest[:12]}…", marks.MUTED))
    page.field("defined in", place_text(path, line), OpenPlace(path, line))
    if server.reference:
        page.field("refers to", Content("a server of that name in .mcp.json"))
    else:
        page.field("reached by", marks.text(model.server))
    for label, names in (("environment", model.env), ("headers", model.headers)):
        if names:
            page.field(label, marks.text(", ".join(names)))
    if server.allow is not None:
        page.links("Allowed tools", ((marks.text(name), Content(""), None) for name, _span in server.allow))
    if standing is not None:
        listing_part(page, standing)
    problems_part(page, findings)
    return page


def _known(server: ServerDecl, standing: Standing | None) -> str:
    if standing is None or standing.answer is None:
        return f"The MCP server {server.label}. Its tools are known once it has been asked, which needs approval."
    return f"The MCP server {server.label}. It has said that it has {plural(len(standing.answer.tools), 'tool')}."


def _connected(standing: Standing | None) -> Content:
    if standing is None:
        return Content.styled("…", marks.MUTED)
    if standing.connected:
        return Content.styled("● connected", "$success")
    asked = standing.answer is not None
    return Content("not connected: it is started again when it is needed" if asked else "not connected")


def workspace_page(path: str, width: int) -> Page:
    """Return the page of a workspace inside this one."""
    page = Page(width)
    page.paragraph(f"{path} is a workspace of its own: it has a skill-explorer.toml, so it is not entered from here.")
    page.blank()
    page.field("open it with", Content.assemble("skill-explorer ", marks.text(path)))
    return page


def file_page(path: str, findings: list[Diagnostic], width: int) -> Page:
    """Return the page of a file that gave no skill, tool or actor."""
    page = Page(width)
    page.paragraph("Nothing could be read from this file; its problems say why.", marks.MUTED)
    page.blank()
    page.field("file", place_text(path), OpenPlace(path))
    problems_part(page, findings)
    return page
