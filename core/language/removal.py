"""Which characters to delete so that one thing is gone from a YAML text and nothing else changes."""

from __future__ import annotations

import re
from typing import Any

from core.language.tree import Map, Seq, Span, pack, unpack

_DASH = re.compile(r"[ ]*-[ \t]+\Z")
_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|\Z)")
_COMMA_AFTER = re.compile(r"\s*,[ \t]*")
_COMMA_BEFORE = re.compile(r",\s*\Z")
_KEY_LINE = re.compile(r"[ \t]*:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)")
_INDENT = re.compile(r"^ +", re.MULTILINE)


def to_delete(text: str, container: Any, key: Any) -> list[Span]:
    """Return what to delete for a list entry, or for a key whose mapping takes its place; empty if that isn't sure."""
    if isinstance(container, Seq):
        span = _entry(text, container, key)
        return [] if span is None else [span]
    return _wrapper(text, container, key) if isinstance(container, Map) else []


def _entry(text: str, items: Seq, index: int) -> Span | None:
    """Return the span of an entry with its dash and line, or with its comma; the only entry stays."""
    if len(items) < 2:
        return None
    start, end = unpack(items.spans[index])
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if text[unpack(items.span)[0]] != "[":
        rest = _REST_OF_LINE.match(text, end) if _DASH.match(text[line:start]) else None
        return None if rest is None else pack(line, rest.end())
    after = _COMMA_AFTER.match(text, end)
    if after is not None:
        return pack(start, after.end())
    before = _COMMA_BEFORE.search(text, 0, start)
    return None if before is None else pack(before.start(), end)


def _wrapper(text: str, container: Map, key: str) -> list[Span]:
    """Return the line of ``key`` and the indentation of every line below it."""
    start, end = unpack(container.key_spans[key])
    inner, inner_end = unpack(container.spans[key])
    line = _KEY_LINE.match(text, end)
    if line is None or text[inner] in "{&" or (start and text[start - 1] not in "\r\n"):
        return []
    indent = inner - max(text.rfind("\n", 0, inner), text.rfind("\r", 0, inner)) - 1
    below = _INDENT.finditer(text, line.end(), inner_end)
    first_lines = [pack(m.start(), m.start() + min(len(m[0]), indent)) for m in below]
    return [pack(start, line.end()), *first_lines] if indent > 0 else []
