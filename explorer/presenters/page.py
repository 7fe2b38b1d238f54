"""A page of text whose rows may lead somewhere: headings, fields, wrapped paragraphs, links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from textual.content import Content

from core.text import display
from explorer.messages import OpenSkill, Request
from explorer.presenters import marks
from explorer.presenters.layout import two_sides, wrap

LABEL_WIDTH = 15
MOST_TEXT = 8_000
WIDEST = 116


@dataclass(frozen=True, slots=True)
class Line:
    """One row; ``leads_to`` is what opening it asks for, None for text that only informs."""

    content: Content
    leads_to: Request | None = None


def same_lines(one: Sequence[Line], other: Sequence[Line]) -> bool:
    """Whether two pages look alike and lead to the same places."""
    return len(one) == len(other) and all(
        a.leads_to == b.leads_to and a.content.is_same(b.content) for a, b in zip(one, other, strict=True)
    )


@dataclass
class Page:
    """Rows for a known width, of which no more is used than the eye can follow.

    Text given as ``str`` is untrusted and is made safe here.
    """

    width: int
    lines: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.width = min(self.width, WIDEST)

    def blank(self) -> None:
        """Leave one row free, never two."""
        if self.lines and self.lines[-1].content.plain.strip():
            self.lines.append(Line(Content("")))

    def heading(self, title: str, count: int | None = None) -> None:
        """Begin a part."""
        self.blank()
        number = f"  {count:,}" if count is not None else ""
        self.lines.append(Line(Content.assemble(" ", (title, "bold"), (number, marks.MUTED))))

    def paragraph(self, text: str, style: str = "", indent: int = 1) -> None:
        """Add wrapped text; its own line breaks hold."""
        for part in display(text, MOST_TEXT, multiline=True).strip("\n").split("\n"):
            for line in wrap(Content.styled(part, style), self.width - indent - 1):
                self.lines.append(Line(Content.assemble(" " * indent, line)))

    def field(self, label: str, value: Content, leads_to: Request | None = None) -> None:
        """Add a labelled value, wrapped beside its label."""
        if len(label) >= LABEL_WIDTH:
            self.paragraph(label, marks.MUTED)
            label = ""
        head = f" {label:<{LABEL_WIDTH}}"
        if leads_to is not None:
            value = value.stylize_before(marks.ACCENT)
        for at, line in enumerate(wrap(value, self.width - len(head) - 1)):
            shown = Content.styled(head, marks.MUTED) if at == 0 else Content(" " * len(head))
            self.lines.append(Line(Content.assemble(shown, line), leads_to if at == 0 else None))

    def link(self, left: Content, right: Content, leads_to: Request | None, indent: int = 3) -> None:
        """Add a row that can be opened: what it is, and at the right what is worth knowing before."""
        left = Content.assemble(" " * indent, left.stylize_before(marks.ACCENT) if leads_to is not None else left)
        right = Content.assemble("  ", right, " ")
        self.lines.append(Line(two_sides(left, right, self.width), leads_to))

    def way(self, names: Sequence[str], indent: int = 3) -> None:
        """Add an include path, wrapped; it opens the skill at its end."""
        arrow = Content.styled(" ▸ ", marks.MUTED)
        way = arrow.join([marks.text(name, limit=80) for name in names]).stylize_before(marks.ACCENT)
        for at, line in enumerate(wrap(way, self.width - indent - 1, indent=2)):
            self.lines.append(Line(Content.assemble(" " * indent, line), OpenSkill(names[-1]) if at == 0 else None))

    def links(self, title: str, rows: Iterable[tuple[Content, Content, Request | None]]) -> None:
        """Add a part of links; nothing at all when there are none."""
        found = list(rows)
        if not found:
            return
        self.heading(title, len(found))
        for left, right, leads_to in found:
            self.link(left, right, leads_to)


def text_page(text: str, width: int) -> Page:
    """Return a page of plain text."""
    page = Page(width)
    page.paragraph(text)
    return page
