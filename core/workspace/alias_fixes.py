"""Fixes that would write a text in place of an alias: what it stands for is said elsewhere, so none is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from core.diagnostics import Diagnostic, Edit
from core.language.tree import SourceText


def without_alias_fixes(found: Iterable[Diagnostic], text_of: Callable[[str], str | None]) -> Iterator[Diagnostic]:
    """Yield each finding, without its fix if that overwrites an alias; ``text_of`` gives a file's text, if it can."""
    for finding in found:
        edits = finding.fix.edits if finding.fix is not None else ()
        overwrites = any(_overwrites_alias(edit, text_of(edit.place.path)) for edit in edits if _may(edit))
        yield replace(finding, fix=None) if overwrites else finding


def _may(edit: Edit) -> bool:
    """Whether the edit puts in a text of its own, and not one that begins with the asterisk that was there."""
    return bool(edit.text) and not edit.text.lstrip("\"'").startswith("*")


def _overwrites_alias(edit: Edit, text: str | None) -> bool:
    if not text or "*" not in text:
        return False
    start = SourceText(edit.place.path, text).offset(edit.place.line, edit.place.column)
    return text.startswith("*", start)
