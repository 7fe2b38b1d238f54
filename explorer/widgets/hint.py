"""The key of a command where a sentence on the screen names it."""

from __future__ import annotations

from textual.widget import Widget

from explorer.presenters.keys import bound


def key_of(widget: Widget, command: str) -> str:
    """Return the key as it is bound now, in an application that has settings; else the one of the table."""
    settings = getattr(widget.app, "settings", None)
    return bound(settings.keys if settings is not None else {}, command)
