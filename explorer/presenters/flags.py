"""Capability flags in letters and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from explorer.presenters.marks import MUTED

if TYPE_CHECKING:
    from core.model import ToolRecord
    from core.resolve.views import SkillRow

LEGEND = (
    ("R", "only reads"),
    ("W", "writes, or nothing says that it doesn't"),
    ("A", "needs approval each time"),
    ("C", "can be checkpointed"),
    ("?", "not known: not discovered, not declared, or it does not resolve"),
)
_STYLE = {"A": "bold", "R": MUTED, "C": MUTED, "?": "$info"}


def letters(found: str) -> Content:
    """Return ``found``, each letter in its colour; blanks keep their column."""
    return Content.assemble(*((letter, _STYLE.get(letter, "")) for letter in found))


def tool_letters(record: ToolRecord) -> str:
    """Return the three columns of a tool: reads or writes, approval, checkpoint."""
    if record.status == "undiscovered":
        return "?  "
    flags = record.gate_capability
    first = "R" if flags.counts_as_reading else "W"
    if first == "W" and flags.writes is None:
        first = "?"
    approval = "A" if flags.human_approval_required or flags.unsafe else " "
    return first + approval + ("C" if flags.checkpointable else " ")


def skill_letters(row: SkillRow) -> str:
    """Return the columns of a skill: does any of its tools write, is anything unknown; blank for one without tools."""
    unknown = "?" if row.undiscovered_servers else " "
    if row.summary.write_tools:
        return f"W{unknown} "
    if row.status != "resolved":
        return "?  "
    if row.undiscovered_servers:
        return "?  "
    return "R  " if row.tools else "   "


def yes_no(value: bool | None) -> Content:
    """Return a flag's value in a word; unset is a dash."""
    if value is None:
        return Content.styled("–", MUTED)
    return Content("yes") if value else Content.styled("no", MUTED)
