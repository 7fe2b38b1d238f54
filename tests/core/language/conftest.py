"""Workspaces written as texts and read by the loader alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core.diagnostics import Diagnostic
from core.language.declarations import Declarations
from core.language.load import load_declarations

Files = Mapping[str, str | bytes]


@pytest.fixture
def load(make_workspace: Callable[[Files], Path]) -> Callable[[Files], Declarations]:
    """Write files (path to text) and read them."""
    return lambda files: load_declarations(make_workspace(files))


@pytest.fixture
def findings(load: Callable[[Files], Declarations]) -> Callable[..., list[Diagnostic]]:
    """Read one skill file, or ``files``, and return the findings in order; ``code`` keeps those of one rule."""

    def of(files: Files | str, code: str | None = None) -> list[Diagnostic]:
        given = {"skills/a.yaml": files} if isinstance(files, str) else files
        found = sorted(load(given).diagnostics, key=Diagnostic.sort_key)
        return [d for d in found if code is None or d.code == code]

    return of


def where(finding: Diagnostic) -> tuple[int, int, int | None, int | None]:
    """Line, column, end line and end column."""
    place = finding.place
    return place.line, place.column, place.end_line, place.end_column


@pytest.fixture(name="where")
def _where() -> Callable[[Diagnostic], tuple[int, int, int | None, int | None]]:
    return where


@pytest.fixture
def fixed() -> Callable[[str, Diagnostic], str]:
    """Apply the fix of a finding to the text of its file."""

    def apply(text: str, finding: Diagnostic) -> str:
        from core.language.tree import SourceText

        assert finding.fix is not None
        source = SourceText(finding.place.path, text)
        spans = [
            (source.offset(e.place.line, e.place.column), source.offset(e.place.end_line, e.place.end_column), e.text)
            for e in finding.fix.edits
            if e.place.end_line is not None and e.place.end_column is not None
        ]
        for start, end, new in sorted(spans, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    return apply
