"""The steps of an Agent Skill: its ``steps`` key, else numbered headings of the body, else a numbered list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.language.agent_skill.markdown import Body
from core.language.tree import Map, Seq

MOST_STEPS = 1_000
LONGEST_STEP = 2_000
_TEXT_KEYS = ("title", "name", "step", "description", "instruction", "instructions", "action", "text")

_HEADING = re.compile(r"\n[ ]{0,3}(?P<level>#{1,6})[ \t]+(?P<heading>[^\n\d]*\d[^\n]*)")
_MARKED = re.compile(
    r"\n(?:[ ]{0,3}#{1,6}[ \t]+(?P<heading>[^\n]*)"
    r"|(?P<indent>[ ]{0,3})(?P<number>\d{1,9})[.)][ \t]+(?P<item>[^\n]*))"
)
_NUMBERED = re.compile(r"[*_]{0,2}(?:[^\W\d_]+[ \t]+)?(\d{1,3})[ \t]*[.):\u2013\u2014-](?:[ \t]+|\Z)(.*)")
_STEP = re.compile(r"[*_]{0,2}(?:step|phase|stage)[ \t]+(\d{1,3})(?:[ \t]+|\Z)(.*)", re.IGNORECASE)
_ABOUT_STEPS = re.compile(r"\b(?:steps?|instructions?|workflow|process|procedure|how)\b", re.IGNORECASE)
_ENDS_ITEM = re.compile(r"[ \t]*(?:\n|\Z|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|[>|])")


def steps_of(front: Any, flat: str, body: Body) -> tuple[str, ...]:
    """Return the steps as plain texts; empty where the skill has no structured steps."""
    declared = _declared(front.get("steps")) if isinstance(front, dict) else ()
    if declared:
        return declared
    return _numbered_headings(flat, body) or _numbered_list(flat, body)


def _declared(steps: Any) -> tuple[str, ...]:
    if not isinstance(steps, Seq):
        return ()
    texts = (_text_of(step) for step in steps[:MOST_STEPS])
    return tuple(text for text in texts if text)


def _text_of(step: Any) -> str:
    if isinstance(step, Map):
        step = next((step[key] for key in _TEXT_KEYS if isinstance(step.get(key), str)), None)
    return _tidy(step) if isinstance(step, str) else ""


def _tidy(text: str) -> str:
    return " ".join(text[:LONGEST_STEP].split())


def _matches(pattern: re.Pattern[str], flat: str, body: Body) -> Iterator[tuple[re.Match[str], int]]:
    """Yield the matches in prose, each with the end of its range; the line feed before the range counts to it."""
    for start, end in body.prose:
        for match in pattern.finditer(flat, max(start - 1, 0), end):
            yield match, end


def _numbered_headings(flat: str, body: Body) -> tuple[str, ...]:
    """Return the first run of headings of one level that are numbered upwards from 0 or 1."""
    runs: dict[int, list[str]] = {}
    last: dict[int, int] = {}
    for match, _ in _matches(_HEADING, flat, body):
        level, heading = len(match["level"]), match["heading"].rstrip(" \t#")
        found = _NUMBERED.match(heading) or _STEP.match(heading)
        if not found:
            continue
        number = int(found[1])
        if number == last[level] + 1 if level in last else number in (0, 1):
            last[level] = number
            runs.setdefault(level, []).append(_tidy(found[2].strip("*_ \t")) or _tidy(heading))
    return tuple(runs[min(runs)][:MOST_STEPS]) if runs else ()


def _numbered_list(flat: str, body: Body) -> tuple[str, ...]:
    """Return the first numbered list, or rather the first one under a heading that speaks of steps."""
    first: tuple[str, ...] = ()
    for heading, items in _lists(flat, body):
        if _ABOUT_STEPS.search(heading):
            return items
        first = first or items
    return first


def _lists(flat: str, body: Body) -> Iterator[tuple[str, tuple[str, ...]]]:
    heading, indent, last = "", "", -1
    items: list[str] = []
    for match, end in _matches(_MARKED, flat, body):
        if match["heading"] is not None:
            if items:
                yield heading, tuple(items)
            heading, items = match["heading"], []
            continue
        number = int(match["number"])
        if items and match["indent"] != indent:
            continue
        if items and number not in (last + 1, last):
            yield heading, tuple(items)
            items = []
        if not items and number > 1:
            continue
        indent, last = match["indent"], number
        if len(items) < MOST_STEPS:
            items.append(_item(flat, match, end))
    if items:
        yield heading, tuple(items)


def _item(flat: str, match: re.Match[str], end: int) -> str:
    """Return the item's first paragraph."""
    stop = match.end()
    limit = min(end, match.end() + LONGEST_STEP)
    while stop + 1 < limit and not _ENDS_ITEM.match(flat, stop + 1, end):
        line_end = flat.find("\n", stop + 1, end)
        stop = end if line_end < 0 else line_end
    return _tidy(flat[match.start("item") : stop])
