"""Words, marks and colours of states; a mark never stands for a state without a letter or word of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from core.text import display

if TYPE_CHECKING:
    from core.model import ToolRecord

ACCENT = "$accent"
MUTED = "$muted"
STRONG = "bold"
FAINT = "$line"
ERROR, WARNING, INFO, OK = "✗", "▲", "i", "✓"
SEVERITY_MARK = {"error": ERROR, "warning": WARNING, "info": INFO}
SEVERITY_STYLE = {"error": "$error", "warning": "$warning", "info": "$info"}
STATUS_MARK = {"resolved": OK, "partial": WARNING, "unresolved": ERROR}
STATUS_STYLE = {"resolved": "$success", "partial": "$warning", "unresolved": "$error"}
CURSOR, CURSOR_BLURRED = "▌", "▏"
LOADING = "Loading …"
AS_BEFORE = "as before"
CYCLE, GHOST, CUT, STALE = "↺", "?", "…", "≠"


def text(value: object, style: str = "", limit: int = 2000) -> Content:
    """Return ``value`` as one safe line."""
    return Content.styled(display(str(value), limit), style) if style else Content(display(str(value), limit))


def severity(value: str) -> Content:
    """Return the coloured mark of a severity."""
    return Content.styled(SEVERITY_MARK[value], SEVERITY_STYLE[value])


def counts(errors: int, warnings: int, infos: int) -> Content:
    """Return the three counts, the colour only where something is there."""
    parts = []
    for name, number in (("error", errors), ("warning", warnings), ("info", infos)):
        style = SEVERITY_STYLE[name] if number else MUTED
        parts.append(Content.styled(f"{SEVERITY_MARK[name]} {number:,}", style))
    return Content("  ").join(parts)


def status(value: str) -> Content:
    """Return a skill's status: mark and word."""
    return Content.styled(f"{STATUS_MARK[value]} {value}", STATUS_STYLE[value])


def problem(record: ToolRecord) -> tuple[str, Content]:
    """Return what is wrong with a tool, under a word that says whether it runs all the same."""
    if record.status == "ready":
        return f"{WARNING} beware", text(record.problem, "$warning")
    return "cannot run", text(record.problem, "$error")


def problem_mark(record: ToolRecord) -> Content:
    """Return the mark that stands after the name of a tool with which something is wrong; nothing for any other."""
    if not record.problem:
        return Content("")
    return Content.assemble(" ", severity("warning" if record.status == "ready" else "error"))


def ghost(sure: bool) -> Content:
    """Return what stands behind a skill that no file defines; where not all files are read, nobody is ``sure``."""
    said, style = ("no such skill", "$error") if sure else ("not read yet", MUTED)
    return Content.styled(f" {GHOST} {said}", style)
