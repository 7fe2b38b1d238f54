"""The Overview of a tool in a skill: what it does, what it takes, and where each flag comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.content import Content

from explorer.messages import OpenActor, OpenPlace, OpenSkill, ShowWhy, TryTool
from explorer.presenters import marks
from explorer.presenters.approvals import standing_part
from explorer.presenters.keys import NO_KEYMAP, Keymap
from explorer.presenters.page import Page
from explorer.presenters.parameters import parameters
from explorer.presenters.places import place_text

if TYPE_CHECKING:
    from core.model import FlagProvenance, ToolRecord
    from core.workspace.standing import Standing

MOST_ACTORS = 200
_FLAG_WIDTH, _WIDEST_VALUE = 24, 20
_FEW = 2


def tool_page(
    skill: str,
    record: ToolRecord,
    actors: Sequence[str],
    width: int,
    standing: Standing | None = None,
    keys: Keymap = NO_KEYMAP,
) -> Page:
    """Return the page; ``actors`` are those that get the tool."""
    page = Page(width)
    page.paragraph(record.description or "No description.", "" if record.description else marks.MUTED)
    page.blank()
    if record.problem:
        page.field(*marks.problem(record))
    page.field("source", marks.text(record.source))
    page.field("status", marks.text(record.status))
    runs_own = record.source == "custom" or record.source.startswith("mcp:")
    if runs_own or (standing is not None and standing.trust == "each"):
        standing_part(page, standing, keys)
    page.field("from skill", marks.text(record.from_skill), OpenSkill(record.from_skill))
    longest = record.longest_s()
    more = f" for each answer, {longest:,} s in all while it reports progress" if longest > record.timeout else ""
    page.field("timeout", Content(f"{record.timeout:,} s{more}"))
    if record.status != "undiscovered":
        parameters(page, record.input_schema)
    page.field("do", Content("try it"), TryTool(skill, record.name))
    page.field("", Content("why it is here"), ShowWhy(skill, record.name))
    page.heading("Flags")
    flags_part(page, record.provenance)
    page.links(
        "Actors that get it", ((marks.text(name), Content(""), OpenActor(name)) for name in actors[:MOST_ACTORS])
    )
    if not actors:
        page.heading("Actors that get it")
        page.paragraph("None: no actor is given a skill that has it.", marks.MUTED, indent=3)
    return page


_ORIGINS = {
    "assumed": "? assumed: nothing is said",
    "annotated": "annotated by its server",
    "overridden": "* overridden",
}


def flags_part(page: Page, flags: Mapping[str, FlagProvenance]) -> None:
    """Add a row for each flag; those that nobody says anything about share one at the end."""
    silent = [flag for flag, provenance in flags.items() if _is_silent(provenance)]
    silent = silent if len(silent) >= _FEW else []
    flag_lines(page, {flag: provenance for flag, provenance in flags.items() if flag not in silent})
    if silent:
        page.paragraph(f"{', '.join(silent)}: nothing is said", marks.MUTED, indent=3)


def _is_silent(provenance: FlagProvenance) -> bool:
    return provenance.value is None and provenance.origin == "declared"


def flag_lines(page: Page, flags: Mapping[str, FlagProvenance]) -> None:
    """Add a row for each flag: what it is, who says so and what that replaced, in columns."""
    values = [marks.text(value_text(provenance.value)) for provenance in flags.values()]
    width = min(max((value.cell_length for value in values), default=0), _WIDEST_VALUE)
    for (flag, provenance), value in zip(flags.items(), values, strict=True):
        _flag_line(page, flag, provenance, value.pad_right(max(0, width - value.cell_length)))


def _flag_line(page: Page, flag: str, provenance: FlagProvenance, value: Content) -> None:
    left = Content.assemble(
        marks.text(f"{flag:<{_FLAG_WIDTH}}", marks.MUTED),
        value,
        "  ",
        origin_text(provenance),
    )
    if provenance.path is None or provenance.value is None:
        page.link(left, Content(""), None)
        return
    where = place_text(provenance.path, provenance.line).stylize_before(marks.MUTED)
    page.link(left, where, OpenPlace(provenance.path, provenance.line or 1))


def origin_text(provenance: FlagProvenance) -> Content:
    """Return where a value comes from, in words; an assumed one is marked with ``?``."""
    if _is_silent(provenance):
        return Content.styled("nothing is said", marks.MUTED)
    said = _ORIGINS.get(provenance.origin, str(provenance.origin))
    if provenance.origin == "declared" and provenance.path is None:
        said = "declared, built in"
    if provenance.origin == "overridden" and provenance.replaced is not None:
        same = provenance.replaced == provenance.value
        said += ", to the same value" if same else f", was {value_text(provenance.replaced)}"
    return marks.text(said, "$accent" if provenance.origin == "overridden" else marks.MUTED)


def value_text(value: Any) -> str:
    """Return a flag's value in words."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
