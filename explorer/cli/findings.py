"""Findings for people: place, sentence, the source line with a caret."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from core.text import display, safe_text
from explorer.cli.output import say, style, width
from explorer.cli.text import MARKS

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic
    from core.workspace import Workspace


def print_findings(workspace: Workspace, found: Iterable[Diagnostic]) -> None:
    """Print each finding with its source line."""
    lines = SourceLines(workspace)
    for diagnostic in found:
        for line in diagnostic_lines(diagnostic, lines.line(diagnostic.place.path, diagnostic.place.line)):
            say(line)


def diagnostic_lines(found: Diagnostic, source: str | None) -> Iterable[str]:
    """Yield a finding: place, severity and sentence, the source line with a caret, then related places."""
    name, colour = MARKS[found.severity]
    place = found.place
    yield (
        f"{style(f'{display(place.path)}:{place.line}:{place.column}', bold=True)}: "
        f"{style(name, colour, bold=True)}: {style(found.message)} {style(f'[{found.code}]', dim=True)}"
    )
    if source is not None:
        yield from _caret(found, source)
    for item in found.related:
        yield f"    {style(f'{display(item.place.path)}:{item.place.line}:{item.place.column}')}: {style(item.message)}"


def _caret(found: Diagnostic, source: str, most: int = 160) -> Iterable[str]:
    place = found.place
    first = max(0, place.column - 1 - most // 2)
    source = source.replace("\t", " ")
    shown = safe_text(source[first : first + most])
    before = safe_text(source[first : place.column - 1])
    end = place.end_column if place.end_line == place.line and place.end_column else place.column + 1
    marked = safe_text(source[place.column - 1 : end - 1][: most - (place.column - 1 - first)])
    yield f"  {shown}"
    yield "  " + " " * width(before) + click.style("^" * max(1, width(marked)), fg=MARKS[found.severity][1])


class SourceLines:
    """Lines of workspace files for carets; each file is read once, an unreadable one gives none."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._files: dict[str, list[str]] = {}

    def line(self, path: str, number: int) -> str | None:
        """Return line ``number`` (from 1) of ``path``, without its end."""
        if path not in self._files:
            self._files[path] = self._read(path)
        lines = self._files[path]
        return lines[number - 1] if 0 < number <= len(lines) and lines[number - 1].strip() else None

    def _read(self, path: str) -> list[str]:
        from core.language.reading import Unreadable

        try:
            text = self._workspace.shown_text_of(path)
        except (Unreadable, OSError):
            return []
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
