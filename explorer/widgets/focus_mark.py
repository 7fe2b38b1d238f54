"""The heading of an area, which says by a mark as well as by colour that the area has the focus."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from explorer.presenters import marks


def heading(title: str | Content, widget: Widget) -> Content:
    """Return the safe ``title`` of the area that holds ``widget``, marked while the focus is in it."""
    area = widget.parent
    focused = isinstance(area, Widget) and area.has_pseudo_class("focus-within")
    shown = Content(title) if isinstance(title, str) else title
    style = "bold $accent" if focused else "bold"
    return Content.assemble((marks.CURSOR if focused else " ", marks.ACCENT), shown.stylize_before(style))
