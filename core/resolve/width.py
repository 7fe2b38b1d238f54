"""How many terminal cells text takes."""

from __future__ import annotations

from unicodedata import combining, east_asian_width


def cell_width(char: str) -> int:
    """Return the cells of one character: 0 for one that combines with the one before, 2 for a wide one."""
    if combining(char):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def text_width(text: str) -> int:
    """Return the cells of ``text``, which must have no controls."""
    return len(text) if text.isascii() else sum(map(cell_width, text))


def cut(text: str, most: int) -> str:
    """Return ``text`` in at most ``most`` cells, with an ellipsis where something is left out."""
    if text_width(text) <= most:
        return text
    kept, left = [], most - 1
    for char in text:
        left -= cell_width(char)
        if left < 0:
            break
        kept.append(char)
    return "".join(kept) + "…"
