"""Keys as people read them, and the line of keys at the bottom."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from textual.content import Content

from explorer.commands import BY_ID

Keymap = Mapping[str, str]
NO_KEYMAP: Keymap = MappingProxyType({})
_NAMED = re.compile(r"\{([a-z.-]+[0-9]?)\}")
_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "escape": "esc",
    "space": "space",
    "pageup": "page up",
    "pagedown": "page down",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "full_stop": ".",
    "comma": ",",
}


def key_name(key: str) -> str:
    """Return how a key is written in footer and help."""
    *modifiers, last = key.split("+")
    return "+".join([*modifiers, _NAMES.get(last, last)])


def bound(keymap: Keymap, command: str) -> str:
    """Return the first key of a command, as it is read, after the user's own remapping."""
    return key_name((keymap.get(command) or BY_ID[command].keys).split(",")[0].strip())


def with_bound(keymap: Keymap, sentence: str) -> str:
    """Return ``sentence`` with the key of each command that it names in braces; other braces stay."""
    return _NAMED.sub(lambda found: bound(keymap, found[1]) if found[1] in BY_ID else found[0], sentence)


def key_names(keys: str) -> str:
    """Return the keys of a binding, separated for reading."""
    return "  ".join(key_name(key.strip()) for key in keys.split(","))


@dataclass(frozen=True, slots=True)
class KeyHint:
    """One entry of the line: the key, what it does, which action it runs."""

    key: str
    label: str
    action: str
    last: bool = False


def key_bar(hints: Sequence[KeyHint], width: int) -> tuple[Content, list[tuple[int, int, KeyHint]]]:
    """Return the line and where each entry stands; what doesn't fit goes, but never the ``last`` ones (help, quit)."""
    room = width - 1 - sum(_size(hint) for hint in hints if hint.last)
    shown: list[KeyHint] = []
    for hint in hints:
        if hint.last or _size(hint) <= room:
            shown.append(hint)
            room -= 0 if hint.last else _size(hint)
    content, at = Content(" "), 1
    places: list[tuple[int, int, KeyHint]] = []
    for hint in shown:
        content += Content.assemble((key_name(hint.key), "bold $accent"), " ", (hint.label, "$muted"), "   ")
        places.append((at, at + _size(hint) - 3, hint))
        at += _size(hint)
    return content, places


def _size(hint: KeyHint) -> int:
    return len(key_name(hint.key)) + len(hint.label) + 4
