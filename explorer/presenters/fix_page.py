"""What a fix changes, as a unified diff; added and removed lines are told by their sign as well as by colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from core.text import display, plural
from explorer.presenters import marks
from explorer.presenters.page import Line, Page
from explorer.services.findings import is_proposed

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.workspace.fixes import FileFix

MOST_LINES = 2_000
_STYLE = {"+": "$success", "-": "$error", "@": marks.MUTED}


def fix_page(found: Diagnostic, plan: Sequence[FileFix], width: int) -> Page:
    """Return the preview: what was found, then each file's change."""
    page = Page(width)
    if found.hint and not is_proposed(found.fix):
        page.paragraph(f"{found.message.removesuffix(f'; {found.hint}.')}.")
        page.paragraph(f"This removes that include. Another cut is advised: {found.hint}.")
    else:
        page.paragraph(found.message)
    for file in plan:
        page.blank()
        page.lines.extend(diff_lines(file.diff()))
    return page


def new_file_page(path: str, text: str, width: int) -> Page:
    """Return the preview of a file that would be written."""
    page = Page(width)
    page.paragraph(f"Writes {path}; nothing else changes.")
    page.blank()
    page.lines.extend(diff_lines("\n".join(f"+{line}" for line in text.splitlines())))
    return page


def diff_lines(diff: str) -> list[Line]:
    """Return the lines of a unified diff in colour."""
    lines = diff.split("\n")
    shown = [Line(Content.styled(f" {display(line, 500)}", _STYLE.get(line[:1], ""))) for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(Line(Content.styled(f" … {plural(len(lines) - MOST_LINES, 'more line')}", marks.MUTED)))
    return shown
