"""The blocks of a Markdown body that matter here: prose, without fenced code and without comments.

Every pattern begins with a line feed or is bounded, and every loop moves forward, so that time is linear in the text.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

Range = tuple[int, int]

_BLOCK = re.compile(
    r"[ \t>]*(?:(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})|(?P<comment><!--))"
)
_BLOCK_MARKS = ("```", "~~~", "<!--")
_CLOSE = {mark: re.compile(rf"[ \t>]*({mark}{{3,}})[ \t]*(?:\n|\Z)") for mark in "`~"}
_BREAK = re.compile(r"\n(?=[ \t]*(?:\n|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]|[>|]))")
_LIST_ITEM = re.compile(r"\n*[ ]{0,3}(?:[-*+]|\d{1,9}[.)])[ \t]")
_INDENTED = re.compile(r"\n*(?:[ ]{4}|[ ]{0,3}\t)")
_BESIDE_MARGIN = re.compile(r"\n*[ \t]")


class Ranges:
    """Ranges in the order in which they were added, however many, in little memory."""

    __slots__ = ("_ends", "_starts")

    def __init__(self) -> None:
        self._starts, self._ends = array("L"), array("L")

    def append(self, found: Range) -> None:
        """Add a range."""
        self._starts.append(found[0])
        self._ends.append(found[1])

    def __iter__(self) -> Iterator[Range]:
        return zip(self._starts, self._ends, strict=True)


@dataclass(slots=True)
class Body:
    """Where prose and HTML comments of a body stand; what is neither is fenced code."""

    prose: Ranges = field(default_factory=Ranges)
    comments: Ranges = field(default_factory=Ranges)


class _Needles:
    """Looks for the nearest of some strings, from front to back, each by the fastest search there is."""

    __slots__ = ("_end", "_flat", "_found", "_needles")

    def __init__(self, flat: str, start: int, end: int, needles: tuple[str, ...]) -> None:
        self._flat, self._end, self._needles = flat, end, needles
        found = [(flat.find(needle, start, end), needle) for needle in needles]
        self._found = [pair for pair in found if pair[0] >= 0]

    def after(self, at: int) -> int:
        """Return where the first one stands at ``at`` or behind it, or -1; ``at`` never goes back."""
        while self._found:
            first = min(self._found)
            if first[0] >= at:
                return first[0]
            self._found.remove(first)
            again = self._flat.find(first[1], at, self._end)
            if again >= 0:
                self._found.append((again, first[1]))
        return -1

    def hits(self, start: int, end: int) -> bool:
        """Say whether one of them stands between ``start`` and ``end``."""
        return any(self._flat.find(needle, start, end) >= 0 for needle in self._needles)


def read_body(flat: str, start: int) -> Body:
    """Divide the body that begins at ``start``, the beginning of a line; lines of ``flat`` end with LF alone."""
    body, at, search, size = Body(), start, start, len(flat)
    needles = _Needles(flat, start, size, _BLOCK_MARKS)
    while (hit := needles.after(search)) >= 0:
        line = flat.rfind("\n", search, hit) + 1 or search
        match = _BLOCK.match(flat, line)
        if match is None:
            search = _end_of_line(flat, hit)
            continue
        if match["comment"]:
            end = _end_of_comment(flat, match.end())
            body.comments.append((match.start("comment"), end))
        else:
            end = _end_of_code(flat, _end_of_line(flat, match.end()), match["fence"])
        body.prose.append((at, line))
        at, search = end, _end_of_line(flat, end)
    body.prose.append((at, size))
    return body


def _end_of_line(flat: str, at: int) -> int:
    end = flat.find("\n", at)
    return len(flat) if end < 0 else end


def _end_of_comment(flat: str, at: int) -> int:
    end = flat.find("-->", at)
    return len(flat) if end < 0 else end + 3


def _end_of_code(flat: str, at: int, mark: str) -> int:
    """Return where the code ends, without its line feed, that ``mark`` opened on the line that ends at ``at``."""
    close = _CLOSE[mark[0]]
    while (hit := flat.find(mark, at)) >= 0:
        match = close.match(flat, flat.rfind("\n", at, hit) + 1)
        if match and len(match[1]) >= len(mark):
            return match.end(1)
        at = _end_of_line(flat, hit)
    return len(flat)


class Paragraphs:
    """The paragraphs, list items, headings and table rows of one range of prose, taken from front to back."""

    def __init__(self, flat: str, prose: Range) -> None:
        self._flat = flat
        self._at, self._end = prose
        self._known, self._in_list = self._at, False

    def around(self, *needles: str) -> Iterator[Range]:
        """Yield those that hold one of ``needles``; code, which is indented outside of a list, is left out."""
        flat, end = self._flat, self._end
        search = _Needles(flat, self._at, end, needles)
        while (hit := search.after(self._at)) >= 0:
            before, after = flat.rfind("\n\n", self._at, hit), flat.find("\n\n", hit, end)
            start, self._at = before + 1 if before >= 0 else self._at, after if after >= 0 else end
            for first, last in _divided(flat, start, self._at):
                if search.hits(first, last) and not self._is_code(first, last):
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
