"""A line of a JSON tree: fold mark, name, value or what is in it; each kind of value in its colour."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from explorer.presenters import marks
from explorer.services.content_blocks import described, is_block
from explorer.services.json_rows import Line, dump_any, is_long

MOST_INDENT = 40
_PREVIEW = 60


def json_line(line: Line, width: int) -> Content:
    """Return the line."""
    indent = " " * min(2 * line.depth, MOST_INDENT)
    if line.text is not None:
        return Content.assemble(indent, Content(line.text).stylize("$string"))
    if line.rest:
        return Content.assemble(indent, ("… ", marks.MUTED), (f"{line.rest:,} more: open them", marks.MUTED))
    fold = ("▾ " if line.open else "▸ ") if line.foldable else "  "
    return Content.assemble(indent, (fold, marks.MUTED), _key(line.key), _value(line, max(20, width)))


def _key(key: str | int | None) -> Content:
    if key is None:
        return Content("")
    if isinstance(key, int):
        return Content.styled(f"{key}  ", marks.MUTED)
    return Content.assemble(marks.text(key or '""', "$keyword", 100), "  ")


def _value(line: Line, width: int) -> Content:
    value = line.value
    if is_block(value) and value["type"] != "text":
        return marks.text(described(value), "$accent", 300)
    if isinstance(value, dict):
        return Content.assemble((f"{{}} {len(value):,}", marks.MUTED), "" if line.open else _preview(value))
    if isinstance(value, list):
        return Content.assemble((f"[] {len(value):,}", marks.MUTED), "" if line.open else _preview(value))
    if isinstance(value, str):
        return _text(value, line.open, width)
    return Content.styled(dump_any(value), _style(value))


def _style(value: Any) -> str:
    return marks.MUTED if value is None else "$accent" if isinstance(value, bool) else "$warning"


def _text(value: str, unfolded: bool, width: int) -> Content:
    if not is_long(value):
        return Content.assemble(('"', marks.MUTED), marks.text(value, "$string"), ('"', marks.MUTED))
    size = f"{len(value):,} characters"
    lines = value.count("\n") + 1
    said = f"text, {size}" + (f", {lines:,} lines" if lines > 1 else "")
    if unfolded:
        return Content.styled(said, marks.MUTED)
    first = value.lstrip("\n").split("\n", 1)[0]
    return Content.assemble(marks.text(first, "$string", min(width, 200)), (f"  {said}", marks.MUTED))


def _preview(value: dict[str, Any] | list[Any]) -> Content:
    """The scalars of a folded value, as many as fit in few words."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    words: list[str] = []
    for key, member in pairs:
        if isinstance(member, dict | list) or len(" ".join(words)) > _PREVIEW or len(words) == 4:
            break
        text = member if isinstance(member, str) else dump_any(member)
        words.append(f"{key} {text[:30]}" if isinstance(value, dict) else text[:30])
    return Content.assemble("  ", marks.text("  ".join(words), marks.MUTED, _PREVIEW)) if words else Content("")
