"""Faults of a positioned document as diagnostics at their exact places."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.diagnostics import Diagnostic, Edit, Fix, Place, Related, Rule, Severity
from core.diagnostics.rules.yaml import LIMIT
from core.language.hidden import hidden_by_escape, hidden_characters, without_hidden_in_names
from core.language.ignore_comments import bad_comments
from core.language.removal import to_delete, without_entry
from core.language.tree import NO_SPAN, Map, Seq, SourceText, Span, pack, span_of, unpack
from core.language.yaml_fixes import ambiguity
from core.language.yaml_scalars import FIRST_OF_AMBIGUOUS, quoted
from core.model.sinks import At, Change
from core.text import unsafe_character

MAX_FINDINGS = 100
_FEW_MARKS = 120
"""Up to so many it is quicker to look through them than to make the dicts that a mapping keeps of them."""


class DocumentSink:
    """Collects the findings of one file, each once, at most 100; ``skill`` and ``tool`` go with each."""

    __slots__ = (
        *("_found", "_left_out", "_seen", "odd_everywhere", "odd_starts"),
        *("skill", "source", "text", "tool", "typed"),
    )

    def __init__(self, source: SourceText, text: str, *, typed: bool = False) -> None:
        """``typed``: the file is JSON, where a number can't be meant as text."""
        self.typed = typed
        self.source = source
        self.text = text
        self.skill: str | None = None
        self.tool: str | None = None
        self._found: list[Diagnostic] = []
        self._seen: set[tuple[str, Place, str]] = set()
        self._left_out = 0
        self.odd_starts = FIRST_OF_AMBIGUOUS
        self.odd_everywhere = "\\" in text
        for finding in (*hidden_characters(source, text), *bad_comments(source, text)):
            self.add(finding)

    def report(
        self,
        rule: Rule,
        at: At,
        message: str,
        *,
        hint: str | None = None,
        fix: Change | None = None,
        related: Sequence[tuple[At, str]] = (),
        severity: Severity | None = None,
    ) -> None:
        """Take one fault."""
        others = tuple(Related(self._place(where), what) for where, what in related)
        self.add(
            rule.at(
                self._place(at),
                message,
                hint=hint,
                severity=severity,
                skill=self.skill,
                tool=self.tool,
                fix=self._fix(fix),
                related=others,
            )
        )

    def add(self, finding: Diagnostic) -> None:
        """Take a finding that has its place."""
        mark = (finding.code, finding.place, finding.message)
        if mark in self._seen:
            return
        if len(self._found) >= MAX_FINDINGS:
            self._left_out += 1
            return
        self._seen.add(mark)
        self._found.append(finding)

    def finish(self) -> list[Diagnostic]:
        """Return the findings; the last one tells how many are left out."""
        self._found = without_hidden_in_names(self._found)
        if self._left_out:
            message = f"{self._left_out:,} more faults of this file are not listed"
            self._found.append(LIMIT.at(self._found[-1].place, message, severity=Severity.INFO))
        return self._found

    def span(self, container: Any, key: Any, on_key: bool = False) -> Span:
        """Return the place of a value, or of its key."""
        try:
            if isinstance(container, Map):
                marks = container.marks
                if len(marks) > _FEW_MARKS:
                    return (container.key_spans if on_key else container.spans)[key]
                return span_of(marks[2 * list(container).index(key) + (0 if on_key else 1)])
            return int(container.spans[key])
        except (ValueError, IndexError, KeyError, TypeError, AttributeError):
            return NO_SPAN

    def spans(self, items: Sequence[Any]) -> Sequence[Span]:
        """Return the place of each entry of a list."""
        return items.spans if isinstance(items, Seq) else (NO_SPAN,) * len(items)

    def value_spans(self, container: Mapping[str, Any]) -> Mapping[str, Span]:
        """Return the place of each value of a mapping."""
        return container.spans if isinstance(container, Map) else {}

    def removal(self, container: Any, key: str, index: int) -> tuple[Span, ...]:
        """Return what to delete so that a list loses an entry; empty if that isn't sure."""
        return without_entry(self.text, container, key, index)

    def check_text(self, container: Any, key: Any, value: str, else_write: str | None = None) -> None:
        """Warn of a text that other readers take for something else, or that hides characters behind escapes.

        ``else_write`` tells what else to write there, where quotes alone would leave another fault.
        """
        if self.odd_everywhere and unsafe_character(value) is not None:
            start, end = unpack(self.span(container, key))
            if unsafe_character(self.text[start:end]) is None:
                self.add(hidden_by_escape(self.source.place(pack(start, end)), value))
        if value and value[0] in FIRST_OF_AMBIGUOUS and isinstance(container, (Map, Seq)):
            finding = ambiguity(self.source, container, key, else_write)
            if finding is not None:
                self.add(replace(finding, skill=self.skill, tool=self.tool))

    def written(self, container: Any, key: Any) -> str | None:
        """Return how a value that is no text stands in the file; None where it can't be meant as text."""
        return None if self.typed else self._raw(container, key)

    def as_list(self, words: Sequence[str]) -> str:
        """Return how a list of plain words is written in the file."""
        return json.dumps(words) if self.typed else f"[{', '.join(words)}]"

    def opens_block(self, container: Any, key: Any) -> bool:
        """Whether a text stands there as a block: on lines of its own, below a `|` or `>`."""
        start, end = unpack(self.span(container, key))
        return end > start and self.text[start] in "|>"

    def quoted(self, container: Any, key: Any) -> str | None:
        """Return the text in quotes that a value of another kind would be."""
        raw = self._raw(container, key)
        return None if raw is None else quoted(raw)

    def _raw(self, container: Any, key: Any) -> str | None:
        return container.raw.get(key) if isinstance(container, (Map, Seq)) else None

    def place_in(self, container: Any, key: Any = None) -> Place:
        """Return the place of a value."""
        return self._place(At(container, key))

    def _place(self, at: At) -> Place:
        return self.source.place(self._span_at(at))

    def _span_at(self, at: At) -> Span:
        if at.key is not None:
            span = self.span(at.container, at.key, at.on_key)
            if span:
                value = None if at.on_key or isinstance(at.container, str) else at.container[at.key]
                return self._first_line(span) if isinstance(value, (Map, Seq)) else span
        return self._first_line(getattr(at.container, "span", NO_SPAN))

    def _first_line(self, span: Span) -> Span:
        """Return the part of ``span`` on its first line: a mark under ten lines helps nobody."""
        start, end = unpack(span)
        line, _ = self.source.line_column(start)
        starts = self.source.line_starts
        if line < len(starts) and end >= starts[line]:
            end = start + len(self.text[start : starts[line]].rstrip())
        return pack(start, end)

    def _fix(self, change: Change | None) -> Fix | None:
        if change is None or not isinstance(change.at.container, (Map, Seq)):
            return None
        at, text = change.at, change.text
        if text is None:
            spans = to_delete(self.text, at.container, at.key)
            edits = tuple(Edit(self.source.place(span), "") for span in spans)
            return Fix(change.title, edits, change.applies) if edits else None
        span = self.span(at.container, at.key, at.on_key)
        start, _ = unpack(span)
        quote = self.text[start : start + 1]
        if at.on_key and quote in ('"', "'"):
            text = f"{quote}{text}{quote}"
        return Fix(change.title, (Edit(self.source.place(span), text),), change.applies) if span else None
