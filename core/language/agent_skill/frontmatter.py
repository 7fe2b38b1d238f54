"""Where the frontmatter of a SKILL.md begins and ends, as exact offsets.

A fence is a whole line of three hyphens at column 1; only blanks may follow. Nothing else opens or closes: not
``----``, ``---js``, ``...`` or an indented line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.diagnostics import Edit, Fix
from core.diagnostics.rules import agent_skill as rules
from core.language.agent_skill.page import Page
from core.language.tree import pack

_FENCE = re.compile(r"^---([^\S\n]*)$", re.MULTILINE)
_BLANK = " \t\n\f\v\xa0\ufeff\u200b\u2060"
_FIRST_FENCE = re.compile(f"[{_BLANK}]*---([^\\S\\n]*)$", re.MULTILINE)
_CODE = re.compile(r"^[ ]{0,3}(?:`{3,}|~{3,})", re.MULTILINE)
_KEY = re.compile(r"""^["']?(?:name|description)["']?[ \t]*:""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """Offsets into the text: the opening fence, the YAML from ``start`` to ``end``, and where the body begins.

    ``closed`` is False where no second fence was found; then everything after the first is YAML and the body is empty.
    """

    opening: int
    start: int
    end: int
    body: int
    closed: bool


def split(page: Page) -> Frontmatter | None:
    """Find the frontmatter of ``page`` and report what is wrong with its fences; None where there is none."""
    flat = page.flat
    opening = _FENCE.match(flat)
    if opening is None:
        opening = _late_opening(flat)
        if opening is None:
            _report_missing(page)
            return None
        _report_leading(page, _begin(opening))
    _report_blanks(page, opening)
    first, start = _begin(opening), min(opening.end() + 1, len(flat))
    closing = _FENCE.search(flat, start)
    if closing is None:
        message = "the frontmatter that begins here is never closed"
        page.add(
            rules.FRONTMATTER_UNCLOSED, pack(first, first + 3), message, hint="add a line `---` after the last key"
        )
        return Frontmatter(first, start, len(flat), len(flat), closed=False)
    _report_blanks(page, closing)
    return Frontmatter(first, start, closing.start(), min(closing.end() + 1, len(flat)), closed=True)


def _begin(fence: re.Match[str]) -> int:
    return fence.start(1) - 3


def _late_opening(flat: str) -> re.Match[str] | None:
    """Return the fence of a frontmatter that something stands before; rules in an ordinary text are none."""
    if flat.startswith("---"):
        return None
    if first := _FIRST_FENCE.match(flat):
        return first if _FENCE.search(flat, first.end()) or _KEY.search(flat, first.end()) else None
    fence = _FENCE.search(flat)
    if fence is None or _is_example(flat[: fence.start()]):
        return None
    closing = _FENCE.search(flat, fence.end())
    return fence if _KEY.search(flat, fence.end(), closing.start() if closing else len(flat)) else None


def _is_example(before: str) -> bool:
    """Whether what follows ``before`` is code that a text shows; code that the file begins with is the file itself."""
    marks = _CODE.findall(before)
    return len(marks) % 2 == 1 and not _CODE.match(before.lstrip())


def _report_missing(page: Page) -> None:
    line = page.flat.partition("\n")[0]
    message = "the file does not begin with a `---` line, so it has neither name nor description"
    hint = "begin the file with `---`, `name: ...`, `description: ...` and `---`, each on its own line"
    if line.startswith("---"):
        message = "the first line begins with `---` but does not end there, so it opens no frontmatter"
        hint = "make the first line exactly `---`"
    page.add(rules.FRONTMATTER_MISSING, pack(0, len(line)), message, hint=hint)


def _report_leading(page: Page, end: int) -> None:
    before = page.flat[:end]
    bare, fix = before.strip(_BLANK), None
    if not bare:
        fix = Fix("Delete the blank space before the frontmatter", (Edit(page.source.place(pack(0, end)), ""),))
    what = "a comment" if bare.startswith("<!--") else "text" if bare else "blank space"
    message = f"{what} stands before the frontmatter, which most clients then do not see"
    span = pack(0, max(1, len(before.partition("\n")[0])))
    page.add(rules.FRONTMATTER_LEADING_CONTENT, span, message, hint="make `---` the first line of the file", fix=fix)


def _report_blanks(page: Page, fence: re.Match[str]) -> None:
    start = fence.start(1)
    blanks = page.text[start : fence.end()].rstrip("\r")
    if not blanks:
        return
    span = pack(start, start + len(blanks))
    page.add(
        rules.FRONTMATTER_FENCE_WHITESPACE,
        span,
        "blanks follow the `---`, and some clients then see no frontmatter",
        hint="remove the blanks",
        fix=Fix("Remove the blanks", (Edit(page.source.place(span), ""),)),
    )
