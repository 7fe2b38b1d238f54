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
_INDENTED = re.compile(r"( *)[^ ]")
_COMMENT_LINE = re.compile(r"( *)#")
_INDENT = re.compile(r"^ +", re.MULTILINE)


def to_delete(text: str, container: Any, key: Any) -> list[Span]:
    """Return what to delete for a list entry, or for a key whose mapping takes its place; empty if that isn't sure."""
    if isinstance(container, Seq):
        span = _entry(text, container, key)
        return [] if span is None else [span]
    return _wrapper(text, container, key) if isinstance(container, Map) else []


def without_entry(text: str, container: Any, key: str, index: int) -> tuple[Span, ...]:
    """Return what to delete so that the list under ``key`` loses an entry; empty if that isn't sure.

    The only entry goes too: of a list in brackets these stay, of one with dashes the key goes with it, and so do the
    comments between them. Comments right above an entry or a key go with it where another one stands before them.
    """
    items = container.get(key) if isinstance(container, Map) else None
    if not isinstance(items, Seq):
        return ()
    start, end = unpack(items.spans[index])
    inside, after = unpack(items.span)
    if not (inside <= start < end <= after) or text[inside] not in "[-" or "&" in text[start:end]:
        return ()
    if len(items) > 1:
        span = _entry(text, items, index)
        return () if span is None else (span,)
    if text[inside] == "[":
        comma = _COMMA_AFTER.match(text, end)
        return (pack(start, comma.end() if comma else end),)
    key_line, entry = _key_line(text, container.key_spans[key], inside), _dashed(text, start, end)
    if key_line is None or entry is None:
        return ()
    whole = pack(unpack(key_line)[0], unpack(entry)[1])
    return (whole if next(iter(container)) == key else _with_comments(text, whole),)


def _entry(text: str, items: Seq, index: int) -> Span | None:
    """Return the span of an entry with its dash and line, or with its comma; the only entry stays."""
    if len(items) < 2:
        return None
    start, end = unpack(items.spans[index])
    if text[unpack(items.span)[0]] != "[":
        span = _dashed(text, start, end)
        return _with_comments(text, span) if span is not None and index else span
    after = _COMMA_AFTER.match(text, end)
    if after is not None:
        line, rest = _line_start(text, start), _REST_OF_LINE.match(text, after.end())
        own_line = rest is not None and not text[line:start].strip(" ")
        return pack(line, rest.end()) if rest is not None and own_line else pack(start, after.end())
    before = _COMMA_BEFORE.search(text, 0, start)
    return None if before is None else pack(before.start(), end)


def _dashed(text: str, start: int, end: int) -> Span | None:
    """Return the lines of the entry from ``start`` to ``end``, its dash included; None if something else is there."""
    line = _line_start(text, start)
    if not _DASH.match(text[line:start]):
        return None
    if text[end - 1] in "\r\n":
        return pack(line, end)
    rest = _REST_OF_LINE.match(text, end)
    return None if rest is None else pack(line, rest.end())


def _with_comments(text: str, span: Span) -> Span:
    """Return ``span`` with the lines above it that hold a comment with the indentation of its own first line."""
    start, end = unpack(span)
    indent = _INDENTED.match(text, start)
    while start and indent is not None:
        above = _line_start(text, start - (2 if text.endswith("\r\n", 0, start) else 1))
        comment = _COMMENT_LINE.match(text, above, start)
        if comment is None or comment[1] != indent[1]:
            break
        start = above
    return pack(start, end)


def _key_line(text: str, key: Span, value: int) -> Span | None:
    """Return the line of a key whose value begins, at ``value``, below it."""
    start, end = unpack(key)
    line, rest = _line_start(text, start), _KEY_LINE.match(text, end)
    alone = rest is not None and rest.end() <= value and not text[line:start].strip(" ")
    return pack(line, rest.end()) if rest is not None and alone else None


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


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
