"""The rows of Source: numbered lines, each followed by what was found there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from core.text import plural
from explorer.presenters import marks
from explorer.presenters.layout import wrap

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from explorer.services.source_text import FileText

MOST_ROWS_OF_A_FINDING = 8
MOST_FINDINGS_OF_A_LINE = 20


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One row: a line of the file, or a part of a finding below the line it stands at."""

    line: int
    content: Content
    is_finding: bool = False


def source_rows(
    file: FileText, lines: Sequence[Content] | None, findings: Sequence[Diagnostic], width: int
) -> list[SourceRow]:
    """Return all rows; ``lines`` are the highlighted ones, once they are there."""
    at_line: dict[int, list[Diagnostic]] = {}
    last = max(1, len(file.shown))
    for found in findings:
        at_line.setdefault(min(found.place.line, last), []).append(found)
    rows: list[SourceRow] = []
    for number, plain in enumerate(file.shown, 1):
        content = lines[number - 1] if lines else Content(plain)
        here = at_line.get(number)
        if here is None:
            rows.append(SourceRow(number, content))
            continue
        rows.append(SourceRow(number, _underlined(content, file, number, here)))
        for found in here[:MOST_FINDINGS_OF_A_LINE]:
            rows.extend(SourceRow(number, line, True) for line in _finding(found, width))
    if file.cut:
        rows.append(SourceRow(last, Content.styled(f"… {plural(file.cut, 'more line')}", marks.MUTED), True))
    return rows


def gutter_width(file: FileText) -> int:
    """Return the cells that line numbers take, with the cursor's before them and a mark and a blank after them."""
    return max(3, len(str(len(file.shown)))) + 3


def gutter(row: SourceRow, width: int, worst: str | None) -> Content:
    """Return the line number, or blanks beside a finding."""
    if row.is_finding:
        return Content(" " * width)
    mark = marks.severity(worst) if worst else Content(" ")
    return Content.assemble((f"{row.line:>{width - 2}}", marks.MUTED), mark, " ")


def _underlined(content: Content, file: FileText, number: int, findings: Sequence[Diagnostic]) -> Content:
    if not file.raw:
        return content
    for found in findings:
        place = found.place
        if place.line != number:
            continue
        start = file.shown_column(number, place.column)
        end = len(content)
        if place.end_line in (None, number) and place.end_column is not None:
            end = file.shown_column(number, place.end_column)
        content = content.stylize(f"underline {marks.SEVERITY_STYLE[found.severity]}", start, max(end, start + 1))
    return content


def _finding(found: Diagnostic, width: int) -> list[Content]:
    style = marks.SEVERITY_STYLE[found.severity]
    text = Content.assemble(
        marks.severity(found.severity), " ", marks.text(found.message, style), "  ", marks.text(found.code, marks.MUTED)
    )
    return wrap(text, width, indent=2)[:MOST_ROWS_OF_A_FINDING]
