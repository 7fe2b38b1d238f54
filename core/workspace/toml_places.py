"""Where the keys and values of a TOML document stand; for texts that ``tomllib`` has accepted."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from core.language.tree import Span, pack

Path = tuple[str | int, ...]
_TOKEN = re.compile(
    r'(?P<string>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<end>\n)|(?P<mark>[\[\]{}=,])|(?P<bare>[^\s\[\]{}=,#\"']+)|(?P<skipped>\#[^\n]*|\s)",
    re.DOTALL,
)


class _Token(NamedTuple):
    kind: str
    text: str
    start: int

    @property
    def span(self) -> Span:
        return pack(self.start, self.start + len(self.text))


@dataclass(slots=True)
class TomlPlaces:
    """Spans by path: the names of keys, and the numbers of entries in lists and lists of tables."""

    keys: dict[Path, Span] = field(default_factory=dict)
    values: dict[Path, Span] = field(default_factory=dict)


@dataclass(slots=True)
class _Open:
    """A list or an inline table that is being read; ``index`` is None for a table."""

    path: Path
    start: int
    index: int | None


class _Scanner:
    def __init__(self, text: str) -> None:
        self.places = TomlPlaces()
        self._tokens = list(_tokens(text))
        self._at = 0
        self._counts: dict[Path, int] = {}
        self._table: Path = ()

    def scan(self) -> TomlPlaces:
        while (token := self._peek()) is not None:
            if token.kind == "end":
                self._at += 1
            elif token.text == "[":
                self._header()
            else:
                self._value(self._key(self._table))
                self._skip_line()
        return self.places

    def _peek(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _skip_line(self) -> None:
        while (token := self._peek()) is not None and token.kind != "end":
            self._at += 1

    def _header(self) -> None:
        first, second = self._tokens[self._at : self._at + 2]
        many = second.text == "[" and second.start == first.start + 1
        self._at += 2 if many else 1
        path = self._key(())
        if many:
            number = self._counts.get(path, 0)
            self._counts[path] = number + 1
            self.places.values[(*path, number)] = self.places.keys[path]
            path = (*path, number)
        self._table = path
        self._skip_line()

    def _key(self, path: Path) -> Path:
        """Read a dotted key up to what follows it; each of its parts but the last may name a list of tables."""
        while (token := self._peek()) is not None and token.kind in ("bare", "string"):
            self._at += 1
            for name, span in _parts(token):
                known = self._counts.get(path)
                path = (*path, known - 1, name) if known else (*path, name)
                self.places.keys[path] = span
        if (token := self._peek()) is not None and token.text == "=":
            self._at += 1
        return path

    def _value(self, path: Path) -> None:
        """Read one value with all that is inside it."""
        opened: list[_Open] = []
        while (token := self._peek()) is not None:
            self._at += 1
            if token.text in ("[", "{"):
                opened.append(_Open(path, token.start, 0 if token.text == "[" else None))
            elif token.text in ("]", "}"):
                done = opened.pop()
                self.places.values[done.path] = pack(done.start, token.start + 1)
            elif token.text == "," and opened and opened[-1].index is not None:
                opened[-1].index += 1
            elif token.kind in ("bare", "string"):
                self.places.values.setdefault(path, token.span)
            if not opened:
                return
            path = self._inside(opened[-1])

    def _inside(self, container: _Open) -> Path:
        """Return the path of what comes next in ``container``."""
        if container.index is not None:
            return (*container.path, container.index)
        token = self._peek()
        return self._key(container.path) if token is not None and token.kind in ("bare", "string") else container.path


def toml_places(text: str) -> TomlPlaces:
    """Return the places in ``text``, which is TOML."""
    return _Scanner(text).scan()


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "skipped":
            yield _Token(kind, match[0], match.start())


def _parts(token: _Token) -> Iterator[tuple[str, Span]]:
    """Yield the names in one token of a key: a quoted one, or bare ones with dots between."""
    if token.kind == "string":
        yield tomllib.loads(f"key = {token.text}")["key"], token.span
        return
    for match in re.finditer(r"[^.]+", token.text):
        yield match[0], pack(token.start + match.start(), token.start + match.end())
