"""The key of a command where a sentence on the screen names it."""

from __future__ import annotations

from collections.abc import Mapping

from textual.widget import Widget

from explorer.presenters.keys import bound, with_bound

SAVES_IT = "  ({save-copy} saves it to a file)"


def keymap_of(widget: Widget) -> Mapping[str, str]:
    """Return the user's own remapping, in an application that has settings; else none."""
    settings = getattr(widget.app, "settings", None)
    return settings.keys if settings is not None else {}


def key_of(widget: Widget, command: str) -> str:
    """Return the key as it is bound now."""
    return bound(keymap_of(widget), command)


def with_keys(widget: Widget, sentence: str) -> str:
    """Return ``sentence`` with the key of each command that it names in braces."""
    return with_bound(keymap_of(widget), sentence)
