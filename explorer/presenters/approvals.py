"""What has been approved: a row each, the whole of one, and how a tool or a server stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from core.text import plural
from explorer.presenters import marks
from explorer.presenters.approval import details_part
from explorer.presenters.keys import NO_KEYMAP, Keymap, bound
from explorer.presenters.layout import fit, keep_end, two_sides
from explorer.presenters.page import Page
from explorer.presenters.places import place_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.registry.approvals import Approval
    from core.workspace.standing import Standing

RUNS = "● runs"
NONE_YET = (
    "Nothing is approved in this workspace. The first call of a tool with code of its own, and asking an MCP server "
    "for its tools, show what would run and ask for it."
)
_MOST_NAMED = 40
_ROOMY = 84
_WIDEST_KIND, _LEAST_PLACE = 16, 12
_BESIDE = 1 + 2 + 2 + len(f"  {RUNS}  2026-11-30 20:41 ")
"""The cells of a roomy row that are none of its columns'."""


def moment(stamp: str) -> str:
    """Return an ISO time as it is read: day and minute, in its own time zone."""
    return stamp[:16].replace("T", " ")


@dataclass(frozen=True, slots=True)
class Columns:
    """The cells that the longest kind, title and place of some approvals need."""

    kind: int = 0
    title: int = 0
    place: int = 0


def columns_of(approvals: Sequence[Approval]) -> Columns:
    """Return what the rows of ``approvals`` need."""
    parts = [(marks.text(a.kind), marks.text(a.title, limit=300), _place(a)) for a in approvals]
    kinds, titles, places = zip(*parts, strict=True) if parts else ((), (), ())
    kind, title, place = (max((part.cell_length for part in column), default=0) for column in (kinds, titles, places))
    return Columns(min(kind, _WIDEST_KIND), title, place)


def approval_row(approval: Approval, width: int, columns: Columns, *, runs: bool) -> Content:
    """Return kind, title and place in ``columns``; at the right whether something runs under it, and since when.

    Where there is less room, the place and the time of the day are left to the page of the approval.
    """
    kind = fit(marks.text(approval.kind, marks.MUTED), columns.kind)
    title = marks.text(approval.title, limit=300)
    given = moment(approval.approved_at)
    if width >= _ROOMY:
        room = width - columns.kind - _BESIDE
        title_width = min(columns.title, max(room - columns.place, room - _LEAST_PLACE))
        title = Content.assemble(fit(title, title_width), "  ", keep_end(_place(approval), room - title_width))
    left = Content.assemble(" ", kind, "  ", title)
    if width < _ROOMY:
        given = given.partition(" ")[0]
    state = Content.styled(RUNS, "$success") if runs else Content(" " * len(RUNS))
    right = Content.assemble("  ", state, "  ", marks.text(given, marks.MUTED), " ")
    return two_sides(left, right, width)


def _place(approval: Approval) -> Content:
    if approval.path is None:
        return Content.styled("built in", marks.MUTED)
    return place_text(approval.path, approval.line).stylize_before(marks.MUTED)


def stored_page(approval: Approval, width: int, *, runs: bool) -> Page:
    """Return the whole of what was approved, as it was then."""
    page = Page(width)
    page.field("approved", marks.text(moment(approval.approved_at)))
    page.field("runs now", Content("yes, under this approval" if runs else "no"))
    page.field("what", marks.text(approval.kind))
    page.field("title", marks.text(approval.title))
    page.field("defined in", _place(approval))
    details_part(page, approval.details, approval.code, approval.digest)
    if approval.listing is not None:
        page.links("Tools that its server listed", ((marks.text(name), Content(""), None) for name in approval.listing))
    return page


def revoking_page(approvals: Sequence[Approval], running: frozenset[str], width: int) -> Page:
    """Return what taking ``approvals`` back does."""
    page = Page(width)
    ended = sum(approval.digest in running for approval in approvals)
    page.paragraph("Nothing of this runs again before it is approved anew. What runs under it now is ended at once.")
    page.blank()
    page.field("runs now", Content(f"{ended:,} of {plural(len(approvals), 'approval')}"))
    page.blank()
    columns = columns_of(approvals)
    for approval in approvals:
        page.link(approval_row(approval, page.width - 6, columns, runs=approval.digest in running), Content(""), None)
    return page


def standing_part(page: Page, standing: Standing | None, keys: Keymap = NO_KEYMAP) -> None:
    """Add whether something is approved; None: that is not known yet."""
    if standing is None:
        page.field("approved", Content.styled("…", marks.MUTED))
        return
    since = moment(standing.approved_at) if standing.approved_at else ""
    match standing.trust:
        case "approved":
            said = Content.assemble(
                ("✓ ", "$success"),
                marks.text(f"{since}; {bound(keys, 'show-approvals')} takes it back"),
            )
        case "changed":
            text = f"changed since it was approved {since}: asked again at the next call"
            said = Content.assemble(("▲ ", "$warning"), marks.text(text, "$warning"))
        case "each":
            said = Content("each command is asked for by itself, at its call")
        case "unknown":
            said = Content.styled("not known: it does not resolve", marks.MUTED)
        case _:
            said = Content("no: asked at the first call" if standing.answer is None else "no: it was run once")
    page.field("approved", said)


def listing_part(page: Page, standing: Standing) -> None:
    """Add what the server said of its tools."""
    answer = standing.answer
    if answer is None:
        return
    page.heading("Its tools", len(answer.tools))
    for tool in answer.tools[:_MOST_NAMED]:
        changed = marks.text(f"▲ {tool.changed}", "$warning", 60) if tool.changed else Content("")
        page.link(marks.text(tool.name), changed, None)
    if (more := len(answer.tools) - _MOST_NAMED) > 0:
        page.paragraph(f"and {more:,} more: Tools lists them.", marks.MUTED, indent=3)
    for note in answer.notes[:_MOST_NAMED]:
        page.paragraph(note, "$warning", indent=3)
