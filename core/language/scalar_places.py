"""Where a line and column of a text stand in the YAML scalar that holds it."""

from __future__ import annotations

import re

from core.language.tree import Span, pack, unpack

_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)|.", re.DOTALL)
_QUOTE_PAIR = re.compile(r"''|.", re.DOTALL)


def place_in_scalar(text: str, span: Span, value: str, line: int, column: int) -> Span:
    """Return the place in ``text`` of ``line`` and ``column`` of ``value``, whose scalar stands at ``span``.

    In folded and multi-line scalars, where lines of the value are none of the file, it is the scalar's start.
    """
    start, end = unpack(span)
    written = text[start:end]
    if written.startswith("|"):
        return _in_block(text, start, value, line, column)
    index = _index(value, line, column)
    if "\n" in written or "\r" in written or written.startswith(">"):
        return pack(start, start + max(len(written.splitlines()[0]) if written else 0, 1))
    if written.startswith("'"):
        return _in_units(_QUOTE_PAIR.findall(written[1:-1]), start + 1, index)
    if written.startswith('"'):
        return _in_units(_ESCAPE.findall(written[1:-1]), start + 1, index)
    return pack(min(start + index, end), min(start + index + 1, end))


def _index(value: str, line: int, column: int) -> int:
    lines = value.split("\n")
    return sum(len(each) + 1 for each in lines[: line - 1]) + column - 1


def _in_units(units: list[str], start: int, index: int) -> Span:
    at = start + sum(map(len, units[:index]))
    return pack(at, at + (len(units[index]) if index < len(units) else 1))


def _in_block(text: str, start: int, value: str, line: int, column: int) -> Span:
    """A literal block keeps its lines; only their common indentation is not part of the value."""
    lines = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)").findall(text, start)[1:]
    values = value.split("\n")
    first = next((n for n, each in enumerate(values) if each.strip()), 0)
    written = lines[first].rstrip("\r\n") if first < len(lines) else ""
    indent = max(len(written) - len(values[first]), 0)
    line = min(line, max(len(lines), 1))
    at = start + len(re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)").match(text, start)[0])  # type: ignore[index]
    at += sum(len(each) for each in lines[: line - 1])
    width = len(lines[line - 1].rstrip("\r\n")) if line <= len(lines) else 0
    within = min(indent + column - 1, max(width, 0))
    return pack(at + within, at + min(within + 1, max(width, within)))
