"""What stands in the detail while there is nothing to show: what was looked for, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from core.text import plural
from explorer.messages import StartSkill
from explorer.presenters import marks
from explorer.presenters.keys import NO_KEYMAP, Keymap, bound
from explorer.presenters.page import Page

if TYPE_CHECKING:
    from core.workspace import Workspace

COMMANDS = (
    ("skill-explorer new skill local/my-skill", "a skill to start from"),
    ("skill-explorer new tool local/my-tool", "a Python tool to start from"),
    ("skill-explorer schema skill", "what a skill file may say"),
)

_COMMAND_WIDTH = 42


def start_page(workspace: Workspace, width: int, keys: Keymap = NO_KEYMAP) -> Page:
    """Return the page of a workspace without a skill."""
    page, counts = Page(width), workspace.counts
    page.paragraph("There is no skill here yet.", "bold")
    page.blank()
    page.field("looked in", Content.assemble(marks.text(workspace.name, limit=200), "/ and the folders below it"))
    page.field("for", Content("YAML files with the keys of a skill, tool or actor; SKILL.md; .mcp.json"))
    page.field("read", Content(plural(counts.files, "file")))
    if counts.errors + counts.warnings:
        found = marks.counts(counts.errors, counts.warnings, counts.infos)
        page.field("found", Content.assemble(found, f"  {bound(keys, 'show-problems')} shows them"))
    page.heading("Begin here")
    page.link(Content("Write a first skill, skills/first-skill.yaml"), Content(""), StartSkill())
    page.heading("Or on the command line, in this folder")
    for command, purpose in COMMANDS:
        page.link(Content.assemble(f"{command:<{_COMMAND_WIDTH}}", (purpose, marks.MUTED)), Content(""), None)
    page.blank()
    page.paragraph("The repository of this program has a sample to look at: sample_workspace.", marks.MUTED)
    return page
