"""Findings without those that a comment in the file silences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from core.diagnostics import Diagnostic
from core.language.ignore_comments import ignored_lines
from core.workspace.settings import matches


def without_suppressed(found: Iterable[Diagnostic], text_of: Callable[[str], str | None]) -> Iterator[Diagnostic]:
    """Yield what no comment silences; ``text_of`` gives a file's text, or None when it cannot be read."""
    files: dict[str, dict[int, tuple[str, ...]]] = {}
    for diagnostic in found:
        path = diagnostic.place.path
        if path not in files:
            files[path] = ignored_lines(text_of(path) or "")
        if not matches(diagnostic.code, files[path].get(diagnostic.place.line, ())):
            yield diagnostic
