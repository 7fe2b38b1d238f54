"""The types every stage reports with; plain dataclasses, so that loading 10,000 files stays cheap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How much a finding matters; only errors change the exit status of ``check``."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A range in a workspace file: path relative to the root with ``/``, lines and columns from 1, in characters."""

    path: str
    line: int = 1
    column: int = 1
    end_line: int | None = None
    end_column: int | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains a finding."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of ``place`` (its end is exclusive) by ``text``; nothing else changes."""

    place: Place
    text: str


class Applies(StrEnum):
    """When a fix may be applied without a person looking at it."""

    ALWAYS = "always"
    """It changes nothing that anybody could have meant."""
    NAMED = "named"
    """It decides something, so it waits until its code is asked for by name."""
    ALONE = "alone"
    """One of several ways to mend the same fault: only a person chooses it, one at a time."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A mechanical remedy: all its edits or none."""

    title: str
    edits: tuple[Edit, ...]
    applies: Applies = Applies.ALWAYS
    confidential: bool = False
    """Its edits spell out what a server is given in confidence: it may be applied, but not shown or exported."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault, at one place. ``message`` is the whole sentence, ``hint`` the remedy alone."""

    code: str
    severity: Severity
    message: str
    place: Place
    skill: str | None = None
    tool: str | None = None
    hint: str | None = None
    fix: Fix | None = None
    related: tuple[Related, ...] = ()

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Path, line, column, code: the order of every list of diagnostics."""
        return (self.place.path, self.place.line, self.place.column, self.code, self.message)

    def with_severity(self, severity: Severity) -> Diagnostic:
        """Return the finding at another severity."""
        return self if severity is self.severity else replace(self, severity=severity)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON shape ``D`` of the interface contract; absent things are None."""
        place = self.place
        return {
            "code": self.code,
            "severity": str(self.severity),
            "message": self.message,
            "path": place.path,
            "line": place.line,
            "column": place.column,
            "end_line": place.end_line,
            "end_column": place.end_column,
            "skill": self.skill,
            "tool": self.tool,
            "hint": self.hint,
            "fix": _fix_dict(self.fix),
            "related": [_related_dict(item) for item in self.related],
        }


def _fix_dict(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None or fix.confidential:
        return None
    return {
        "title": fix.title,
        "applies": str(fix.applies),
        "edits": [{**_place_dict(e.place), "text": e.text} for e in fix.edits],
    }


def _place_dict(place: Place) -> dict[str, Any]:
    return {
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }


def _related_dict(item: Related) -> dict[str, Any]:
    place = item.place
    return {"path": place.path, "line": place.line, "column": place.column, "message": item.message}


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the catalogue: what is wrong, why it matters, and an example of each side.

    ``wrong`` and ``right`` map workspace-relative paths to file text; a test checks that the first raises
    the code and the second does not. ``remedy`` is the hint where a finding gives none of its own.
    """

    code: str
    severity: Severity
    meaning: str
    why: str
    wrong: Mapping[str, str] = field(default_factory=dict)
    right: Mapping[str, str] = field(default_factory=dict)
    remedy: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return all of it for JSON; a file that text can't stand for is what its text says of it."""
        return {
            "code": self.code,
            "severity": str(self.severity),
            "meaning": self.meaning,
            "why": self.why,
            "wrong": {path: str(text) for path, text in self.wrong.items()},
            "right": {path: str(text) for path, text in self.right.items()},
            "remedy": self.remedy,
        }

    def at(
        self,
        place: Place,
        message: str,
        *,
        hint: str | None = None,
        severity: Severity | None = None,
        skill: str | None = None,
        tool: str | None = None,
        fix: Fix | None = None,
        related: tuple[Related, ...] = (),
    ) -> Diagnostic:
        """Return a diagnostic of this rule at ``place``; ``severity`` overrides the rule's own.

        ``message`` is the whole sentence, or else what is wrong without a full stop: then the hint ends it.
        """
        hint = hint or self.remedy
        whole = sentence(message, hint)
        return Diagnostic(self.code, severity or self.severity, whole, place, skill, tool, hint, fix, related)


def sentence(fault: str, hint: str | None) -> str:
    """Return one sentence that says what is wrong and, unless that says it already, the remedy."""
    text = fault
    if not text.endswith((".", "?")):
        text = f"{text}; {hint}" if hint and hint not in text else text
        text = text if text.endswith("?") else f"{text}."
    return text[:1].upper() + text[1:]
