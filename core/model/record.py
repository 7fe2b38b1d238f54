"""One entry of a flattened set: the same shape whatever the source (ADR-030, source unification)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from core.model.base import Frozen
from core.model.capability import ToolCapability
from core.model.tool import DEFAULT_TIMEOUT_S, PROGRESS_FACTOR


class ToolStatus(StrEnum):
    """Whether a tool could be called: known and there, listed but not discovered, or broken."""

    READY = "ready"
    UNDISCOVERED = "undiscovered"
    UNAVAILABLE = "unavailable"


class Origin(StrEnum):
    """Where a flag's value comes from (resolution, part 1)."""

    DECLARED = "declared"
    ANNOTATED = "annotated"
    OVERRIDDEN = "overridden"
    ASSUMED = "assumed"


class FlagProvenance(Frozen):
    """Where one value was set and what it replaced; ``path`` and ``line`` are None for built-ins."""

    value: Any = None
    origin: Origin
    path: str | None = None
    line: int | None = None
    replaced: Any = None


class ToolRecord(Frozen):
    """A tool of a flattened set, indistinguishable by source; skills_protocol calls it ResolvedToolEntry.

    ``capability`` is what the overrides made of the tool, ``gate_capability`` the join of that with what
    it declares itself: summary, metadata, consistency rule and gate use the latter. ``problem`` says why it can't be
    called, or, while ``status`` is ready, what to beware of.
    """

    name: str
    description: str = ""
    source: str
    from_skill: str
    direct: bool = False
    status: ToolStatus = ToolStatus.READY
    capability: ToolCapability = Field(default_factory=ToolCapability)
    gate_capability: ToolCapability = Field(default_factory=ToolCapability)
    provenance: dict[str, FlagProvenance] = Field(default_factory=dict)
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    timeout: int = DEFAULT_TIMEOUT_S
    first_hops: list[str] = Field(default_factory=list)
    problem: str | None = None

    def longest_s(self, timeout: int | None = None) -> int:
        """Return the seconds that a call may take in all; ``timeout`` is another limit than the tool's own.

        A server that reports progress is given more time than for each answer.
        """
        limit = timeout or self.timeout
        return limit * PROGRESS_FACTOR if self.source.startswith("mcp:") else limit

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON shape ``T`` of the interface contract; every flag is there, unset ones None."""
        return self.model_dump(mode="json")


ResolvedToolEntry = ToolRecord
