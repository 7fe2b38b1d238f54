"""Where a file says in confidence what a server is given: the values under ``env`` and ``headers``.

Found by their look alone, so that a file which doesn't parse keeps its secrets too. More is taken for a secret than
is one; what stands in a comment or in the text of some other key counts as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MASK = "•"
_FOLD = r"(?:\\\r?\n[ \t]*)?"


def _spelt(word: str) -> str:
    """Return a pattern of ``word`` between double quotes, where each letter may be an escape and lines be folded."""
    return _FOLD.join(rf"(?:{char}|\\(?:x|u00|U000000)(?i:{ord(char):02x}))" for char in word)


_PLAIN_WORD = "(?:env|headers)"
_WORD = f"(?:{_PLAIN_WORD}|{_spelt('env')}|{_spelt('headers')})"
_KEY = r"""(?<![\w.$-])(?:\?[ \t]+)?(["']?)%s\1[ \t]*(?:\r?\n[ \t]*)?:(?=[ \t\r\n{\[]|$)"""
_QUICK = re.compile(_PLAIN_WORD)
_NAMED_WORD = re.compile(rf"""&([^\s,\[\]{{}}]+)[ \t]+(["']?){_WORD}\2(?=[\s,\]}}]|$)""")
_ALIAS = re.compile(r"\*([^\s,\[\]{}]+)")
_MOST_READINGS = 4
_MOST_VALUES = 5_000
_ANCHOR = re.compile(r"(?<!\S)&([^\s,\[\]{}]+)")
_PREFIX = re.compile(r"(?:[ \t\r\n]+|[&!][^\s,{}\[\]]*|\#[^\n]*)*")
_ENTRY = re.compile(r"""[ \t-]*(?P<key>"[^"\n]*"|'[^'\n]*'|[^\s"'#:{}\[\],-][^:\n]*?)[ \t]*:(?=[ \t]|$)[ \t]*""")
_BLOCK_SIGN = re.compile(r"[|>][-+0-9]*")
_REFERENCE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^}\n]*)?\}")
_OPENING, _CLOSING, _SIGNS = ("{", "["), ("}", "]"), ("{", "[", "}", "]", ",", ":")
_COLON = r""":(?=[\s,{}\[\]"']|$)"""
_PLAIN = rf"""(?!{_COLON})[^\s,{{}}\[\]"'](?:(?!{_COLON})[^\n,{{}}\[\]])*(?<![ \t])"""
_FLOW = re.compile(rf""""(?:[^"\\]|\\.)*"?|'[^']*'?|[{{}}\[\],]|{_COLON}|{_PLAIN}""", re.DOTALL)
_SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True)
class Secret:
    """A value from ``start`` to before ``end``; ``name`` is its variable or header, empty where that isn't clear."""

    name: str
    start: int
    end: int


def may_hold_secrets(path: str) -> bool:
    """Whether ``path`` is a kind of file that declares servers."""
    return path.casefold().endswith(_SUFFIXES)


def secrets_in(text: str) -> list[Secret]:
    """Return the values under every ``env`` and ``headers`` of a YAML or JSON text, in order."""
    found: list[Secret] = []
    at = 0
    if "\\" not in text and _QUICK.search(text) is None:
        return found
    pattern = _key_pattern(text)
    while (key := pattern.search(text, at)) is not None:
        values, at = _values(text, key.start(), key.end())
        found += values
    return _apart([*found, *_anchored(text, found)])


def _key_pattern(text: str) -> re.Pattern[str]:
    """Return what finds the keys in question, also those that are written by escapes or as aliases of the word."""
    pattern = _KEY % (_WORD if "\\" in text else _PLAIN_WORD)
    names = sorted({re.escape(match[1]) for match in _NAMED_WORD.finditer(text)}) if "&" in text else []
    return re.compile(rf"{pattern}|\*(?:{'|'.join(names)})[ \t]+:(?=\s|$)" if names else pattern)


def _anchored(text: str, found: list[Secret]) -> list[Secret]:
    """Return the values that ``found`` refer to by aliases, and what those refer to.

    Where anchors stand so deep in each other that this would take long, that is the whole text.
    """
    waiting = {name for secret in found for name in _ALIAS.findall(text, secret.start, secret.end)}
    anchors = {match[1]: match for match in _ANCHOR.finditer(text)} if waiting else {}
    more: list[Secret] = []
    left = _MOST_READINGS * len(text)
    while waiting and left > 0:
        anchor = anchors.pop(waiting.pop(), None)
        if anchor is None:
            continue
        line = text.rfind("\n", 0, anchor.start()) + 1
        values, end = _values(text, _first(text, line), anchor.start())
        left -= end - line
        waiting |= {name for secret in values for name in _ALIAS.findall(text, secret.start, secret.end)}
        more += values
    return [Secret("", 0, len(text))] if waiting and left <= 0 else more


def _first(text: str, start: int) -> int:
    """Return where the first character other than a blank stands from ``start`` on."""
    while text[start : start + 1] in (" ", "\t"):
        start += 1
    return start


def _apart(found: list[Secret]) -> list[Secret]:
    """Return ``found`` in order, with those that overlap joined."""
    apart: list[Secret] = []
    for secret in sorted(found, key=lambda one: (one.start, -one.end)):
        if apart and secret.start < apart[-1].end:
            last = apart[-1]
            apart[-1] = Secret(last.name, last.start, max(last.end, secret.end))
        else:
            apart.append(secret)
    return apart


def masked(text: str) -> str:
    """Return ``text``, as long as before, with those values hidden; references to host variables stay."""
    pieces, at = [], 0
    for secret in secrets_in(text):
        pieces += [text[at : secret.start], _hidden(text[secret.start : secret.end])]
        at = secret.end
    return "".join([*pieces, text[at:]]) if pieces else text


def _hidden(value: str) -> str:
    pieces, at = [], 0
    for reference in _REFERENCE.finditer(value):
        pieces += [_dots(value[at : reference.start()]), reference[0]]
        at = reference.end()
    return "".join([*pieces, _dots(value[at:])])


def _dots(text: str) -> str:
    return re.sub(r"[^\s]", MASK, text)


def _values(text: str, key: int, after: int) -> tuple[list[Secret], int]:
    """Return the values of the key that stands from ``key`` to ``after``, and where to go on."""
    prefix = _PREFIX.match(text, after)
    start = prefix.end() if prefix else after
    if text[start : start + 1] in _OPENING:
        return _in_brackets(text, start)
    return _below(text, key - (text.rfind("\n", 0, key) + 1), after)


def _below(text: str, indent: int, after: int) -> tuple[list[Secret], int]:
    """Read a value on the key's own line and the lines below it that are further in, or entries of a list."""
    end = _line_end(text, after)
    found = _rest("", text, after, end)
    inner: int | None = None
    name = ""
    while end < len(text):
        start, end = end + 1, _line_end(text, end + 1)
        bare = text[start:end].lstrip(" \t-")
        depth = len(text[start:end]) - len(text[start:end].lstrip(" \t"))
        if not bare.strip():
            continue
        if depth < indent or (depth == indent and text[start + depth] != "-"):
            return found, start
        inner = depth if inner is None else inner
        entry = _ENTRY.match(text, start, end) if depth <= inner else None
        name = entry["key"].strip("\"'") if entry else name if depth > inner else ""
        found += _rest(name, text, entry.end() if entry else end - len(bare), end)
        if len(found) > _MOST_VALUES:
            return _all_from(found[0].start, text)
    return found, len(text)


def _all_from(start: int, text: str) -> tuple[list[Secret], int]:
    """Take all the rest for one value: of so many nobody looks at each."""
    return [Secret("", start, len(text))], len(text)


def _rest(name: str, text: str, start: int, end: int) -> list[Secret]:
    """Return the value that stands between ``start`` and ``end``; none for nothing, or for the sign of a block."""
    piece = text[start:end]
    bare = piece.strip()
    if not bare or _BLOCK_SIGN.fullmatch(bare):
        return []
    first = start + len(piece) - len(piece.lstrip())
    return [Secret(name, first, first + len(bare))]


def _line_end(text: str, start: int) -> int:
    found = text.find("\n", start)
    return len(text) if found < 0 else found


def _in_brackets(text: str, start: int) -> tuple[list[Secret], int]:
    """Read what stands in brackets: everything but the keys of the outer pair. Brackets left open take all the rest."""
    found: list[Secret] = []
    key: Secret | None = None  # the last text, as long as a colon may still make it a key
    depth, name, is_map = 0, "", text[start] == "{"
    for token in _FLOW.finditer(text, start):
        sign = token[0]
        if sign == ":" and key is not None:
            name, key = text[key.start : key.end].strip("\"'"), None
        elif sign in _SIGNS:
            found += [key] if key is not None else []
            key = None
            depth += (sign in _OPENING) - (sign in _CLOSING)
            name = "" if depth == 1 and sign == "," else name
            if depth == 0:
                return found, token.end()
        elif depth == 1 and is_map and not name:
            key = Secret("", token.start(), token.end())
        else:
            found.append(Secret(name, token.start(), token.end()))
            if len(found) > _MOST_VALUES:
                return _all_from(found[0].start, text)
    return [*found, *([key] if key is not None else [])], len(text)
