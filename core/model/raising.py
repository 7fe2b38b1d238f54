"""Faults in a plain mapping: all of them in one ``ValueError``, each with its place in the mapping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.diagnostics import Rule, Severity
from core.diagnostics.types import sentence
from core.model.declared import NO_SPAN, Span
from core.model.sinks import At, Change, Container


class RaisingSink:
    """Keeps the errors of one mapping until ``finish`` raises them; warnings and infos don't matter there."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.skill: str | None = None
        self.tool: str | None = None
        self.odd_starts: frozenset[str] = frozenset()
        self.odd_everywhere = False
        self._root = root
        self._faults: list[str] = []

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
        if (severity or rule.severity) is Severity.ERROR:
            self._faults.append(f"{_path_of(self._root, at)}: {sentence(message, hint or rule.remedy)}")

    def span(self, container: Container, key: Any, on_key: bool = False) -> Span:
        """Plain mappings have no places."""
        return NO_SPAN

    def spans(self, items: Sequence[Any]) -> Sequence[Span]:
        """Plain lists have no places."""
        return (NO_SPAN,) * len(items)

    def value_spans(self, container: Mapping[str, Any]) -> Mapping[str, Span]:
        """Plain mappings have no places."""
        return {}

    def removal(self, container: Container, key: str, index: int) -> tuple[Span, ...]:
        """Plain mappings have no text."""
        return ()

    def check_text(self, container: Container, key: Any, value: str, else_write: str | None = None) -> None:
        """Text of a plain mapping is text."""

    def written(self, container: Container, key: Any) -> str | None:
        """How a value was written is lost in a plain mapping."""
        return None

    def as_list(self, words: Sequence[str]) -> str:
        """Plain mappings have no text to change."""
        return ""

    def opens_block(self, container: Container, key: Any) -> bool:
        """Plain mappings have no blocks."""
        return False

    def quoted(self, container: Container, key: Any) -> str | None:
        """A plain mapping has no text to change."""
        return None

    def finish(self) -> None:
        """Raise ValueError if there was a fault."""
        if self._faults:
            raise ValueError("\n".join(self._faults))


def _path_of(root: Any, at: At) -> str:
    """Return the path from ``root`` to ``at``, like ``tools[0].capability.writes``."""
    pending: list[tuple[Any, str]] = [(root, "")]
    while pending:
        value, path = pending.pop()
        if value is at.container:
            return (path if at.key is None else _step(path, at.key)) or "the skill"
        if isinstance(value, dict):
            pending.extend((child, _step(path, key)) for key, child in value.items())
        elif isinstance(value, (list, tuple)):
            pending.extend((child, _step(path, index)) for index, child in enumerate(value))
    return "the skill"


def _step(path: str, key: Any) -> str:
    if isinstance(key, int) and not isinstance(key, bool):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)
