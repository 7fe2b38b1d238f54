"""One call of one tool: what is asked, what is heard while it runs, what comes back (resolution, part 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from core.protocol import SkillResult
from core.sources.identity import ExecutionIdentity

__all__ = [
    "CallEvent",
    "CallOptions",
    "CallOutcome",
    "EventSink",
    "ExecutionIdentity",
    "FileDiff",
    "ScratchChanges",
    "Stage",
]


class Stage(StrEnum):
    """The four stages of every tool (ADR-030), plus the checks before them."""

    CHECK = "check"
    DISCOVER = "discover"
    ACTIVATE = "activate"
    EXECUTE = "execute"
    DEACTIVATE = "deactivate"


@dataclass(frozen=True, slots=True)
class CallEvent:
    """Something heard during a call. ``kind``: ``stage`` (text is a Stage), ``log`` (stream in data), ``progress``."""

    kind: str
    text: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    at_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class CallOptions:
    """How to call: on the real workspace or a copy, with which consents, for how long.

    ``approve`` is asked for each execution identity that has no stored approval; ``confirmed`` is the explicit
    yes that ``human_approval_required`` and ``unsafe`` tools need each time; ``unchecked`` sends arguments that
    the input schema rejects (negative tests).
    """

    real: bool = False
    confirmed: bool = False
    approve: Callable[[ExecutionIdentity], bool] | None = None
    timeout_s: int | None = None
    unchecked: bool = False


@dataclass(frozen=True, slots=True)
class FileDiff:
    """A changed file of the scratch copy; ``diff`` is unified text, empty for binary files."""

    path: str
    change: str
    diff: str = ""


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The protocol's result, and what the screen shows beside it; ``number`` is the call's own in the history.

    ``overlaid`` says that an overlay of the workspace stood for its copy.
    """

    result: SkillResult
    log: tuple[CallEvent, ...] = ()
    diffs: tuple[FileDiff, ...] = ()
    isolation: str = ""
    stages: tuple[Stage, ...] = ()
    changes: ScratchChanges | None = None
    number: int | None = None
    overlaid: bool = False


class ScratchChanges(Protocol):
    """Changes kept in a scratch copy after a call, to be carried over or dropped."""

    def apply(self) -> tuple[str, ...]:
        """Carry the changes over; return the paths refused because they have changed meanwhile."""
        ...

    def discard(self) -> None:
        """Remove the copy; safe to call twice."""
        ...


EventSink = Callable[[CallEvent], None]
