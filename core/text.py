"""Untrusted text made visible: the one place that decides what may reach a terminal.

Control, bidirectional and invisible characters are shown, never passed on and never dropped, so that a
reader sees an attack instead of suffering it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
)
_JOINERS = {0x200D}


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code in _JOINERS and _inside_emoji(match):
        return match[0]
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return f"<{code & 0xFF:02X}>" if 0xDC80 <= code <= 0xDCFF else f"<U+{code:04X}>"
    return f"<U+{code:04X}>"


def _inside_emoji(match: re.Match[str]) -> bool:
    text, at = match.string, match.start()
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return bool(before and after) and (ord(before) >= 0x2190 and ord(after) >= 0x2190)


def safe_text(text: str) -> str:
    """Return ``text`` with every unsafe character shown; tabs and line feeds stay."""
    return _UNSAFE.sub(_visible, text) if _UNSAFE.search(text) else text


def unsafe_character(text: str, start: int = 0) -> int | None:
    """Return where in ``text``, from ``start`` on, the next character stands that ``safe_text`` shows; None if nowhere.

    Line ends don't count, nor does the joiner inside an emoji.
    """
    for match in _UNSAFE.finditer(text, start):
        if match[0] != "\r" and _visible(match) != match[0]:
            return match.start()
    return None


def display(text: str, limit: int = 2000, *, multiline: bool = False) -> str:
    """Return ``text`` fit for a screen: safe, tabs expanded, cut at ``limit`` characters with a count of the rest."""
    rest = len(text) - limit
    shown = safe_text(text[:limit].replace("\r\n", "\n"))
    shown = shown.expandtabs(4) if multiline else shown.replace("\n", "\u240a").replace("\t", "\u2409")
    return f"{shown}… {rest:,} more" if rest > 0 else shown


def nearest(word: str, candidates: Iterable[str], limit: int = 3) -> list[str]:
    """Return the candidates that ``word`` was probably meant to be, best first; at most ``limit``."""
    close = [c for c in candidates if abs(len(c) - len(word)) <= max(3, len(word) // 3)]
    return get_close_matches(word, close, n=limit, cutoff=0.6)
