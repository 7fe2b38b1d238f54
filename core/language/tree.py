"""Parsed YAML that still knows where everything stood.

``Map`` and ``Seq`` are a dict and a list, so that models read them as plain data; beside each entry they keep
its span. A span is one integer, ``start << 32 | end``, of offsets in code points; ``SourceText`` turns it into
lines and columns only when somebody asks.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate, chain, count
from operator import add
from typing import Any, TypeAlias

from yaml.nodes import MappingNode, ScalarNode

from core.diagnostics import Place
from core.model.declared import NO_SPAN, Span

__all__ = ["NO_SPAN", "Map", "Mark", "Seq", "SourceText", "Span", "pack", "span_of", "unpack"]

_SHORT_LINE = 8
"""Where lines are shorter than this, a list of them would take many times what the text takes."""
_LINE_END = re.compile("\r\n?|\n")


def pack(start: int, end: int) -> Span:
    """Return the span of the code points ``start`` to ``end`` (exclusive)."""
    return start << 32 | end


def unpack(span: Span) -> tuple[int, int]:
    """Return start and end offset of ``span``."""
    return span >> 32, span & 0xFFFFFFFF


Mark = Any
"""A span, or the node of libyaml's that has it: most are never asked, and asking costs as much as reading."""


Marks: TypeAlias = "list[Mark] | array[int] | tuple[Any, ...]"
"""Marks in the order of the text: spans in an array where there may be many."""


class Written:
    """The text of a document, which begins at ``base`` of its file; all its mappings and lists share one."""

    __slots__ = ("_base", "_text")

    def __init__(self, text: str, base: int) -> None:
        self._text = text
        self._base = base

    def at(self, span: Span) -> str:
        """Return what stands at ``span`` of the file."""
        start, end = unpack(span)
        return self._text[start - self._base : end - self._base]


def span_of(mark: Mark) -> Span:
    """Return the span of ``mark``; a collection without brackets ends where the last thing in it does."""
    if type(mark) is int:
        return mark
    last = mark
    while type(last) is not ScalarNode and not last.flow_style:
        last = last.value[-1][1] if type(last) is MappingNode else last.value[-1]
    return pack(mark.start_mark.index, last.end_mark.index)


class Map(dict[str, Any]):
    """A YAML mapping. ``raw`` holds the text of plain scalars that were not read as text, by key.

    ``mark`` and ``marks`` are what the reader of YAML writes: the latter has for each entry the mark of its key and
    that of its value, in one list.
    ``key_spans`` and ``spans`` are made from it when first asked for, as most mappings are never asked.
    """

    __slots__ = ("_key_spans", "_raw", "_spans", "mark", "marks")

    def __init__(self, mark: Mark = NO_SPAN, marks: Marks | None = None, written: Written | None = None) -> None:
        self.mark = mark
        self.marks: Marks = [] if marks is None else marks
        self._spans: dict[str, Span] | None = None
        self._key_spans: dict[str, Span] | None = None
        self._raw: dict[str, str] | Written | None = written

    @property
    def span(self) -> Span:
        """Where the whole stands."""
        return span_of(self.mark)

    @property
    def spans(self) -> dict[str, Span]:
        """The span of each value, by key."""
        if self._spans is None:
            self._spans = dict(zip(self, map(span_of, self.marks[1::2]), strict=False))
        return self._spans

    @property
    def key_spans(self) -> dict[str, Span]:
        """The span of each key."""
        if self._key_spans is None:
            self._key_spans = dict(zip(self, map(span_of, self.marks[0::2]), strict=False))
        return self._key_spans

    @property
    def raw(self) -> dict[str, str]:
        """The text of plain scalars that were not read as text."""
        if not isinstance(self._raw, dict):
            self._raw = _raw_of(zip(self.items(), self.marks[1::2], strict=False), self._raw)
        return self._raw


class Seq(list[Any]):
    """A YAML sequence; ``marks`` and ``spans`` run parallel to the items, ``raw`` as in ``Map`` but by index."""

    __slots__ = ("_raw", "_spans", "mark", "marks")

    def __init__(self, mark: Mark = NO_SPAN, marks: Marks | None = None, written: Written | None = None) -> None:
        self.mark = mark
        self.marks: Marks = [] if marks is None else marks
        self._spans: list[Span] | None = None
        self._raw: dict[int, str] | Written | None = written

    @property
    def span(self) -> Span:
        """Where the whole stands."""
        return span_of(self.mark)

    @property
    def spans(self) -> list[Span]:
        """The span of each item."""
        if self._spans is None:
            self._spans = list(map(span_of, self.marks))
        return self._spans

    @property
    def raw(self) -> dict[int, str]:
        """The text of plain scalars that were not read as text."""
        if not isinstance(self._raw, dict):
            self._raw = _raw_of(zip(enumerate(self), self.marks, strict=False), self._raw)
        return self._raw


def _raw_of(entries: Iterable[tuple[tuple[Any, Any], Mark]], written: Written | None) -> dict[Any, str]:
    """Return what was written for each value that is no text, by key, where its mark or ``written`` has it."""
    found: dict[Any, str] = {}
    for (key, value), mark in entries:
        if isinstance(value, (str, dict, list)):
            continue
        if type(mark) is not int:
            found[key] = mark.value
        elif written is not None:
            text = written.at(mark)
            if text[:1] != "*":
                found[key] = text
    return found


class SourceText:
    """Where the lines of one workspace file begin; lines end with LF, CRLF or CR alone, and with nothing else."""

    __slots__ = ("length", "line_starts", "path")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.length = len(text)
        self.line_starts = _line_starts(text)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return line and column of ``offset``, both from 1, the column in characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of ``line`` and ``column``, both from 1; past the end it is the end."""
        starts = self.line_starts
        return min(starts[line - 1] + column - 1, self.length) if line <= len(starts) else self.length

    def place(self, span: Span) -> Place:
        """Return ``span`` as a place in this file."""
        start, end = unpack(span)
        return Place(self.path, *self.line_column(start), *self.line_column(max(start, end)))


def _line_starts(text: str) -> array[int]:
    if "\r" in text or text.count("\n") * _SHORT_LINE > len(text):
        return array("I", chain((0,), (match.end() for match in _LINE_END.finditer(text))))
    lines = text.split("\n")
    lines.pop()
    return array("I", chain((0,), map(add, accumulate(map(len, lines)), count(1))))
