"""The Overview of an actor: its skills, and the merged surface of tools they give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from explorer.messages import OpenSkill, OpenTool
from explorer.presenters import marks
from explorer.presenters.flags import letters, tool_letters
from explorer.presenters.page import Page
from explorer.presenters.places import open_place, place_text
from explorer.presenters.skill_page import problems_part

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.resolve.views import ActorView

MOST_TOOLS = 1_000


def actor_page(actor: ActorView, findings: list[Diagnostic], width: int) -> Page:
    """Return the page."""
    page = Page(width)
    page.paragraph("An actor: it reaches the tools of its skills, merged, and no others.", marks.MUTED)
    page.blank()
    page.field("defined in", place_text(actor.place.path, actor.place.line), open_place(actor.place))
    for error in actor.errors[:MOST_TOOLS]:
        page.paragraph(f"{error.error_type}: {error.message}", "$error", indent=3)
    page.links("Skills", ((marks.text(name), marks.status(status), OpenSkill(name)) for name, status in actor.skills))
    shown = actor.records[:MOST_TOOLS]
    page.links(
        f"Tools, {len(shown):,} of {len(actor.records):,}" if len(shown) < len(actor.records) else "Tools",
        (
            (
                marks.text(record.name),
                Content.assemble(marks.text(record.from_skill, marks.MUTED), "  ", letters(tool_letters(record))),
                OpenTool(record.from_skill, record.name),
            )
            for record in shown
        ),
    )
    problems_part(page, findings)
    return page
