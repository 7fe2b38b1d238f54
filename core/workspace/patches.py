"""The change of one file as a patch that ``git apply`` and ``patch -p1`` take, without what it holds in confidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

from core.text import safe_text

_NO_END = "\n\\ No newline at end of file\n"
_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")


class _Row(NamedTuple):
    """A line of a hunk: its sign, and where it stands, or would, in the old and in the new lines, from 0."""

    sign: str
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class Patch:
    """What can be applied, and, for people only, the hunks that can't since they would spell out what is hidden."""

    text: str
    left_out: str


class _Sides:
    """The old and the new lines of a file, as they are and as they may be shown."""

    def __init__(self, before: str, after: str, shown: tuple[str, str]) -> None:
        self.old, self.new = _LINE.findall(before), _LINE.findall(after)
        self._shown_old, self._shown_new = (_LINE.findall(text) for text in shown)

    def hunks(self) -> Iterator[list[_Row]]:
        for group in SequenceMatcher(None, self.old, self.new).get_grouped_opcodes():
            rows: list[_Row] = []
            for tag, old, old_end, new, new_end in group:
                if tag == "equal":
                    rows += [_Row(" ", old + at, new + at) for at in range(old_end - old)]
                    continue
                rows += [_Row("-", at, new) for at in range(old, old_end)]
                rows += [_Row("+", old_end, at) for at in range(new, new_end)]
            yield rows

    def is_hidden(self, row: _Row) -> bool:
        old_hidden = row.sign != "+" and self.old[row.old] != self._shown_old[row.old]
        return old_hidden or (row.sign != "-" and self.new[row.new] != self._shown_new[row.new])

    def whole(self, rows: Sequence[_Row]) -> str:
        return self._text(rows, self.old, self.new, rows[0].new - rows[0].old)

    def shown(self, rows: Sequence[_Row]) -> str:
        return self._text(rows, self._shown_old, self._shown_new, rows[0].new - rows[0].old)

    def applied(self, hunks: Iterable[Sequence[_Row]]) -> Iterator[str]:
        """Yield hunks numbered as if they were all that changes."""
        shift = 0
        for rows in hunks:
            yield self._text(rows, self.old, self.new, shift)
            shift += sum({"+": 1, "-": -1}.get(row.sign, 0) for row in rows)

    def _text(self, rows: Sequence[_Row], old: list[str], new: list[str], shift: int) -> str:
        first = rows[0].old
        olds, news = (sum(row.sign != other for row in rows) for other in "+-")
        lines = [f"@@ -{_range(first, olds)} +{_range(first + shift, news)} @@\n"]
        for row in rows:
            line = new[row.new] if row.sign == "+" else old[row.old]
            lines.append(row.sign + (line if line.endswith("\n") else line + _NO_END))
        return "".join(lines)


def _range(first: int, count: int) -> str:
    return f"{first + 1 if count else first},{count}"


def patch_of(path: str, before: str, after: str, shown: tuple[str, str]) -> Patch:
    """Return the change from ``before`` to ``after`` of the file at ``path``; ``shown`` are both as they may be shown.

    Hidden lines stay out of the context; a change of one, or one that has nothing else around it to be found by,
    is left out.
    """
    sides = _Sides(before, after, shown)
    kept: list[list[_Row]] = []
    left: list[list[_Row]] = []
    for rows in sides.hunks():
        for part, hidden in _parts(rows, sides):
            (left if hidden or not _can_be_found(part, len(sides.old)) else kept).append(part)
    return Patch(_headed(path, sides.applied(kept)), _headed(path, map(sides.shown, left)))


def shown_difference(path: str, before: str, after: str, shown: tuple[str, str]) -> str:
    """Return the whole change as it may be shown, hidden lines included; not to be applied."""
    sides = _Sides(before, after, shown)
    return _headed(path, map(sides.shown, sides.hunks()))


def _headed(path: str, hunks: Iterable[str]) -> str:
    text = "".join(hunks)
    return f"--- {_named('a', path)}\n+++ {_named('b', path)}\n{text}" if text else ""


def _named(side: str, path: str) -> str:
    """Return the path as git writes it: quoted where it has to be, ended by a tab where it has blanks."""
    name = f"{side}/{path}"
    if safe_text(name) != name or set(_ESCAPES) & set(name):
        return '"' + "".join(map(_escaped, name)) + '"'
    return f"{name}\t" if " " in name else name


def _escaped(letter: str) -> str:
    if letter in _ESCAPES:
        return f"\\{_ESCAPES[letter]}"
    if safe_text(letter) == letter:
        return letter
    return "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogateescape"))


def _parts(rows: Sequence[_Row], sides: _Sides) -> Iterator[tuple[list[_Row], bool]]:
    """Cut a hunk at hidden lines; yield what changes something, and whether it has hidden lines itself."""
    part: list[_Row] = []
    for changes, run in groupby(rows, key=lambda row: row.sign != " "):
        found = list(run)
        if changes and any(map(sides.is_hidden, found)):
            yield from _changing(part)
            yield found, True
            part = []
        elif changes:
            part += found
        else:
            for row in found:
                if sides.is_hidden(row):
                    yield from _changing(part)
                    part = []
                else:
                    part.append(row)
    yield from _changing(part)


def _changing(part: list[_Row]) -> Iterator[tuple[list[_Row], bool]]:
    if any(row.sign != " " for row in part):
        yield part, False


def _can_be_found(part: Sequence[_Row], lines: int) -> bool:
    """Whether git finds the place: a hunk that ends in a change counts as the end of the file."""
    last = part[-1]
    return last.sign == " " or last.old + (last.sign == "-") == lines
