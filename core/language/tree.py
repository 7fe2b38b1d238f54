"""Parsed YAML that still knows where everything stood.

``Map`` and ``Seq`` are a dict and a list, so that models read them as plain data; beside each entry they keep
its span. A span is one integer, ``start << 32 | end``, of offsets in code points; ``SourceText`` turns it into
lines and columns only when somebody asks.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import Any

from core.diagnostics import Place
from core.model.declared import NO_SPAN, Span

__all__ = ["NO_SPAN", "Map", "Seq", "SourceText", "Span", "pack", "unpack"]


def pack(start: int, end: int) -> Span:
    """Return the span of the code points ``start`` to ``end`` (exclusive)."""
    return start << 32 | end


def unpack(span: Span) -> tuple[int, int]:
    """Return start and end offset of ``span``."""
    return span >> 32, span & 0xFFFFFFFF


class Map(dict[str, Any]):
    """A YAML mapping. ``raw`` holds the text of plain scalars that were not read as text, by key."""

    __slots__ = ("key_spans", "raw", "span", "spans")

    def __init__(self, span: Span = NO_SPAN) -> None:
        super().__init__()
        self.span = span
        self.key_spans: dict[str, Span] = {}
        self.spans: dict[str, Span] = {}
        self.raw: dict[str, str] = {}


class Seq(list[Any]):
    """A YAML sequence; ``spans`` runs parallel to the items, ``raw`` as in ``Map`` but by index."""

    __slots__ = ("raw", "span", "spans")

    def __init__(self, span: Span = NO_SPAN) -> None:
        super().__init__()
        self.span = span
        self.spans: list[Span] = []
        self.raw: dict[int, str] = {}


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
    starts = array("I", [0])
    if "\r" not in text:
        at = text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        return starts
    for at, char in enumerate(text):
        if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
            starts.append(at + 1)
    return starts
