"""The JSON of ``--input``, read strictly: what is wrong with it is said at its place, in the user's words."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import click

from core.text import display

MOST_INPUT = 16 << 20
_WORDS = {
    "Expecting value": "a value is expected here",
    "Expecting property name enclosed in double quotes": "a key in double quotes is expected here",
    "Expecting ':' delimiter": "`:` is expected here",
    "Expecting ',' delimiter": "`,` or the closing bracket is expected here",
    "Extra data": "more follows the value",
    "Unterminated string starting at": "the text that begins here is never closed",
    "Invalid control character at": "a text holds a control character here; write it as an escape",
    "Invalid \\escape": "JSON has no such escape",
    "Invalid \\uXXXX escape": "JSON has no such escape",
}
_STRING_OR_NUMBER = re.compile(r'"(?:\\.|[^"\\])*"|-?(?:NaN|Infinity)|-?\d[\d.eE+-]*', re.DOTALL)


class _OddError(ValueError):
    """Something that Python reads and JSON has not; ``number`` is how it is written, ``key`` is given twice."""

    def __init__(self, message: str, *, number: str = "", key: str = "") -> None:
        super().__init__(message)
        self.number = number
        self.key = key


def parse(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: it is none, as JSON has neither NaN, nor infinite numbers, nor one key twice.
        RecursionError: it is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)


def read_input(given: str) -> Any:
    """Return the value that ``--input`` gives: JSON, ``@FILE``, or ``-`` for standard input.

    Raises:
        click.UsageError: it can't be read, is larger than 16 MiB, not UTF-8 or no JSON.
    """
    name = "standard input" if given == "-" else given[1:] if given.startswith("@") else "--input"
    text = _text(given, display(name, 200))
    try:
        return parse(text)
    except json.JSONDecodeError as error:
        _refuse(name, f"{error.lineno}:{error.colno}", _WORDS.get(error.msg, "this is no JSON"))
    except _OddError as error:
        _refuse(name, _place_of(error, text), str(error))
    except RecursionError:
        _refuse(name, "", "it is nested too deeply")
    except ValueError:
        _refuse(name, "", "a number has too many digits")


def _refuse(name: str, place: str, what: str) -> NoReturn:
    where = f"{display(name, 200)}:{place}" if place else display(name, 200)
    raise click.UsageError(f"the arguments are not JSON: {where}: {what}")


def _text(given: str, name: str) -> str:
    if given != "-" and not given.startswith("@"):
        return given
    data = _bytes(given, name)
    if len(data) > MOST_INPUT:
        raise click.UsageError(f"{name} is larger than {MOST_INPUT >> 20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        found = f"byte {data[error.start]:#04x}"
        raise click.UsageError(
            f"{name}:{_line_column(before, len(before))}: {found} is not UTF-8; save it so"
        ) from None


def _bytes(given: str, name: str) -> bytes:
    try:
        if given == "-":
            if sys.stdin is None:
                raise click.UsageError("there is no standard input to read the arguments from")
            return sys.stdin.buffer.read(MOST_INPUT + 1)
        with Path(given[1:]).open("rb") as file:
            return file.read(MOST_INPUT + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no possible path"
        raise click.UsageError(f"{name} cannot be read: {reason}") from None


def _pairs(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _OddError(f"the key `{display(key, 80)}` is given twice", key=key)
        found[key] = value
    return found


def _constant(word: str) -> NoReturn:
    raise _OddError(f"JSON has no number `{word}`", number=word)


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _OddError(f"the number `{display(text, 40)}` is too large", number=text)
    return value


def _place_of(odd: _OddError, text: str) -> str:
    """Return line and column of what is odd: of a number its first place, of a key its second in one mapping."""
    if odd.number:
        numbers = (match for match in _STRING_OR_NUMBER.finditer(text) if match[0] == odd.number)
        first = next(numbers, None)
        return "" if first is None else _line_column(text, first.start())
    from core.diagnostics.rules.yaml import DUPLICATE_KEY
    from core.language.yaml_reader import read_yaml

    found = (d.place for d in read_yaml(text, "").diagnostics if d.code == DUPLICATE_KEY.code)
    place = next(found, None)
    return "" if place is None else f"{place.line}:{place.column}"


def _line_column(text: str, at: int) -> str:
    return f"{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"
