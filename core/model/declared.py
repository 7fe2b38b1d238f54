"""What the sections of a skill file say, entry by entry in listed order, with the place of each part.

The one reading of both dialects gives these; the models are built from them. Plain slotted dataclasses: a
workspace of 10,000 skills holds a few hundred thousand of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Span = int
"""A place in a file, as ``core.language.tree`` packs it; of a plain mapping it is ``NO_SPAN``."""

NO_SPAN: Span = 0


@dataclass(slots=True)
class OverrideDecl:
    """Fields laid over one tool; ``tool`` is as written (full name, or last part).

    Unknown fields are already reported and left out.
    """

    tool: str
    span: Span
    fields: dict[str, Any]
    field_spans: dict[str, Span] = field(default_factory=dict)


@dataclass(slots=True)
class IncludeDecl:
    """One entry of ``includes``; ``span`` is the name's, where cycle and missing-include findings point.

    ``removal`` is what to delete so that the entry is gone; empty if that isn't sure.
    """

    name: str
    span: Span
    overrides: tuple[OverrideDecl, ...] = ()
    item_span: Span = NO_SPAN
    removal: tuple[Span, ...] = ()


@dataclass(slots=True)
class GroupDecl:
    """One entry of ``builtin_groups``; an unknown group is already reported and left out."""

    name: str
    span: Span


@dataclass(slots=True)
class ToolRefDecl:
    """A named reference under ``tools``, with the override beside it; ``name`` is canonical, ``written`` an alias."""

    name: str
    span: Span
    override: OverrideDecl | None = None
    written: str | None = None
