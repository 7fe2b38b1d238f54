"""The line at the top: which workspace, how much is in it, how it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from core.text import plural
from explorer.presenters import marks
from explorer.presenters.keys import NO_KEYMAP, Keymap, bound
from explorer.presenters.layout import two_sides

if TYPE_CHECKING:
    from core.workspace import Counts

NAME = " Skill Explorer"


def header_line(
    workspace: str,
    counts: Counts | None,
    progress: Content | None,
    watched: str,
    width: int,
    unreadable: int = 0,
    agent_skills: int = 0,
) -> Content:
    """Return the line; while something loads, ``progress`` stands where the numbers were.

    ``watched`` is a ``WatchState``, ``off``, or empty before it is known. Files of which nothing could be read are
    ``unreadable``: the tree has rows for them that no skill is counted for. ``agent_skills`` are counted where there
    is no other skill.
    """
    left = Content.assemble((NAME, "bold $accent"), "   ", marks.text(workspace, limit=200))
    if progress is not None:
        return two_sides(left, Content.assemble("  ", progress, " "), width)
    if counts is None:
        return two_sides(left, Content(""), width)
    numbers = f"{plural(counts.skills, 'skill')} · {plural(counts.tools, 'tool')}"
    if agent_skills and not counts.skills:
        numbers = plural(agent_skills, "Agent Skill")
    more = f" · {unreadable:,} unreadable" if unreadable else ""
    state = Content.assemble("   ", marks.counts(counts.errors, counts.warnings, counts.infos), " ")
    said = WATCHING.get(watched, ("", ""))
    watching = Content.assemble("  ", said) if said[0] else Content("")
    short = Content.assemble(watching if watched == "gone" else "", state)
    lines = [Content.assemble("  ", (text, marks.MUTED), watching, state) for text in (numbers + more, numbers)]
    if watched == "watching":
        lines.append(Content.assemble("  ", (numbers, marks.MUTED), state))
    return two_sides(left, next((line for line in lines if line.cell_length < width - 24), short), width)


def asking(done: int, total: int, keys: Keymap = NO_KEYMAP) -> Content:
    """Return the progress of asking servers for their tools."""
    count = f"{done} of {plural(total, 'server')}" if total else "servers"
    return Content.assemble(f"asking {count} for tools", (f"  {bound(keys, 'back')} stops", marks.MUTED))


WATCHING = {
    "watching": ("● watching", marks.MUTED),
    "polling": ("● polling", marks.MUTED),
    "gone": ("✗ the folder is gone", "$error"),
    "off": ("○ not watched", "$warning"),
}


def stopped(done: int, total: int, keys: Keymap = NO_KEYMAP) -> Content:
    """Return what stands there after a load that was stopped."""
    said = f"○ stopped: {done:,} of {plural(total, 'file')} read"
    return Content.assemble((said, "$warning"), (f"  {bound(keys, 'refresh')} goes on", marks.MUTED))


def loading(done: int, total: int, keys: Keymap = NO_KEYMAP) -> Content:
    """Return the progress of a load, with a bar that has a count beside it."""
    filled = 10 * done // total if total else 0
    bar = "━" * filled + "╌" * (10 - filled)
    count = f"{done:,} of {plural(total, 'file')}" if total else "looking for files"
    return Content.assemble((bar, marks.ACCENT), f" {count}", (f"  {bound(keys, 'back')} stops", marks.MUTED))
