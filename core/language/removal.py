"""Which characters to delete so that one entry of a list is gone and nothing else changes."""

from __future__ import annotations

import re

from core.language.tree import Seq, Span, pack, unpack

_DASH = re.compile(r"[ ]*-[ \t]+\Z")
_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|\Z)")
_COMMA_AFTER = re.compile(r"\s*,[ \t]*")
_COMMA_BEFORE = re.compile(r",\s*\Z")


def entry_to_remove(text: str, items: Seq, index: int) -> Span | None:
    """Return the span of the entry ``index`` with its dash or comma; None where that can't be told for sure."""
    if len(items) < 2:
        return None
    start, end = unpack(items.spans[index])
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if _DASH.match(text[line:start]):
        rest = _REST_OF_LINE.match(text, end)
        return None if rest is None else pack(line, rest.end())
    if text[line:start].strip().startswith("-") and items.span and text[unpack(items.span)[0]] != "[":
        return None
    after = _COMMA_AFTER.match(text, end)
    if after is not None:
        return pack(start, after.end())
    before = _COMMA_BEFORE.search(text, 0, start)
    return None if before is None else pack(before.start(), end)
