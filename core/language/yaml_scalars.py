"""What a plain YAML scalar means: the YAML 1.2 core schema here, and what YAML 1.1 readers make of it."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Final

MAX_DIGITS: Final = 1_000

CONSTANTS: Final[dict[str, bool | None]] = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "null": None,
    "Null": None,
    "NULL": None,
    "~": None,
    "": None,
}
FIRST_OF_NUMBER: Final = frozenset("0123456789+-.")
"""The characters that a number can begin with."""
FIRST_OF_ODD_KEYS: Final = FIRST_OF_NUMBER | {"<"}
"""The characters that a plain key can begin with which is none; constants apart."""

_NUMBER = re.compile(
    r"(?P<dec>[-+]?(?:0|[1-9][0-9]*))\Z|0o(?P<oct>[0-7]+)\Z|0x(?P<hex>[0-9a-fA-F]+)\Z"
    r"|(?P<float>[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|(?:0|[1-9][0-9]*)(?=[eE]))(?:[eE][-+]?[0-9]+)?)\Z"
    r"|(?P<odd>[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
)


class Unfit:
    """Why a scalar that YAML reads as a number can't be one here."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


NOT_JSON: Final = Unfit("JSON has no such number")
TOO_LONG: Final = Unfit("the number is too long")

Plain = str | int | float | bool | None
_SHORT = 32


def plain_value(text: str) -> Plain | Unfit:
    """Return what the plain scalar ``text`` is in YAML 1.2's core schema; ``text`` itself where it is text.

    Whole numbers with a zero before them stay text: `0755` is hardly ever meant as 755.
    """
    if text in CONSTANTS:
        return CONSTANTS[text]
    value = _short_value(text) if len(text) <= _SHORT else _value(text)
    return text if isinstance(value, str) else value


def _value(text: str) -> Plain | Unfit:
    match = _NUMBER.match(text)
    if match is None:
        return text
    if len(text) > MAX_DIGITS:
        return TOO_LONG
    kind = match.lastgroup
    if kind == "dec":
        return int(text)
    if kind == "float":
        number = float(text)
        return number if math.isfinite(number) else NOT_JSON
    if kind == "odd":
        return NOT_JSON
    return int(match["oct"], 8) if kind == "oct" else int(match["hex"], 16)


_short_value = lru_cache(maxsize=4_096)(_value)

_YES_1_1 = frozenset(["y", "Y", "yes", "Yes", "YES", "on", "On", "ON"])
_NO_1_1 = frozenset(["n", "N", "no", "No", "NO", "off", "Off", "OFF"])
FIRST_OF_AMBIGUOUS: Final = frozenset("0123456789+-.~tTfFnNyYoO=<")
_MOST_SHOWN = 20
_OLD_FORMS = (
    (re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z"), "a date"),
    (
        re.compile(
            r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
            r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?\Z"
        ),
        "a date and time",
    ),
    (re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z"), "a number in base 60"),
    (re.compile(r"[-+]?0[0-7_]+\Z"), "an octal number"),
    (re.compile(r"[-+]?0b[01_]+\Z"), "a binary number"),
    (re.compile(r"[-+]?0x[0-9a-fA-F_]+\Z"), "a hexadecimal number"),
    (re.compile(r"0o[0-7]+\Z"), "an octal number"),
    (re.compile(r"[-+]?(?:[0-9][0-9_]*)?\.?[0-9_]*(?:[eE][-+]?[0-9]+)?\Z"), "a number"),
    (re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z"), "a number"),
    (re.compile(r"=\Z|<<\Z"), "a special key"),
)


def ambiguous(raw: str) -> str | None:
    """Return what some YAML reader (of 1.1 or 1.2) takes the plain scalar ``raw`` for, if that isn't text."""
    if raw in CONSTANTS:
        value = CONSTANTS[raw]
        return "nothing (null)" if value is None else f"the boolean {str(value).lower()}"
    if raw[0] not in FIRST_OF_AMBIGUOUS or len(raw) > MAX_DIGITS:
        return None
    if raw in _YES_1_1:
        return "the boolean true"
    if raw in _NO_1_1:
        return "the boolean false"
    if not any(char in "0123456789.=<" for char in raw):
        return None
    number = _shown_number(raw)
    if number is not None:
        return number
    return next((what for form, what in _OLD_FORMS if form.match(raw) and _has_substance(raw)), None)


def spellings(written: str) -> frozenset[str]:
    """Return how findings may spell the scalar ``written``, in quotes or plain: as it stands, as read, as a number."""
    if written[:1] in ("'", '"'):
        bare = written.strip(written[0])
        unescaped = bare.replace("''", "'") if written[0] == "'" else re.sub(r"\\(.)", r"\1", bare)
        return frozenset((bare, unescaped))
    value = plain_value(written)
    taken_for = (ambiguous(written) if written else None) or ""
    shown = [taken_for.removeprefix(kind) for kind in ("the number ", "the boolean ") if taken_for.startswith(kind)]
    return frozenset((written, *shown, *([] if value is None or isinstance(value, Unfit) else [str(value)])))


def _shown_number(raw: str) -> str | None:
    """Name the number by its value where that shows what would be lost (``1.10`` is ``1.1``)."""
    if len(raw) > _MOST_SHOWN:
        return None
    if re.fullmatch(r"[-+]?(?:[1-9][0-9]*|0)", raw):
        return f"the number {int(raw)}"
    if re.fullmatch(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)", raw):
        return f"the number {float(raw)!r}"
    return None


def _has_substance(raw: str) -> bool:
    return raw in ("=", "<<") or any(char.isdigit() for char in raw) or raw.lstrip("+-").lower() in (".inf", ".nan")


def quoted(text: str) -> str:
    """Return ``text`` as a YAML scalar in quotes that every reader takes for that text."""
    if '"' not in text and "\\" not in text and text.isprintable():
        return f'"{text}"'
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
