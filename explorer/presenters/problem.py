"""A finding as a row, and as the whole sentence with its remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.content import Content

from explorer.presenters import marks
from explorer.presenters.keys import NO_KEYMAP, Keymap, bound
from explorer.presenters.layout import keep_end, two_sides, wrap
from explorer.presenters.places import place_text

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic, Fix

_WORD = re.compile(r"\w[\w/.-]+\w")


def place_width(problems: Iterable[Diagnostic]) -> int:
    """Return the cells that the column of places needs."""
    return max((_place(found).cell_length for found in problems), default=0)


def problem_row(found: Diagnostic, width: int, places: int) -> Content:
    """Return mark, place in a column of ``places`` cells, and sentence; the code at the right where there is room."""
    column = max(12, min(places, width // 3))
    left = Content.assemble(
        " ", marks.severity(found.severity), " ", keep_end(_place(found), column), "  ", marks.text(found.message)
    )
    if width < 100:
        return left
    return two_sides(left, Content.assemble("  ", marks.text(found.code, marks.MUTED), " "), width)


def _place(found: Diagnostic) -> Content:
    return place_text(found.place.path, found.place.line, found.place.column)


def problem_text(found: Diagnostic, fix: Fix | None, width: int, keys: Keymap = NO_KEYMAP) -> list[Content]:
    """Return the whole finding, wrapped: sentence, remedy, other places, what ``fix`` does."""
    lines = wrap(marks.text(found.message), width)
    if found.hint and not _says_already(found.message, found.hint):
        lines += wrap(Content.assemble(("→ ", "$accent"), marks.text(found.hint)), width, indent=2)
    for related in found.related[:5]:
        place = place_text(related.place.path, related.place.line, related.place.column)
        lines += wrap(
            Content.assemble(("  also ", marks.MUTED), place, "  ", marks.text(related.message)), width, indent=2
        )
    if fix:
        lines += wrap(
            Content.assemble((f"{bound(keys, 'fix-problem')} ", "bold $accent"), marks.text(fix.title)), width, indent=2
        )
    return lines


def _says_already(message: str, hint: str) -> bool:
    """Whether every word of ``hint`` that carries meaning stands in ``message``."""
    return set(_WORD.findall(hint.casefold())) <= set(_WORD.findall(message.casefold()))
