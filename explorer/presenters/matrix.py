"""Cells and headings of the tools matrix, and the page that says why a cell is what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from core.text import plural
from explorer.messages import OpenPlace, OpenSkill
from explorer.presenters import marks
from explorer.presenters.layout import fit, two_sides
from explorer.presenters.page import Page
from explorer.presenters.parameters import parameters
from explorer.presenters.places import place_text
from explorer.presenters.tool_page import flag_lines, origin_text, value_text
from explorer.services.matrix import COLUMNS, NO, UNKNOWN, UNSET, YES, Cell, Column, cell, provenance_of

if TYPE_CHECKING:
    from core.model import FlagProvenance, ToolRecord
    from core.resolve.views import WhyTool

SHOWN_PATHS = 3
_ALARMING = {"writes", "unsafe", "approval", "side-effects"}
_GAP = 2


def cell_content(found: Cell, column: Column) -> Content:
    """Return the cell: what calls for care is in colour, what says nothing is dim, marks are always there."""
    style = ""
    if found.word in (UNSET, NO) and not found.overridden:
        style = marks.MUTED
    elif found.word == UNKNOWN:
        style = "$info"
    elif column.key in _ALARMING and found.word not in (UNSET, NO):
        style = "$warning"
    mark = found.text[len(found.word) :]
    return Content.assemble(marks.text(found.word, style, 60), (mark, "bold $accent" if mark == "*" else "$info"))


def column_widths(width: int, longest_name: int, longest_source: int) -> list[int]:
    """Return the cells of each column; the names give way, and short titles take over where it gets narrow."""
    wide = _flag_widths(short=False)
    flags = wide if width >= sum(wide) + min(longest_name, 28) + longest_source else _flag_widths(short=True)
    source = min(max(longest_source, 6), 8 if is_short(flags) else 20) + _GAP
    name = max(14, min(longest_name + _GAP, width - source - sum(flags), 60))
    return [name, source, *flags]


def _flag_widths(*, short: bool) -> list[int]:
    return [max(len(c.short if short else c.title), 5 if short else 6) + (1 if short else _GAP) for c in COLUMNS[2:]]


def is_short(widths: list[int]) -> bool:
    """Whether these are the widths of the short titles."""
    return widths[-7:] == _flag_widths(short=True)


def heading(widths: list[int], first: int, *, sort_by: str, reverse: bool, at: int) -> Content:
    """Return the titles from column ``first`` on, the tool's always; the sorted one has its arrow, ``at`` is bright."""
    parts = [Content(" ")]
    for index in shown_columns(first):
        column = COLUMNS[index]
        title = column.short if is_short(widths) else column.title
        arrow = ("▼" if reverse else "▲") if column.key == sort_by else ""
        style = "bold $accent" if index == at else marks.MUTED
        parts.append(fit(Content.styled(title + arrow, style), widths[index]))
    return Content.assemble(*parts)


def shown_columns(first: int) -> list[int]:
    """Return the columns that stand side by side when the view begins at ``first``: the tool's never leaves."""
    return [0, *range(max(1, first), len(COLUMNS))]


def row(record: ToolRecord, widths: list[int], first: int, at: int | None) -> Content:
    """Return a row; the cell at ``at`` stands out. A tool with which something is wrong has a mark after its name."""
    parts = [Content(" ")]
    for index in shown_columns(first):
        column = COLUMNS[index]
        content = cell_content(cell(record, column), column)
        mark = marks.problem_mark(record) if column.key == "tool" else Content("")
        content = two_sides(content, mark, widths[index] - 1)
        if index == at:
            content = content.stylize("bold underline")
        parts.append(Content.assemble(content, " "))
    return Content.assemble(*parts)


def cell_page(
    record: ToolRecord, column: Column, why: WhyTool | None, width: int, *, given_by: tuple[str, ...] = ()
) -> Page:
    """Return the page beside the matrix: the selected cell, the ways here, what it does and takes, all flags.

    ``given_by`` are the skills of an actor that give it the tool.
    """
    page = Page(width)
    provenance = provenance_of(record, column)
    if provenance is not None and column.flag:
        _selected(page, column, provenance)
        _gate_note(page, record, column)
    _state(page, record)
    for at, skill in enumerate(given_by[:SHOWN_PATHS]):
        page.field("given by" if at == 0 else "", marks.text(skill), OpenSkill(skill))
    if len(given_by) > SHOWN_PATHS:
        page.field("", Content.styled(f"and {plural(len(given_by) - SHOWN_PATHS, 'more skill')}", marks.MUTED))
    if why is not None:
        _ways(page, why)
    page.field("does", marks.text(record.description or "no description", "" if record.description else marks.MUTED))
    if record.status != "undiscovered":
        parameters(page, record.input_schema)
    page.heading("Flag by flag")
    flags = why.flags if why else record.provenance
    flag_lines(
        page, {f: found for f, found in flags.items() if found.value is not None or found.origin == "overridden"}
    )
    return page


def _selected(page: Page, column: Column, provenance: FlagProvenance) -> None:
    """What the selected cell says, who says so, and where."""
    value = Content.assemble(marks.text(value_text(provenance.value), "bold"), "  ", origin_text(provenance))
    leads_to = None
    if provenance.path is not None and provenance.value is not None:
        value = Content.assemble(value, (" in ", marks.MUTED), place_text(provenance.path, provenance.line))
        leads_to = OpenPlace(provenance.path, provenance.line or 1)
    page.field(column.title, value, leads_to)


def _gate_note(page: Page, record: ToolRecord, column: Column) -> None:
    """An override that loosens what a tool declares itself changes what is shown, not what the gate does."""
    flag = column.flag or ""
    shown, gate = getattr(record.capability, flag), getattr(record.gate_capability, flag)
    if shown != gate and flag != "side_effects" and shown is not None:
        said = YES if gate else NO if gate is not None else "unset"
        page.field(
            "▲ gate", Content.styled(f"still {said}: an override can't loosen what the tool declares", "$warning")
        )


def _state(page: Page, record: ToolRecord) -> None:
    if record.problem:
        page.field(*marks.problem(record))
    elif record.status == "undiscovered":
        page.field("status", Content.styled("? not discovered yet: its flags and parameters are not known", "$info"))


def _ways(page: Page, why: WhyTool) -> None:
    """The shortest ways, one a line, each opening the skill that brings the tool in."""
    for at, path in enumerate(why.paths[:SHOWN_PATHS]):
        arrow = Content.styled(" ▸ ", marks.MUTED)
        page.field(
            "here through" if at == 0 else "", arrow.join([marks.text(n, limit=80) for n in path]), OpenSkill(path[-1])
        )
    if why.path_count > SHOWN_PATHS:
        page.field("", Content.styled(f"and {plural(why.path_count - SHOWN_PATHS, 'more way')}", marks.MUTED))
