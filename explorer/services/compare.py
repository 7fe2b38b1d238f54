"""Two outputs side by side: which lines differ, with the equal ones between far differences left out."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING, Any

from explorer.services.json_rows import dump_any

if TYPE_CHECKING:
    from core.protocol import SkillResult

MOST_LINES = 2_000
CONTEXT = 2


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lines that stand beside each other; None where one side has none. ``skipped`` equal lines are left out."""

    left: str | None
    right: str | None
    same: bool = False
    skipped: int = 0


def compared_text(arguments: Any, result: SkillResult) -> str:
    """Return a call as the text by which it is compared: what was asked, what came back, which files changed.

    JSON stands without the commas at the ends of its lines, so that a new last member changes no other line.
    """
    parts = [f"arguments {_lines(arguments)}"]
    if result.error is not None:
        parts.append(f"error {_lines(result.error.model_dump(mode='json'))}")
    if result.success or result.output_data is not None:
        output = result.output_data
        parts.append(f"output\n{output}" if isinstance(output, str) else f"output {_lines(output)}")
    if result.resource_changes:
        parts.append("changed\n" + "\n".join(str(change.get("path")) for change in result.resource_changes))
    return "\n".join(parts)


def _lines(value: Any) -> str:
    return dump_any(value).replace(",\n", "\n")


def pairs(left: str, right: str) -> list[Pair]:
    """Return the lines of both texts, matched; beyond 2,000 lines each is matched with the one at its place."""
    a, b = left.split("\n"), right.split("\n")
    if a == b:
        return [Pair(None, None, same=True, skipped=len(a))]
    if max(len(a), len(b)) > MOST_LINES:
        return _trimmed([*_by_place(a, b)])
    found: list[Pair] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        same = tag == "equal"
        found += [
            Pair(a[i1 + n] if i1 + n < i2 else None, b[j1 + n] if j1 + n < j2 else None, same)
            for n in range(max(i2 - i1, j2 - j1))
        ]
    return _trimmed(found)


def _by_place(a: list[str], b: list[str]) -> list[Pair]:
    size = max(len(a), len(b))
    lefts, rights = [*a, *[None] * (size - len(a))], [*b, *[None] * (size - len(b))]
    return [Pair(x, y, x == y) for x, y in zip(lefts, rights, strict=True)]


def _trimmed(found: list[Pair]) -> list[Pair]:
    """Leave out equal lines further than two from any difference, where that spares more than it takes to say."""
    near: set[int] = set()
    for at, pair in enumerate(found):
        if not pair.same:
            near.update(range(at - CONTEXT, at + CONTEXT + 1))
    kept: list[Pair] = []
    for is_near, part in groupby(enumerate(found), key=lambda numbered: numbered[0] in near):
        rows = [pair for _at, pair in part]
        kept += rows if is_near or len(rows) == 1 else [Pair(None, None, same=True, skipped=len(rows))]
    return kept
