"""Where faults go while something is read, and what they are about: values, keys, and what to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from core.diagnostics import Applies, Rule, Severity
from core.model.declared import Span

Container = Any
"""A mapping or a list that holds the value or key in question."""


class At(NamedTuple):
    """A value in ``container``, or its key; without a key the whole of ``container``."""

    container: Container
    key: Any = None
    on_key: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A mechanical remedy: new text for a key or value.

    Without ``text`` a list entry goes, or a key that only wraps a mapping.
    """

    title: str
    at: At
    text: str | None
    applies: Applies = Applies.ALWAYS


class Sink(Protocol):
    """Where faults go; ``skill`` and ``tool`` say what is being read.

    Only texts that begin with one of ``odd_starts``, or all if ``odd_everywhere``, need ``check_text``.
    """

    skill: str | None
    tool: str | None
    odd_starts: frozenset[str]
    odd_everywhere: bool

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
        ...

    def span(self, container: Container, key: Any, on_key: bool = False) -> Span:
        """Return the place of a value, or of its key."""
        ...

    def spans(self, items: Sequence[Any]) -> Sequence[Span]:
        """Return the place of each entry of a list."""
        ...

    def value_spans(self, container: Mapping[str, Any]) -> Mapping[str, Span]:
        """Return the place of each value of a mapping."""
        ...

    def removal(self, container: Container, key: str, index: int) -> tuple[Span, ...]:
        """Return what to delete so that the list under ``key`` loses an entry; empty if that isn't sure."""
        ...

    def check_text(self, container: Container, key: Any, value: str, else_write: str | None = None) -> None:
        """Look whether others would not read a text as one; ``else_write`` is a second remedy to tell."""
        ...

    def written(self, container: Container, key: Any) -> str | None:
        """Return how a value that is no text stands in the file, so that it can be read as text; None if it can't."""
        ...

    def as_list(self, words: Sequence[str]) -> str:
        """Return how a list of plain words is written in the file."""
        ...

    def opens_block(self, container: Container, key: Any) -> bool:
        """Whether a text stands there as a block: on lines of its own, below a `|` or `>`."""
        ...

    def quoted(self, container: Container, key: Any) -> str | None:
        """Return the text in quotes that a value of another kind would be; None if unknown."""
        ...
