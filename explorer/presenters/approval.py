"""What would run, whole: nothing of an execution identity is left out or cut."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from core.text import display
from explorer.messages import Choose
from explorer.presenters import marks
from explorer.presenters.layout import wrap
from explorer.presenters.page import Line, Page
from explorer.presenters.places import place_text

if TYPE_CHECKING:
    from core.runtime.call import ExecutionIdentity

MOST_TEXT = 200_000
LEAVING_OUT = "All of these are asked for at once. ← goes to this text, ↓ to the next of them, space leaves one out."

TAKEN_BACK = (
    "An approval holds until it is taken back: {show-approvals} on the main screen, or `skill-explorer trust --revoke`."
)


def approval_page(identity: ExecutionIdentity, width: int, call: ExecutionIdentity | None = None) -> Page:
    """Return the page of the dialog: what and from where, what to beware of, what changed, every detail, the code.

    ``call`` is what the same answer is a yes to, for this once.
    """
    page = Page(width)
    if call is not None:
        _this_call(page, call)
    page.field("what", marks.text(identity.kind))
    if identity.path is not None:
        page.field("defined in", place_text(identity.path, identity.line))
    _warnings(page, identity)
    if identity.changed:
        page.heading("Changed since it was approved")
        for change in identity.changed:
            _whole(page, change, "$warning")
    details_part(page, identity.details, identity.code, identity.digest)
    return page


def details_part(page: Page, details: Iterable[tuple[str, str]], code: str | None, digest: str) -> None:
    """Add every detail, the code and the digest."""
    page.blank()
    for label, value in details:
        _detail(page, label, value)
    if code:
        page.heading("Code")
        _whole(page, code)
    page.field("digest", marks.text(digest, marks.MUTED))


class ApprovalsPage:
    """The pages of several identities as one, each below a row that leaves it out or takes it in again."""

    def __init__(self, identities: Sequence[ExecutionIdentity]) -> None:
        self._identities = identities
        self._bodies: tuple[int, list[list[Line]]] = (-1, [])

    def page(self, width: int, left_out: Container[str]) -> Page:
        """Return the page for ``width``; what is left out, by digest, says so and is shown all the same."""
        if self._bodies[0] != width:
            self._bodies = (width, [approval_page(identity, width).lines for identity in self._identities])
        page = Page(width)
        page.paragraph(LEAVING_OUT, marks.MUTED)
        count = len(self._identities)
        for number, (identity, body) in enumerate(zip(self._identities, self._bodies[1], strict=True), 1):
            out = identity.digest in left_out
            title = Content.assemble(marks.text(identity.title, "bold"), "  left out" if out else "")
            page.blank()
            page.field(f"[{' ' if out else 'x'}] {number:,} of {count:,}", title, Choose(identity.digest))
            page.lines += body
        return page


def _this_call(page: Page, call: ExecutionIdentity) -> None:
    page.field("this call", marks.text(call.title))
    _warnings(page, call)
    for label, value in call.details:
        _detail(page, label, value)
    page.heading("What it would run")


def _warnings(page: Page, identity: ExecutionIdentity) -> None:
    for warning in identity.warnings:
        page.field("beware", Content.assemble(("▲ ", "$warning"), marks.text(warning, "$warning", MOST_TEXT)))


def _detail(page: Page, label: str, value: str) -> None:
    lines = display(value, MOST_TEXT, multiline=True).split("\n")
    page.field(display(label, 40), Content(lines[0]))
    for line in lines[1:]:
        page.field("", Content(line))


def _whole(page: Page, text: str, style: str = "") -> None:
    for number, line in enumerate(display(text, MOST_TEXT, multiline=True).split("\n"), 1):
        head = Content.styled(f"{number:>5} ", marks.MUTED)
        for at, part in enumerate(wrap(Content.styled(line, style), page.width - 7)):
            page.lines.append(Line(Content.assemble(head if at == 0 else " " * 6, part)))
