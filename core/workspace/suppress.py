"""Inline comments: ``# skill-explorer: ignore[code, …]`` on a line, or alone on the line before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from core.diagnostics import Diagnostic
from core.workspace.settings import matches

_COMMENT = re.compile(r"#\s*skill-explorer:\s*ignore\[([^\]\n]*)\]")


def without_suppressed(found: Iterable[Diagnostic], text_of: Callable[[str], str | None]) -> Iterator[Diagnostic]:
    """Yield what no comment silences; ``text_of`` gives a file's text, or None when it cannot be read."""
    files: dict[str, dict[int, tuple[str, ...]]] = {}
    for diagnostic in found:
        path = diagnostic.place.path
        if path not in files:
            files[path] = _ignored_lines(text_of(path) or "")
        if not matches(diagnostic.code, files[path].get(diagnostic.place.line, ())):
            yield diagnostic


def _ignored_lines(text: str) -> dict[int, tuple[str, ...]]:
    if "skill-explorer:" not in text:
        return {}
    ignored: dict[int, tuple[str, ...]] = {}
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if match := _COMMENT.search(line):
            codes = tuple(code.strip() for code in match[1].split(",") if code.strip())
            target = number + 1 if line.lstrip().startswith("#") else number
            ignored[target] = (*ignored.get(target, ()), *codes)
    return ignored
