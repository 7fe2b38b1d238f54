"""The Overview of a tool in a skill: what it does, what it takes, and where each flag comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from explorer.messages import OpenPlace, OpenSkill, TryTool
from explorer.presenters import marks
from explorer.presenters.page import Line, Page
from explorer.presenters.places import place_text

if TYPE_CHECKING:
    from core.model import FlagProvenance, ToolRecord

MOST_INPUTS = 60


def tool_page(skill: str, record: ToolRecord, width: int) -> Page:
    """Return the page."""
    page = Page(width)
    page.paragraph(record.description or "No description.", "" if record.description else marks.MUTED)
    page.blank()
    if record.problem:
        page.field(*marks.problem(record))
    page.field("source", marks.text(record.source))
    page.field("status", marks.text(record.status))
    page.field("from skill", marks.text(record.from_skill), OpenSkill(record.from_skill))
    page.field("timeout", Content(f"{record.timeout} s"))
    page.link(Content.styled("Try it", "$accent"), Content(""), TryTool(skill, record.name))
    _inputs(page, record.input_schema)
    page.heading("Flags")
    for flag, provenance in record.provenance.items():
        flag_line(page, flag, provenance)
    return page


def flag_line(page: Page, flag: str, provenance: FlagProvenance) -> None:
    """Add a row that says what the flag is, who says so and what that replaced."""
    left = Content.assemble(
        marks.text(f"{flag:<24}", marks.MUTED), marks.text(value_text(provenance.value)), "  ", origin_text(provenance)
    )
    if provenance.path is None or provenance.value is None:
        page.link(left, Content(""), None)
        return
    where = place_text(provenance.path, provenance.line)
    page.link(left, where, OpenPlace(provenance.path, provenance.line or 1))


def origin_text(provenance: FlagProvenance) -> Content:
    """Return where a value comes from, in words; an assumed one is marked with ``?``."""
    if provenance.value is None and provenance.origin == "declared":
        return Content.styled("nothing is said", marks.MUTED)
    words = {"assumed": "? assumed: nothing is said", "overridden": "* overridden"}
    said = words.get(provenance.origin, str(provenance.origin))
    if provenance.origin == "overridden" and provenance.replaced is not None:
        said += f", was {value_text(provenance.replaced)}"
    return marks.text(said, "$accent" if provenance.origin == "overridden" else marks.MUTED)


def value_text(value: Any) -> str:
    """Return a flag's value in words."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)


def _inputs(page: Page, schema: dict[str, Any] | None) -> None:
    properties = (schema or {}).get("properties")
    if not isinstance(properties, dict) or not properties:
        return
    required = (schema or {}).get("required")
    needed = set(map(str, required)) if isinstance(required, list) else set()
    page.heading("Takes", len(properties))
    for name, part in list(properties.items())[:MOST_INPUTS]:
        kind = part.get("type", "any") if isinstance(part, dict) else "any"
        kind = " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)
        says = str(part.get("description", "")) if isinstance(part, dict) else ""
        star = Content.styled(" *", "$accent") if name in needed else Content("")
        page.lines.extend(_input_lines(page.width, marks.text(name) + star, kind, says))


def _input_lines(width: int, name: Content, kind: str, says: str) -> list[Line]:
    content = Content.assemble("   ", name, "  ", marks.text(kind, marks.MUTED), "  ", marks.text(says, limit=300))
    return [Line(content.truncate(width, ellipsis=True))]
