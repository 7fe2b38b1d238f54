"""One SKILL.md while it is checked: its text, where its lines begin, and what has been found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.diagnostics import Diagnostic, Fix, Rule, Severity
from core.language.tree import SourceText, Span

MOST_OF_A_RULE = 50
"""How many findings of one rule a file may have; the last one tells how many were left out."""


class LazySource(SourceText):
    """Looks for the beginnings of lines when a finding first asks for them: most files have none."""

    __slots__ = ("_text",)

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.length = len(text)
        self._text = text

    def __getattr__(self, name: str) -> Any:
        if name != "line_starts":
            raise AttributeError(name)
        self.line_starts = SourceText(self.path, self._text).line_starts
        self._text = ""
        return self.line_starts


class Page:
    """``flat`` is ``text`` with every line end as one LF at the same offset, so that patterns need only know LF."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.flat = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
        self.source: SourceText = LazySource(path, text)
        self.found: list[Diagnostic] = []
        self._counts: dict[str, int] = {}

    def is_full(self, rule: Rule) -> bool:
        """Say whether ``rule`` has all the findings that it may have; if so, count one more that is left out."""
        count = self._counts.get(rule.code, 0)
        if count < MOST_OF_A_RULE:
            return False
        self._counts[rule.code] = count + 1
        return True

    def add(
        self,
        rule: Rule,
        span: Span,
        message: str,
        *,
        hint: str | None = None,
        severity: Severity | None = None,
        fix: Fix | None = None,
    ) -> None:
        """Report ``rule`` at ``span``."""
        if not self.is_full(rule):
            self._counts[rule.code] = self._counts.get(rule.code, 0) + 1
            place = self.source.place(span)
            self.found.append(rule.at(place, message, hint=hint, severity=severity, fix=fix))

    def findings(self) -> list[Diagnostic]:
        """Return what was found, in the order of the file."""
        for code, count in self._counts.items():
            if count > MOST_OF_A_RULE:
                last = max(at for at, item in enumerate(self.found) if item.code == code)
                more = f"{self.found[last].message} ({count - MOST_OF_A_RULE:,} more like this in the file)"
                self.found[last] = replace(self.found[last], message=more)
        return sorted(self.found, key=Diagnostic.sort_key)
