"""Characters in workspace files that can't be seen or that reorder what is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.diagnostics import Diagnostic, Place
from core.diagnostics.rules.hidden import HIDDEN_CHARACTER
from core.language.tree import SourceText, pack
from core.letters import code_and_name
from core.text import display, unsafe_character

_TOLD_ELSEWHERE = "\x85\u2028\u2029"
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_ASCII = bytes(range(128))
_MOST_KINDS = 4
_LOOKED_AT = 1000
_HINT = "delete it, or make sure that it is meant"


def hidden_characters(source: SourceText, text: str) -> Iterator[Diagnostic]:
    """Yield a finding for the first hidden character of each line of ``text``."""
    at = unsafe_character(text) if _may_hide(text) else None
    told = 0
    while at is not None:
        line, _ = source.line_column(at)
        if text[at] not in _TOLD_ELSEWHERE and line != told:
            told = line
            message = f"The line holds {described(text, at)}, which can't be seen as it is"
            yield HIDDEN_CHARACTER.at(source.place(pack(at, at + 1)), message, hint=_HINT)
        at = unsafe_character(text, at + 1)


def _may_hide(text: str) -> bool:
    """A quick look at what isn't ASCII, which in most texts is little; raw ASCII controls are no YAML."""
    if text.isascii():
        return False
    rest = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return unsafe_character(rest) is not None


def hidden_by_escape(place: Place, value: str) -> Diagnostic:
    """Return the finding for a text at ``place`` that has a hidden character, written as an escape or as it is."""
    found = _kinds(value)
    more = [f"{len(found) - _MOST_KINDS} more"] if len(found) > _MOST_KINDS else []
    *first, last = [*found[:_MOST_KINDS], *more]
    if not first:
        return HIDDEN_CHARACTER.at(place, f"The text holds {last}, which can't be seen as it is", hint=_HINT)
    message = f"The text holds {', '.join(first)} and {last}, which can't be seen as they are"
    return HIDDEN_CHARACTER.at(place, message, hint="delete them, or make sure that they are meant")


def without_hidden_in_names(found: list[Diagnostic]) -> list[Diagnostic]:
    """Return ``found`` without the hidden characters that another finding of the same file names as its fault."""
    names = [item.place for item in found if item.code.endswith("/invalid-name")]
    return [
        item for item in found if item.code != HIDDEN_CHARACTER.code or not any(_holds(n, item.place) for n in names)
    ]


def _holds(around: Place, inner: Place) -> bool:
    start, end = (around.line, around.column), (around.end_line or around.line, around.end_column or around.column)
    return start <= (inner.line, inner.column) < end


def _kinds(value: str) -> list[str]:
    """Return what hides in ``value``, each kind once; what stands beyond the first thousand is not looked at."""
    found: dict[str, None] = {}
    at = unsafe_character(value)
    for _ in range(_LOOKED_AT):
        if at is None:
            break
        found.setdefault(described(value, at))
        tags = _TAGS.match(value, at)
        at = unsafe_character(value, tags.end() if tags else at + 1)
    return list(found)


def described(text: str, at: int = 0) -> str:
    """Return what hides at ``at``: the text that tag characters spell, or else the character with its name."""
    tags = _TAGS.match(text, at)
    if tags is not None:
        spelt = "".join(chr(ord(char) - 0xE0000) for char in tags[0])
        return f"tag characters that spell `{display(spelt, 80)}`"
    return f"the character {code_and_name(text[at])}"
