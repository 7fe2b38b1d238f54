"""Names of skills and tools (language, part 2)."""

from __future__ import annotations

import re

NAME_PATTERN = re.compile(r"^[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+$")
SHORT_NAME_PATTERN = re.compile(r"[a-zA-Z0-9_-]+")
_OUTSIDE = re.compile(r"[^a-zA-Z0-9_/-]")


def is_qualified_name(name: str) -> bool:
    """Whether the whole of ``name`` is namespace/short_name; a trailing newline is not."""
    return NAME_PATTERN.fullmatch(name) is not None


def name_problem(name: str) -> str:
    """Say why ``name`` is not namespace/short_name: the character that may not stand there, by its code point."""
    odd = _OUTSIDE.search(name)
    if odd is not None:
        char = odd[0]
        shown = f"`{char}`" if char.isascii() and char.isprintable() and char != "`" else "the character"
        return f"{shown} (U+{ord(char):04X}) may not stand in a name"
    slashes = name.count("/")
    if slashes != 1:
        return "it needs a namespace and a `/`" if slashes == 0 else "it has more than one `/`"
    return "a part before or after the `/` is missing"
