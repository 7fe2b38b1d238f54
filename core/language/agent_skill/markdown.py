"""The blocks of a Markdown body that matter here: prose, without fenced code and without comments.

Every pattern is anchored or bounded and every loop moves forward, so that time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Range = tuple[int, int]

_BLOCK = re.compile(
    r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}|~{3,})(?P<info>.*)$|^[ \t>]*<!--", re.MULTILINE
)
_CLOSE = {mark: re.compile(rf"^[ \t>]*({mark}{{3,}})[ \t]*$", re.MULTILINE) for mark in "`~"}
_BREAK = re.compile(r"\n(?=[ \t]*(?:\n|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]|[>|]))")
_LIST_ITEM = re.compile(r"\n*[ ]{0,3}(?:[-*+]|\d{1,9}[.)])[ \t]")
_INDENTED = re.compile(r"\n*(?:[ ]{4}|[ ]{0,3}\t)")
_BESIDE_MARGIN = re.compile(r"\n*[ \t]")


@dataclass(slots=True)
class Body:
    """Where prose and HTML comments of a body stand; what is neither is fenced code."""

    prose: list[Range] = field(default_factory=list)
    comments: list[Range] = field(default_factory=list)


def read_body(flat: str, start: int) -> Body:
    """Divide the body that begins at ``start``; lines of ``flat`` end with LF alone."""
    body, at, search, size = Body(), start, start, len(flat)
    if "```" not in flat and "~~~" not in flat and "<!--" not in flat:
        body.prose.append((start, size))
        return body
    while match := _BLOCK.search(flat, search):
        mark = match["fence"]
        if mark is None:
            end = flat.find("-->", match.end())
            end = size if end < 0 else end + 3
            body.comments.append((match.end() - 4, end))
        elif mark[0] == "`" and "`" in match["info"]:
            search = match.end()
            continue
        else:
            end = _end_of_code(flat, match.end(), mark)
        body.prose.append((at, match.start()))
        at = search = end
    body.prose.append((at, size))
    return body


def _end_of_code(flat: str, at: int, mark: str) -> int:
    close = _CLOSE[mark[0]]
    while match := close.search(flat, at):
        if len(match[1]) >= len(mark):
            return match.end()
        at = match.end()
    return len(flat)


def paragraphs(flat: str, prose: Range) -> Iterator[Range]:
    """Yield the paragraphs, list items, headings and table rows of ``prose``.

    A paragraph that is indented by four or more is code and left out, unless it may belong to a list.
    """
    start, end = prose
    in_list, at = False, start
    for stop in (*(match.end() for match in _BREAK.finditer(flat, start, end)), end):
        first, at = at, stop
        if not flat[first:stop].strip():
            continue
        if _LIST_ITEM.match(flat, first, stop):
            in_list = True
        elif not _INDENTED.match(flat, first, stop):
            in_list = in_list and _BESIDE_MARGIN.match(flat, first, stop) is not None
        elif not in_list:
            continue
        yield first, stop
