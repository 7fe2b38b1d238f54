"""Placing safe text in a row of a known width."""

from __future__ import annotations

from textual.content import Content


def fit(content: Content, width: int) -> Content:
    """Return ``content`` exactly ``width`` cells wide, cut with an ellipsis or padded."""
    if width <= 0:
        return Content("")
    if content.cell_length > width:
        content = content.truncate(width, ellipsis=True)
    return content.pad_right(width - content.cell_length)


def keep_end(content: Content, width: int) -> Content:
    """Return ``content`` exactly ``width`` cells wide; what is too long loses its beginning."""
    if content.cell_length <= width or width <= 0:
        return fit(content, width)
    cut = content
    while cut.cell_length > width - 1:
        cut = cut[max(1, (cut.cell_length - width + 1) // 2) :]
    return fit(Content("…") + cut, width)


def two_sides(left: Content, right: Content, width: int) -> Content:
    """Return ``left`` and ``right`` at the two ends of a row; the left side gives way."""
    if right.cell_length >= width:
        return fit(right, width)
    return Content.assemble(fit(left, width - right.cell_length), right)


def wrap(content: Content, width: int, indent: int = 0) -> list[Content]:
    """Return ``content`` in lines of at most ``width`` cells, all but the first indented."""
    width = max(8, width - indent)
    lines = content.wrap(width)
    pad = " " * indent
    return [line.rstrip() if at == 0 else Content(pad) + line.rstrip() for at, line in enumerate(lines)]


def within(content: Content, width: int, height: int) -> Content:
    """Return what ``height`` lines of ``width`` cells hold of ``content``, with an ellipsis where that is not all."""
    lines = content.wrap(width) if width > 0 else [content]
    if len(lines) > height:
        last = lines[height - 1].rstrip()
        lines = [*lines[: height - 1], fit(Content.assemble(last, " …"), min(width, last.cell_length + 2))]
    return Content("\n").join(line.rstrip() for line in lines)
