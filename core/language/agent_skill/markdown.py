"""The blocks of a Markdown body that matter here: prose, without fenced code and without comments.

Every pattern begins with a line feed or is bounded, and every loop moves forward, so that time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Range = tuple[int, int]

_BLOCK = re.compile(
    r"\n[ \t>]*(?:(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)|(?P<comment><!--))"
)
_FIRST_BLOCK = re.compile(_BLOCK.pattern.removeprefix(r"\n"))
_CLOSE = {mark: re.compile(rf"\n[ \t>]*({mark}{{3,}})[ \t]*(?=\n|\Z)") for mark in "`~"}
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
    """Divide the body that begins at ``start``, the beginning of a line; lines of ``flat`` end with LF alone."""
    body, at, size = Body(), start, len(flat)
    if "```" not in flat and "~~~" not in flat and "<!--" not in flat:
        body.prose.append((start, size))
        return body
    search = max(start - 1, 0)
    while match := (not search and _FIRST_BLOCK.match(flat)) or _BLOCK.search(flat, search):
        mark = match["fence"]
        if mark is None:
            end = flat.find("-->", match.end())
            end = size if end < 0 else end + 3
            body.comments.append((match.start("comment"), end))
        elif mark[0] == "`" and "`" in match["info"]:
            search = match.end()
            continue
        else:
            end = _end_of_code(flat, match.end(), mark)
        body.prose.append((at, max(at, match.start())))
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


class Paragraphs:
    """The paragraphs, list items, headings and table rows of one range of prose, taken from front to back."""

    def __init__(self, flat: str, prose: Range) -> None:
        self._flat = flat
        self._at, self._end = prose
        self._known, self._in_list = self._at, False

    def around(self, hit: re.Pattern[str]) -> Iterator[Range]:
        """Yield those with a match of ``hit``; code, which is indented outside of a list, is left out."""
        flat, end = self._flat, self._end
        while found := hit.search(flat, self._at, end):
            before = flat.rfind("\n\n", self._at, found.start())
            after = flat.find("\n\n", found.start(), end)
            start, self._at = before + 1 if before >= 0 else self._at, after if after >= 0 else end
            for first, last in _divided(flat, start, self._at):
                if hit.search(flat, first, last) and not self._is_code(first, last):
                    yield first, last

    def _is_code(self, first: int, last: int) -> bool:
        if not _INDENTED.match(self._flat, first, last):
            return False
        for start, stop in _divided(self._flat, self._known, first):
            self._note(start, stop)
        self._known = first
        return not self._in_list

    def _note(self, first: int, last: int) -> None:
        """Follow whether an indented paragraph after this one may belong to a list."""
        flat = self._flat
        if _LIST_ITEM.match(flat, first, last):
            self._in_list = True
        elif not _INDENTED.match(flat, first, last) and flat[first:last].strip():
            self._in_list = self._in_list and _BESIDE_MARGIN.match(flat, first, last) is not None


def _divided(flat: str, start: int, end: int) -> Iterator[Range]:
    """Yield the ranges between the line feeds that end a paragraph."""
    at = start
    for match in _BREAK.finditer(flat, start, end):
        yield at, match.end()
        at = match.end()
    yield at, end
