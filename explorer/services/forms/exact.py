"""JSON text to values and back, exactly: whole numbers of any size, no key lost, nothing that JSON lacks."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from decimal import Decimal
from typing import Any

from core.text import rewrite_unsafe

MAX_DEPTH = 64
MAX_DIGITS = 4300
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][+-]?[0-9]+)?")


class NotJson(ValueError):  # noqa: N818 - says what the text is
    """The text is no JSON that could be sent; ``line`` and ``column`` count from 1, or are 0 for the whole text."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}" if self.line else self.message


def parse(text: str, rounded: dict[str, str] | None = None) -> Any:
    """Return the value of ``text``; numbers without a fraction keep every digit.

    ``rounded`` is told of numbers that are not kept exactly, each with the one that takes its place.

    Raises:
        NotJson: it is no JSON, has a key twice, holds NaN or a number that no program could keep, or is
            nested deeper than 64.
    """

    def fraction(written: str) -> int | float:
        sent = sent_as(written)
        if rounded is not None and sent is not None:
            rounded[written] = sent
        return number(written)

    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=number, parse_float=fraction
        )
    except json.JSONDecodeError as error:
        raise NotJson(error.msg[:1].lower() + error.msg[1:], error.lineno, error.colno) from None
    except RecursionError:
        raise NotJson(f"nested deeper than {MAX_DEPTH}") from None
    if deeper_than(value, MAX_DEPTH):
        raise NotJson(f"nested deeper than {MAX_DEPTH}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise NotJson(f"the key {json.dumps(twice)} stands twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise NotJson(f"{name} is no JSON value")


def number(text: str) -> int | float:
    """Return the number that ``text`` writes as JSON does; a whole one is exact whatever its size.

    Raises:
        NotJson: it writes none, or one beyond what a 64-bit float or 4,300 digits hold.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise NotJson("not a number")
    if len(text) > MAX_DIGITS:
        raise NotJson(f"a number of more than {MAX_DIGITS:,} digits")
    if match["fraction"] is None and match["exponent"] is None:
        return int(text)
    value, exact = float(text), Decimal(text)
    if math.isinf(value):
        raise NotJson("a number too large to be sent")
    lossy = Decimal(repr(value)) != exact
    return int(exact) if lossy and exact == exact.to_integral_value() else value


def sent_as(text: str) -> str | None:
    """Return what is sent for the number ``text`` when that is not the number written: its nearest float."""
    try:
        sent = repr(number(text))
    except NotJson:
        return None
    return None if Decimal(sent) == Decimal(text) else sent


def dump(value: Any, *, indent: int | None = 2) -> str:
    """Return ``value`` as JSON text that is safe to show: characters that hide or control are written as escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return rewrite_unsafe(text, _escaped)


def _escaped(characters: str) -> str:
    return json.dumps(characters)[1:-1] if "\x7f" not in characters else "\\u007f"


def deeper_than(value: Any, limit: int) -> bool:
    """Whether lists and objects are nested deeper than ``limit``."""
    level = [value]
    for _ in range(limit + 1):
        level = [child for item in level for child in children(item)]
        if not level:
            return False
    return True


def children(value: Any) -> list[Any]:
    """Return the members of a list or object; other values have none."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
