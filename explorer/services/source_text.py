"""The text of a workspace file made fit for a screen: safe lines, in colour where their language is known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.text import display

if TYPE_CHECKING:
    from textual.content import Content

_LINE_END = re.compile(r"\r\n|\r|\n")
MOST_COLUMNS = 2_000
MOST_LINES = 100_000
MOST_HIGHLIGHTED = 256_000
_LANGUAGES = {
    "yaml": "yaml",
    "yml": "yaml",
    "md": "markdown",
    "json": "json",
    "py": "python",
    "toml": "toml",
    "sh": "bash",
}


@dataclass(frozen=True, slots=True)
class FileText:
    """The lines of a file, as they stand and as they are shown; ``cut`` counts the lines beyond the cap."""

    path: str
    raw: tuple[str, ...]
    shown: tuple[str, ...]
    cut: int = 0

    @property
    def is_skill_md(self) -> bool:
        """Whether the file is a SKILL.md, which can be read rendered as well."""
        return self.path.rsplit("/", 1)[-1].casefold() == "skill.md"

    def shown_column(self, line: int, column: int) -> int:
        """Return where ``column`` (from 1, in characters of the file) stands in the shown line, from 0."""
        return len(display(self.raw[line - 1][: column - 1], MOST_COLUMNS, multiline=True))


def file_text(path: str, text: str) -> FileText:
    """Split ``text`` as diagnostics count lines, and make each line safe."""
    lines = _LINE_END.split(text)
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    kept = lines[:MOST_LINES]
    shown = tuple(display(line, MOST_COLUMNS, multiline=True) for line in kept)
    return FileText(path, tuple(kept), shown, len(lines) - len(kept))


def highlighted(file: FileText) -> list[Content] | None:
    """Return the shown lines in colour; None for what is too large or of no known language."""
    from textual.highlight import highlight

    extension = file.path.rsplit(".", 1)[-1].casefold()
    language = _LANGUAGES.get(extension)
    text = "\n".join(file.shown)
    if language is None or len(text) > MOST_HIGHLIGHTED:
        return None
    lines = highlight(text, language=language, theme=_theme()).split("\n", allow_blank=True)
    return lines if len(lines) >= len(file.shown) else None


def _theme() -> type:
    from pygments.token import Token  # type: ignore[import-untyped]  # its stubs are not installed
    from textual.highlight import HighlightTheme

    class Calm(HighlightTheme):
        """Keys and headings in the accent, text in its own colour, comments quiet."""

        STYLES = {
            Token.Comment: "$muted italic",
            Token.Generic.Heading: "bold",
            Token.Generic.Subheading: "bold",
            Token.Generic.Strong: "bold",
            Token.Generic.Emph: "italic",
            Token.Keyword: "$keyword",
            Token.Literal.String: "$string",
            Token.Name.Tag: "$keyword",
            Token.Name.Function: "bold",
            Token.Name.Decorator: "$keyword",
            Token.Punctuation.Indicator: "$muted",
        }

    return Calm
