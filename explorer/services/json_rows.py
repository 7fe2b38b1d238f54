"""A JSON value as lines of a tree that unfold on demand; what is folded costs nothing, however large it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rich.cells import chop_cells

from core.text import display
from explorer.services.content_blocks import is_block
from explorer.services.forms.exact import dump

OPEN_AT_FIRST = 60
PAGE = 1000
MOST_HITS = 10_000
MOST_SEARCHED = 2_000_000
MOST_DEPTH = 500
MOST_QUICK, MOST_QUICK_TEXT = 2_000, 100_000
_SHORT = 60

Path = tuple[str | int, ...]


@dataclass(slots=True)
class Line:
    """One line. ``key`` is None at the root; ``text`` marks a line of a long text, ``rest`` members not shown yet."""

    depth: int
    key: str | int | None
    value: Any
    open: bool = False
    text: str | None = None
    rest: int = 0

    @property
    def foldable(self) -> bool:
        """Whether there is something to unfold."""
        if self.text is not None or self.rest:
            return False
        if isinstance(self.value, dict | list):
            return bool(self.value)
        return isinstance(self.value, str) and is_long(self.value)


def is_long(text: str) -> bool:
    """Whether a text does not fit on the line of its key."""
    return len(text) > _SHORT or "\n" in text


class JsonTree:
    """The lines in sight. ``width`` is where long texts are wrapped."""

    def __init__(self, value: Any, width: int = 80, *, folded: bool = False) -> None:
        self.value = value
        self.width = max(20, width)
        self.lines: list[Line] = [Line(0, None, value)]
        if not folded:
            self._open_first()

    def _open_first(self) -> None:
        """Unfold level by level as long as the result stays on about one screen; a lone text unfolds too."""
        if isinstance(self.value, str):
            self.unfold(0)
            return
        at = 0
        while at < len(self.lines) and len(self.lines) < OPEN_AT_FIRST:
            line = self.lines[at]
            size = len(line.value) if isinstance(line.value, dict | list) and not is_block(line.value) else 0
            if size and (at == 0 or len(self.lines) + size <= OPEN_AT_FIRST):
                self.unfold(at)
            at += 1

    def unfold(self, at: int) -> None:
        """Show what is in the line at ``at``."""
        line = self.lines[at]
        if line.foldable and not line.open:
            line.open = True
            self.lines[at + 1 : at + 1] = list(self._inside(line))

    def fold(self, at: int) -> None:
        """Hide what is in the line at ``at``."""
        line = self.lines[at]
        if line.open:
            line.open = False
            del self.lines[at + 1 : self._end(at)]

    def _end(self, at: int) -> int:
        depth = self.lines[at].depth
        return next((i for i in range(at + 1, len(self.lines)) if self.lines[i].depth <= depth), len(self.lines))

    def _inside(self, line: Line) -> Iterator[Line]:
        if isinstance(line.value, str):
            wide = max(20, self.width - 2 * (line.depth + 1))
            yield from (Line(line.depth + 1, None, line.value, text=part) for part in wrapped(line.value, wide))
            return
        yield from self._members(line.value, 0, line.depth + 1)

    def _members(self, value: Any, start: int, depth: int) -> Iterator[Line]:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, member in islice(pairs, start, start + PAGE):
            yield Line(depth, key, member)
        if len(value) > start + PAGE:
            yield Line(depth, None, value, rest=len(value) - start - PAGE)

    def more(self, at: int) -> None:
        """Show the next thousand members in place of the line that counts them."""
        line = self.lines[at]
        if line.rest:
            self.lines[at : at + 1] = list(self._members(line.value, len(line.value) - line.rest, line.depth))

    def parent(self, at: int) -> int:
        """Return the line that holds the line at ``at``; itself for the root."""
        depth = self.lines[at].depth
        return next((i for i in range(at - 1, -1, -1) if self.lines[i].depth < depth), at)

    def raw(self, at: int) -> str:
        """Return the value of a line as text: a text itself, anything else as JSON."""
        value = self.lines[at].value
        return value if isinstance(value, str) else dump_any(value)

    def find(self, text: str) -> list[Path]:
        """Return the paths of keys and values that contain ``text``, without regard to case, at most 10,000."""
        wanted = text.casefold()
        return list(islice((path for path, here in walk(self.value) if wanted in here.casefold()), MOST_HITS))

    def reveal(self, path: Path) -> int:
        """Unfold the way to ``path`` and return its line."""
        at = 0
        for key in path:
            self.unfold(at)
            at = self._child(at, key)
        return at

    def _child(self, at: int, key: str | int) -> int:
        depth = self.lines[at].depth + 1
        i = at + 1
        while i < len(self.lines) and self.lines[i].depth >= depth:
            line = self.lines[i]
            if line.depth == depth and line.rest:
                self.more(i)
                continue
            if line.depth == depth and line.key == key and line.text is None:
                return i
            i += 1
        return at


def is_small(value: Any) -> bool:
    """Whether ``value`` is written as JSON so quickly that nobody waits for it."""
    said = 0
    for count, (_, here) in enumerate(walk(value)):
        said += len(here)
        if count >= MOST_QUICK or said >= MOST_QUICK_TEXT:
            return False
    return True


def walk(value: Any) -> Iterator[tuple[Path, str]]:
    """Yield each path with what its line says: key and, for a scalar, value; at most two million, 500 deep."""
    todo: list[Iterator[tuple[Path, str | int | None, Any]]] = [iter([((), None, value)])]
    for _ in range(MOST_SEARCHED):
        found = next(todo[-1], None)
        if found is None:
            todo.pop()
            if not todo:
                return
            continue
        path, key, here = found
        scalar = "" if isinstance(here, dict | list) else here if isinstance(here, str) else str(here)
        yield path, f"{'' if key is None else key} {scalar}"
        if isinstance(here, dict | list) and len(path) < MOST_DEPTH:
            todo.append(_children(path, here))


def _children(path: Path, value: Any) -> Iterator[tuple[Path, str | int | None, Any]]:
    pairs: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    return (((*path, key), key, member) for key, member in pairs)


def dump_any(value: Any, indent: int | None = 2) -> str:
    """Return ``value`` as JSON, or in Python's words where it is none or nested beyond what can be written."""
    try:
        return dump(value, indent=indent)
    except (ValueError, TypeError, RecursionError):
        return f"no JSON: {type(value).__name__}"


def wrapped(text: str, width: int) -> Iterator[str]:
    """Yield the lines of ``text``, safe to show, those wider than ``width`` cells in pieces."""
    shown = display(text.replace("\r\n", "\n").replace("\r", "\n"), len(text) + 1, multiline=True)
    for line in shown.split("\n"):
        if len(line) * 2 <= width or (len(line) <= width and line.isascii()):
            yield line
        elif line.isascii():
            yield from (line[at : at + width] for at in range(0, len(line), width))
        else:
            yield from chop_cells(line, width)
