"""A SKILL.md as it reads: Markdown drawn to lines. HTML is not drawn, so the raw file stays one key away."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from core.text import display

if TYPE_CHECKING:
    from rich.theme import Theme
    from textual.strip import Strip

MOST_RENDERED = 512_000


def rendered_lines(body: str, width: int, colors: dict[str, str]) -> list[Strip]:
    """Return ``body`` drawn for ``width`` cells; links are text, never escape sequences."""
    from rich.console import Console
    from rich.markdown import Markdown
    from textual.strip import Strip

    console = Console(
        file=io.StringIO(), width=width, color_system="truecolor", theme=_theme(colors), force_terminal=True
    )
    markdown = Markdown(display(body, MOST_RENDERED, multiline=True), hyperlinks=False, code_theme="bw")
    return [Strip(line) for line in console.render_lines(markdown, pad=False)]


def body_of(lines: tuple[str, ...]) -> str:
    """Return what follows the frontmatter, or everything where there is none."""
    if not lines or lines[0].strip("\ufeff \t") != "---":
        return "\n".join(lines)
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 0)
    return "\n".join(lines[end + 1 :])


def _theme(colors: dict[str, str]) -> Theme:
    from rich.theme import Theme

    accent, muted = colors["accent"], colors["muted"]
    styles = {f"markdown.h{level}": "bold" for level in range(1, 7)}
    styles |= {
        "markdown.h1": f"bold underline {accent}",
        "markdown.h1.border": "none",
        "markdown.code": accent,
        "markdown.code_block": accent,
        "markdown.link": accent,
        "markdown.link_url": muted,
        "markdown.item.bullet": muted,
        "markdown.item.number": muted,
        "markdown.hr": muted,
        "markdown.block_quote": muted,
    }
    return Theme(styles)
