"""The Overview of a skill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from explorer.messages import OpenActor, OpenPlace, OpenSkill, Request, ShowCycles
from explorer.presenters import marks
from explorer.presenters.approvals import moment
from explorer.presenters.flags import letters, skill_letters
from explorer.presenters.layout import wrap
from explorer.presenters.page import Line, Page
from explorer.presenters.places import open_place, place_text
from explorer.services.flat import errors_of, row_of

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.model import SkillCapabilitySummary
    from core.resolve.catalogue import Catalogue
    from core.resolve.views import IncludeView, SkillRow
    from core.workspace import Workspace
    from core.workspace.registering import Standing

MOST_LISTED = 200
PART_ONLY = "Only a part of the files has been read, so what seems to be missing here may be in another one."
STALE = "As before: the file can't be read now, so this is as it was, and no tool can be called."
MOST_FINDINGS, MOST_LINES, MOST_RELATED = 60, 5, 12
ROOMY = 56


def skill_page(
    workspace: Workspace, name: str, findings: list[Diagnostic], width: int, entry: Standing | None = None
) -> Page:
    """Return the page; a skill that doesn't exist says so and who includes it. ``entry`` says what is registered."""
    page, catalogue = Page(width), workspace.catalogue
    row, complete = row_of(workspace, name), workspace.declarations.complete
    if not complete:
        page.paragraph(PART_ONLY, "$warning")
    if row is None:
        page.paragraph(f"No file defines the skill {name}.", "$error")
        _registered(page, entry)
    else:
        if name in workspace.last_good:
            page.paragraph(f"{marks.STALE} {STALE}", "$warning")
        page.paragraph(row.description or "No description.", "" if row.description else marks.MUTED)
        page.blank()
        _facts(page, row)
        _registered(page, entry)
        _errors(page, workspace, name)
        _cycle_link(page, row)
        page.links("Includes", (_include(catalogue, include, complete) for include in row.includes[:MOST_LISTED]))
    page.links("Included by", _names(catalogue, catalogue.included_by(name)))
    page.links("Actors", _actors(catalogue, name))
    problems_part(page, findings)
    return page


def _facts(page: Page, row: SkillRow) -> None:
    page.field("status", marks.status(row.status))
    page.field("version", marks.text(row.version))
    page.field("defined in", place_text(row.place.path, row.place.line), open_place(row.place))
    page.field("tools", summary_text(row.summary))
    if row.sources:
        page.field("sources", marks.text(", ".join(row.sources)))
    if row.undiscovered_servers:
        servers = ", ".join(row.undiscovered_servers)
        page.field(
            "not known", Content.assemble(("? ", "$info"), marks.text(f"the tools of {servers}: not discovered yet"))
        )
    page.field("may", _may(row))


_ENTRY = {
    "current": ("✓ ", "$success"),
    "drifted": ("▲ ", "$warning"),
    "stale": ("? ", "$info"),
    "gone": ("▲ ", "$warning"),
}


def _registered(page: Page, entry: Standing | None) -> None:
    """Add since when the skill is registered, and whether it still is what was registered."""
    if entry is None:
        return
    told = "; ".join(part for part in (entry.drift.words, entry.reason) if part)
    said = f"{entry.status}: {told}" if told else str(entry.status)
    mark, colour = _ENTRY[entry.status]
    page.field(
        "registered", Content.assemble((mark, colour), marks.text(f"{moment(entry.entry.registered_at)} · {said}"))
    )


def summary_text(summary: SkillCapabilitySummary) -> Content:
    """Return a capability summary as a sentence of numbers."""
    parts = [
        f"{summary.total_tools:,} in all",
        f"{summary.read_only_tools:,} only read",
        f"{summary.write_tools:,} write",
        f"{summary.checkpointable_tools:,} can be checkpointed",
    ]
    return Content(" · ".join(parts))


def _may(row: SkillRow) -> Content:
    if row.status != "resolved":
        return Content("counts as writing, until it resolves")
    if row.summary.write_tools or row.summary.has_side_effects:
        extra = ", and has side effects" if row.summary.has_side_effects else ""
        return Content(f"read and write{extra}")
    return Content("only read")


def _errors(page: Page, workspace: Workspace, name: str) -> None:
    errors = errors_of(workspace, name)
    if not errors:
        return
    row = row_of(workspace, name)
    partial = row is not None and row.status == "partial"
    page.heading("What is missing" if partial else "Why it does not resolve", len(errors))
    for error in errors[:MOST_LISTED]:
        page.paragraph(f"{error.error_type}: {error.message}", "$error", indent=3)


def _cycle_link(page: Page, row: SkillRow) -> None:
    if any(include.in_cycle for include in row.includes):
        page.link(
            Content(f"{marks.CYCLE} show the cycle, include by include, and where to cut it"),
            Content(""),
            ShowCycles(row.name),
        )


def _actors(catalogue: Catalogue, name: str) -> Iterator[tuple[Content, Content, Request]]:
    """Give each actor that gets the skill, those last that get it only through another one."""
    given = catalogue.actors_of(name)
    others = [actor for actor in catalogue.actors_reaching(name) if actor not in given]
    for actor in (*given, *others)[:MOST_LISTED]:
        how = Content("") if actor in given else Content.styled("through a skill that includes it", marks.MUTED)
        yield marks.text(actor), how, OpenActor(actor)


def _include(catalogue: Catalogue, include: IncludeView, complete: bool) -> tuple[Content, Content, Request]:
    where = place_text(include.path, include.line).stylize_before(marks.MUTED)
    if include.ghost:
        left = Content.assemble(marks.text(include.name, "italic"), marks.ghost(complete))
        return left, where, OpenPlace(include.path, include.line, include.column)
    mark = Content.styled(f" {marks.CYCLE} cycle", "$error") if include.in_cycle else Content("")
    left, right, leads_to = _skill_link(catalogue, include.name)
    return left + mark, Content.assemble(right, "   ", where), leads_to


def _names(catalogue: Catalogue, names: tuple[str, ...]) -> Iterator[tuple[Content, Content, Request]]:
    return (_skill_link(catalogue, name) for name in names[:MOST_LISTED])


def _skill_link(catalogue: Catalogue, name: str) -> tuple[Content, Content, Request]:
    row = catalogue.skill(name)
    right = Content.assemble((f"{row.tools:,}  ", marks.MUTED), letters(skill_letters(row))) if row else Content("")
    return marks.text(name), right, OpenSkill(name)


def problems_part(page: Page, findings: list[Diagnostic]) -> None:
    """Add the findings of what the page is about, each with its remedy and the other places it speaks of."""
    if not findings:
        return
    page.heading("Problems", len(findings))
    for found in findings[:MOST_FINDINGS]:
        place = place_text(found.place.path, found.place.line).stylize_before(marks.MUTED)
        text = Content.assemble(marks.severity(found.severity), " ", marks.text(found.message))
        beside = page.width - place.cell_length - 8
        first, *more = wrap(text, beside if beside >= ROOMY else page.width - 6)
        page.link(first, place if beside >= ROOMY else Content(""), open_place(found.place))
        for line in more[:MOST_LINES]:
            page.lines.append(Line(Content.assemble(" " * 5, line.stylize_before(marks.ACCENT))))
        if beside < ROOMY:
            page.lines.append(Line(Content.assemble(" " * 5, place)))
        if found.hint and found.hint not in found.message:
            page.paragraph(f"→ {found.hint}", marks.MUTED, indent=5)
        for related in found.related[:MOST_RELATED]:
            where = place_text(related.place.path, related.place.line).stylize_before(marks.MUTED)
            page.link(marks.text(related.message), where, open_place(related.place), indent=5)
