"""A form as rows from top to bottom: what stands on each, how deep, open or not, and what is wrong there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from explorer.services.forms.document import MISSING, Path
from explorer.services.forms.problem import Problem
from explorer.services.forms.spec import Spec


class Role(StrEnum):
    """What a row is for."""

    FIELD = "field"
    VALUE = "value"
    ADD_ITEM = "add-item"
    ADD_ENTRY = "add-entry"
    MORE = "more"


class State(StrEnum):
    """Whether a field is sent, and as what: unset, null and empty are three things."""

    UNSET = "not set"
    NULL = "null"
    EMPTY = "empty"
    VALUE = "set"


@dataclass(frozen=True, slots=True)
class Row:
    """One row. ``nest`` counts the branches taken at its own path, ``variant`` is the one in force below it.

    ``removable`` rows are items and entries; a ``foreign`` one has a name that the schema doesn't list.
    """

    path: Path
    role: Role
    spec: Spec
    label: str
    depth: int
    nest: int = 0
    demands: str = ""
    required: bool = False
    value: Any = MISSING
    open: bool = False
    variant: int | None = None
    removable: bool = False
    foreign: bool = False
    inside: int = 0
    draft: str | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def key(self) -> tuple[Path, Role, int]:
        """What stays the same while the row is edited; once more is shown, the row for the rest is another one."""
        return self.path, self.role, self.inside if self.role is Role.MORE else self.nest

    @property
    def spot(self) -> tuple[Path, int]:
        """Where the form remembers whether the row is open and which branch was chosen."""
        return self.path, self.nest

    @property
    def state(self) -> State:
        """Whether and how the field is sent."""
        if self.value is MISSING:
            return State.UNSET
        if self.value is None:
            return State.NULL
        return State.EMPTY if self.value in ("", [], {}) and not isinstance(self.value, bool) else State.VALUE

    @property
    def fillable(self) -> bool:
        """Whether a value is typed or chosen on the row itself: it is no heading and adds nothing."""
        return self.role in (Role.FIELD, Role.VALUE) and self.spec.kind not in ("object", "array")

    @property
    def expandable(self) -> bool:
        """Whether more rows stand below it when it is open."""
        return self.spec.kind in ("object", "array", "variants") and self.role in (Role.FIELD, Role.VALUE)


def errors(problems: tuple[Problem, ...]) -> Iterator[Problem]:
    """Yield those problems that the call refuses."""
    return (p for p in problems if not p.advice)
