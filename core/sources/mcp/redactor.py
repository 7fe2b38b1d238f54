"""Masks secrets wherever somebody repeats them, also in the forms that programs write values in."""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote, quote_plus, unquote

from core.sources.mcp.secrets import MASK, is_secret

_SHORTEST, _LONG = 3, 6
_SCHEME = re.compile(r"(?:basic|bearer|token|apikey|digest|negotiate)\s+(\S+)", re.IGNORECASE)
_CREDENTIALS = re.compile(r"://([^/@\s:]*):([^/@\s]+)@")
_PAIR = re.compile(r"([\w.-]+)\s*=\s*([^;&,\s\"']+)")
_MOST_MEMBERS = 1_000


class Redactor:
    """Replaces the given secrets wherever they are repeated: as they are, in part, or escaped and encoded.

    A value of ``env`` counts unless it plainly is none, a value of ``headers`` unless it is a switch. One of fewer
    than six characters is masked where it stands as a word of its own, one of fewer than three not at all.
    """

    def __init__(self, env: Iterable[tuple[str, str]] = (), headers: Iterable[str] = ()) -> None:
        found: set[str] = set()
        for name, value in env:
            if is_secret(name, value):
                found |= {value, *_parts(value)}
        for value in headers:
            if is_secret("authorization", value):
                found |= {value, value.rpartition(" ")[2], *_parts(value)}
        self._words = sorted({form for value in found for form in _forms(value)}, key=len, reverse=True)
        self._in_json = list(map(_in_json, self._words))

    def text(self, text: str) -> str:
        """Return ``text`` without secrets."""
        there = [word for word in self._words if word in text]
        return re.sub("|".join(map(_pattern, there)), MASK, text) if there else text

    def tree(self, value: Any) -> Any:
        """Return the JSON ``value`` without secrets, also in its keys and numbers; of any depth."""
        if not self._may_be_in(value):
            return value
        whole: list[Any] = [value]
        waiting: list[tuple[Any, Any]] = [(whole, 0)]
        while waiting:
            holder, key = waiting.pop()
            item = holder[key]
            if isinstance(item, str):
                holder[key] = self.text(item)
            elif isinstance(item, dict):
                holder[key] = copy = self._mapping(item)
                waiting += [(copy, k) for k in copy]
            elif isinstance(item, list):
                holder[key] = items = list(item)
                waiting += [(items, i) for i in range(len(items))]
            elif isinstance(item, int | float) and str(item) in self._words:
                holder[key] = MASK
        return whole[0]

    def _may_be_in(self, value: Any) -> bool:
        """Whether a secret could be in ``value``: looked for in its JSON at once, which is quick."""
        try:
            text = json.dumps(value, ensure_ascii=False)
        except (ValueError, TypeError, RecursionError):
            return bool(self._words)
        return any(word in text for word in self._in_json)

    def _mapping(self, item: dict[Any, Any]) -> dict[Any, Any]:
        """Return ``item`` with masked keys, each of which stays one of its own."""
        copy: dict[Any, Any] = {}
        for key, value in item.items():
            name = self.text(key) if isinstance(key, str) else key
            while name in copy:
                name += "'"
            copy[name] = value
        return copy


def _in_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _pattern(word: str) -> str:
    return re.escape(word) if len(word) >= _LONG else rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])"


def _parts(value: str) -> Iterator[str]:
    """Yield what of a secret value is a secret by itself: a token, a password, a line, a member."""
    for match in _SCHEME.finditer(value):
        yield match[1]
        yield from _decoded(match[1])
    for match in _CREDENTIALS.finditer(value):
        yield from (match[2], unquote(match[2]))
    for match in _PAIR.finditer(value):
        if is_secret(match[1], match[2]):
            yield match[2]
    if "\n" in value:
        yield from (line.strip() for line in value.splitlines() if len(line.strip()) >= _LONG)
    if value.lstrip()[:1] in ("{", "["):
        yield from _members(value)


def _decoded(token: str) -> Iterator[str]:
    """Yield the user's name with the password, and the password, of a token of HTTP's basic scheme."""
    try:
        text = base64.b64decode(token, validate=True).decode()
    except (binascii.Error, ValueError):
        return
    if ":" in text:
        yield from (text, text.partition(":")[2])


def _members(value: str) -> Iterator[str]:
    """Yield the texts of a JSON value that are secrets by their keys or looks."""
    try:
        waiting: list[tuple[str, Any]] = [("", json.loads(value))]
    except (ValueError, RecursionError):
        return
    seen = 0
    while waiting and seen < _MOST_MEMBERS:
        seen += 1
        name, item = waiting.pop()
        if isinstance(item, dict):
            waiting += list(item.items())
        elif isinstance(item, list):
            waiting += [(name, member) for member in item]
        elif isinstance(item, str) and is_secret(name, item):
            yield item


def _forms(value: str) -> Iterator[str]:
    """Yield ``value`` and how programs write it: escaped for JSON, URLs and HTML, in hexadecimal, in base64."""
    if len(value.strip()) < _SHORTEST:
        return
    escaped = json.dumps(value)[1:-1]
    forms = {value, value.strip(), escaped, json.dumps(escaped)[1:-1], _in_json(value)}
    forms |= {repr(value)[1:-1], html.escape(value), html.escape(value, quote=False)}
    raw = value.encode("utf-8", "surrogatepass")
    forms |= {quote(raw), quote(raw, safe=""), quote_plus(raw)}
    if len(value) >= _LONG:
        forms |= {raw.hex(), raw.hex().upper(), *_in_base64(raw)}
    yield from (form for form in forms if len(form) >= _SHORTEST)


def _in_base64(raw: bytes) -> Iterator[str]:
    """Yield what base64 of any text that holds ``raw`` has in it, whatever stands before and after."""
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(raw).decode()
        for before in range(3):
            text = encode(bytes(before) + raw).decode().rstrip("=")
            whole = (before + len(raw)) * 8 // 6  # what stands after changes the last, half-filled character
            yield text[(before * 8 + 5) // 6 : whole]
