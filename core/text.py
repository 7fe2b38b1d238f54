"""Untrusted text made visible: the one place that decides what may reach a terminal.

Control, bidirectional and invisible characters are shown, never passed on and never dropped, so that a
reader sees an attack instead of suffering it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
_NO_CHARACTERS = "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff" + "".join(
    f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17)
)
_MARKS = "\u0300-\u034e\u0350-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_MOST_MARKS = 4
_PICTURE = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_EMOJI = f"{_PICTURE}[\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
_SUSPECT = re.compile(f"[{_CONTROLS}{_INVISIBLE}{_NO_CHARACTERS}]|[{_MARKS}]{{{_MOST_MARKS + 1}}}")
_PART = re.compile(
    f"(?P<emoji>{_EMOJI}(?:\u200d{_EMOJI})*|[0-9#*]\ufe0f?\u20e3)"
    f"|(?P<marks>[{_MARKS}]{{{_MOST_MARKS}}})(?P<more>[{_MARKS}]+)"
    f"|[{_CONTROLS}{_INVISIBLE}{_NO_CHARACTERS}]"
)


def plural(count: int, noun: str) -> str:
    """Return the count with its noun: ``1 skill``, ``2 skills``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def safe_text(text: str) -> str:
    """Return ``text`` with every unsafe character shown; tabs and line feeds stay.

    Joiners and variation selectors pass inside emoji. Of a pile of more than four combining marks the rest is
    counted instead of drawn. Doing it twice changes nothing more.
    """
    return _PART.sub(_shown, text) if _SUSPECT.search(text) else text


def _shown(match: re.Match[str]) -> str:
    if match["emoji"]:
        return match[0]
    if match["more"]:
        return f"{match['marks']}<{plural(len(match['more']), 'more mark')}>"
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xDC80 <= code <= 0xDCFF:
        return f"<{code & 0xFF:02X}>"
    return f"<U+{code:04X}>"


def rewrite_unsafe(text: str, write: Callable[[str], str]) -> str:
    """Return ``text`` with each run that ``safe_text`` would show differently as ``write`` writes it."""

    def written(match: re.Match[str]) -> str:
        if match["emoji"]:
            return match[0]
        return match["marks"] + write(match["more"]) if match["more"] else write(match[0])

    return _PART.sub(written, text) if _SUSPECT.search(text) else text


def unsafe_character(text: str, start: int = 0) -> int | None:
    """Return where in ``text``, from ``start`` on, stands what ``safe_text`` shows differently; None if nowhere.

    The carriage return of a line end doesn't count.
    """
    if _SUSPECT.search(text, start) is None:
        return None
    found = (m.start("more") if m["more"] else m.start() for m in _PART.finditer(text, start) if not m["emoji"])
    return next((at for at in found if text[at] != "\r"), None)


def display(text: str, limit: int = 2000, *, multiline: bool = False) -> str:
    """Return ``text`` fit for a screen: safe, tabs expanded, cut at ``limit`` characters with a count of the rest.

    On a single line, line feeds and tabs are shown as symbols.
    """
    rest = len(text) - limit
    shown = safe_text(text[:limit].replace("\r\n", "\n"))
    shown = shown.expandtabs(4) if multiline else shown.replace("\n", "\u240a").replace("\t", "\u2409")
    return f"{shown}… {rest:,} more" if rest > 0 else shown


_CUTOFF = 0.6
_FEW = 300
_COMPARED = 64
_PART_OF_NAME = 3
_PAIRS = 32
_RARE_PAIRS = 7


def nearest(word: str, candidates: Iterable[str], limit: int = 3) -> list[str]:
    """Return the candidates that ``word`` was probably meant to be, best first; at most ``limit``.

    Case doesn't matter, and a candidate that holds the whole word counts as near; the nearest are those of which the
    word is all that follows the last slash. Of more than 300 candidates only the 64 that share most pairs of letters
    with the word are compared closely.
    """
    names = tuple(dict.fromkeys(candidates))
    many = len(names) > _FEW
    found = _closest(word, _promising(word.casefold(), names)) if many else _closest_of_few(word, names)
    ending = f"/{word.casefold()}"
    same = sorted(name for name in names if name.casefold().endswith(ending)) if word else []
    return list(dict.fromkeys((*same, *found)))[:limit]


@lru_cache(maxsize=1024)
def _closest_of_few(word: str, names: tuple[str, ...]) -> list[str]:
    """The same slip against the same names is made in many files."""
    return _closest(word, [(name.casefold(), name) for name in names])


def _closest(word: str, named: Iterable[tuple[str, str]]) -> list[str]:
    """Return the near ones of ``named`` (each name first in its folded form), best first."""
    wanted = word.casefold()
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    found: list[tuple[float, str]] = []
    for folded, name in named:
        matcher.set_seq1(folded)
        score = _CUTOFF if len(wanted) >= _PART_OF_NAME and wanted in folded else 0.0
        if matcher.real_quick_ratio() >= _CUTOFF and matcher.quick_ratio() >= _CUTOFF:
            score = max(score, matcher.ratio())
        if score >= _CUTOFF and name != word:
            found.append((-score, name))
    return [name for _, name in sorted(found)]


def _promising(wanted: str, names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the few names that share most pairs of letters with ``wanted``.

    A slip destroys two pairs at most, so a name that is three slips away still has one of any seven; the seven
    rarest leave the fewest names to count in.
    """
    named = [(name.casefold(), name) for name in names]
    room = max(3, len(wanted) // 3)
    pairs = list(dict.fromkeys(wanted[at : at + 2] for at in range(len(wanted) - 1)))[-_PAIRS:]
    close = [item for item in named if abs(len(item[0]) - len(wanted)) <= room]
    sharing = sorted(([item for item in close if pair in item[0]] for pair in pairs), key=len)
    chosen = dict.fromkeys(item for items in sharing[:_RARE_PAIRS] for item in items)
    if len(wanted) >= _PART_OF_NAME:
        chosen.update(dict.fromkeys(item for item in named if wanted in item[0]))
    return nlargest(_COMPARED, chosen, key=lambda item: sum([pair in item[0] for pair in pairs]))


SURE = 0.7
"""How like the only near name must be to the word written to be written in its place."""
_LIKE = 0.5
_CLEARLY = 0.1


def likeness(word: str, name: str) -> float:
    """Return how like two names are, from 0 to 1, beside a namespace that they share; case doesn't matter."""
    word, name = word.casefold(), name.casefold()
    shared = word.rfind("/") + 1
    if word[:shared] != name[:shared]:
        shared = 0
    return SequenceMatcher(None, word[shared:], name[shared:]).ratio()


def like_the_best(word: str, names: Iterable[str]) -> list[str]:
    """Return ``names``, likest first, without those unlike ``word`` or clearly less like it than the best.

    A name that holds the whole word is not unlike it.
    """
    ranked = sorted(((likeness(word, name), name) for name in names), key=lambda pair: -pair[0])
    close = [pair for pair in ranked if pair[0] >= _LIKE or word.casefold() in pair[1].casefold()]
    return [name for score, name in close if score >= close[0][0] - _CLEARLY]


def surely_meant(word: str, near: Sequence[str]) -> str | None:
    """Return the name that ``word`` surely stands for: the only one of ``near``, and much like it."""
    return near[0] if len(near) == 1 and likeness(word, near[0]) >= SURE else None
