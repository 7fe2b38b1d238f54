"""Help: what the focused place is for, its keys as they are bound now, and what the letters of the tree mean."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from explorer.commands import COMMANDS, Where
from explorer.presenters import marks
from explorer.presenters.flags import LEGEND
from explorer.presenters.keys import key_name
from explorer.presenters.page import Line, Page

KEY_WIDTH = 16


def help_page(keys: Mapping[str, list[str]], about: str, width: int) -> Page:
    """Return the page; ``keys`` are the keys of each command that can run at the focused place, by its id."""
    page = Page(width)
    if about:
        page.paragraph(about)
    for where in sorted(Where, key=lambda place: place in (Where.MAIN, Where.APP, Where.LIST)):
        rows = [(command, keys[command.id]) for command in COMMANDS if command.where is where and command.id in keys]
        if not rows:
            continue
        page.heading(where.value)
        for command, bound in rows:
            shown = "  ".join(key_name(key) for key in bound)
            text = Content.assemble("   ", (f"{shown:<{KEY_WIDTH - 2}}  ", marks.ACCENT), command.help)
            page.lines.append(Line(text))
    page.heading("Marks in the tree")
    for letter, meaning in LEGEND:
        page.lines.append(Line(Content.assemble("   ", (f"{letter:<{KEY_WIDTH}}", "bold"), meaning)))
    for mark, style, meaning in (
        (marks.ERROR, "$error", "an error in this skill or its file"),
        (marks.WARNING, "$warning", "a warning"),
        (marks.CYCLE, "$error", "this include closes a cycle"),
        (marks.GHOST, "$error", "no file defines this skill"),
    ):
        page.lines.append(Line(Content.assemble("   ", (f"{mark:<{KEY_WIDTH}}", style), meaning)))
    return page
