"""Help: what the focused place is for, its keys as they are bound now, and what letters and marks mean."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from explorer.commands import COMMANDS, Where
from explorer.presenters import marks
from explorer.presenters.flags import LEGEND
from explorer.presenters.keys import key_name
from explorer.presenters.layout import wrap
from explorer.presenters.page import Line, Page

KEY_WIDTH = 16
MARKS = {
    "Marks in the tree": (
        *((letter, "bold", meaning) for letter, meaning in LEGEND),
        (marks.ERROR, "$error", "an error in this skill or its file"),
        (marks.WARNING, "$warning", "a warning"),
        (marks.CYCLE, "$error", "this include closes a cycle"),
        (marks.GHOST, "$error", "no file defines this skill"),
        (marks.STALE, "$warning", "as before: shown as it was, since its file cannot be read now"),
    ),
    "Marks in Tools": (
        ("*", "bold $accent", "an override changes what the tool says of itself"),
        ("?", "$info", "assumed: nothing is said, so it counts as writing; alone: not known yet"),
        ("–", marks.MUTED, "nothing is said"),
        (marks.WARNING, "$warning", "look at it first: a tool that changed since its server was approved, for one"),
        (marks.ERROR, "$error", "cannot run; the page about it says why"),
    ),
    "Marks in the graph": (
        ("a ──▸ b", marks.MUTED, "a includes b"),
        ("══▸", marks.MUTED, "several that include the same skill, joined"),
        ("◂", "$error", "an include that leads back to the left: it closes a cycle"),
        (marks.CYCLE, "$error", "a skill in a cycle"),
        (marks.GHOST, "$error", "no file defines this skill"),
    ),
}


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
            _row(page, shown, marks.ACCENT, command.help)
    for title, legend in MARKS.items():
        page.heading(title)
        for mark, style, meaning in legend:
            _row(page, mark, style, meaning)
    return page


def _row(page: Page, name: str, style: str, text: str) -> None:
    for at, line in enumerate(wrap(Content(text), page.width - KEY_WIDTH - 4)):
        shown = f"{name:<{KEY_WIDTH - 1}} " if at == 0 else " " * KEY_WIDTH
        page.lines.append(Line(Content.assemble("   ", (shown, style), line)))
