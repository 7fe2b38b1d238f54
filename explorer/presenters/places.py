"""Places in workspace files, as text and as a request to show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from explorer.messages import OpenPlace
from explorer.presenters import marks

if TYPE_CHECKING:
    from core.diagnostics import Place


def place_text(path: str, line: int | None = None, column: int | None = None) -> Content:
    """Return ``path:line:column``, as far as it is known."""
    numbers = "".join(f":{number}" for number in (line, column) if number is not None)
    return Content.assemble(marks.text(path), (numbers, marks.MUTED))


def open_place(place: Place) -> OpenPlace:
    """Return the request to show ``place``."""
    return OpenPlace(place.path, place.line, place.column)
