"""Why a tool is in a skill, and flag by flag why it is marked as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.presenters import marks
from explorer.presenters.page import Page
from explorer.presenters.tool_page import flags_part

if TYPE_CHECKING:
    from core.resolve.views import WhyTool


def why_page(why: WhyTool, width: int) -> Page:
    """Return the page: the ways through includes, shortest first, then the flags."""
    page = Page(width)
    page.paragraph(f"{why.tool} is in {why.skill}", "bold")
    page.heading("Here through", why.path_count)
    for path in why.paths:
        page.way(path)
    if why.path_count > len(why.paths):
        page.paragraph(f"… and {why.path_count - len(why.paths):,} more, all longer or as long", marks.MUTED, indent=3)
    page.heading("Flag by flag")
    flags_part(page, why.flags)
    return page
