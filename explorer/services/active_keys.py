"""Which commands can run at the focused place, and with which keys, after the user's own remapping."""

from __future__ import annotations

from typing import Any

from textual.keys import key_to_character
from textual.screen import Screen

from explorer.commands import BY_ID


def possible_keys(screen: Screen[Any]) -> dict[str, list[str]]:
    """Return the keys of each command that can run now, by its id; a key that only types a letter is left out."""
    found: dict[str, list[str]] = {}
    focused = screen.focused
    for key, active in screen.active_bindings.items():
        name = active.binding.id
        if name not in BY_ID or not active.enabled:
            continue
        typed = focused is not None and focused.check_consume_key(key, _character(key))
        own = active.node is focused and getattr(focused, "OWN_KEYS_FIRST", False)
        if not typed or own or active.binding.priority:
            found.setdefault(name, []).append(key)
    return found


def _character(key: str) -> str | None:
    return "/" if key == "slash" else key_to_character(key)  # Textual's table lacks this one
