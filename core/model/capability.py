"""Capability flags, their consequences, their cautious join, and the summary over a set (language, part 4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.model.base import Frozen


class ToolCapability(Frozen):
    """What a tool says of itself; None means that nothing was said."""

    read_only: bool | None = None
    writes: bool | None = None
    checkpointable: bool | None = None
    side_effects: list[str] | None = None
    idempotent: bool | None = None
    unsafe: bool | None = None
    human_approval_required: bool | None = None
    write_scope: list[str] | None = None
    checkpoint_scope: str | None = None

    @property
    def counts_as_writing(self) -> bool:
        """Whether gate, summary and consistency rule treat the tool as a writer: declared or assumed."""
        if self.writes is not None:
            return self.writes
        return not self.read_only

    @property
    def counts_as_reading(self) -> bool:
        """Whether the tool is a reader by declaration and nothing makes it a writer."""
        return bool(self.read_only) and not self.counts_as_writing

    def completed(self) -> ToolCapability:
        """Return the flags with the unset ones that follow filled in; what follows from nothing stays None."""
        if self.writes is None and self.read_only:
            return self.model_copy(update={"writes": False})
        if self.read_only is None and self.writes:
            return self.model_copy(update={"read_only": False})
        return self


CAPABILITY_FLAGS: tuple[str, ...] = tuple(ToolCapability.model_fields)
_ANY = ("writes", "unsafe", "human_approval_required")
_ALL = ("read_only", "checkpointable", "idempotent")
_UNION = ("side_effects", "write_scope")


def join_flag(flag: str, left: Any, right: Any) -> Any:
    """Return the more cautious of two values of ``flag`` (resolution, part 1); commutative but for texts."""
    if flag in _UNION:
        return _union(left, right)
    if flag in _ANY:
        return bool(left or right) if left is not None and right is not None else _any_unset(left, right)
    if flag in _ALL:
        return bool(left and right) if left is not None and right is not None else _all_unset(left, right)
    return left if left is not None else right


def _union(left: list[str] | None, right: list[str] | None) -> list[str] | None:
    if left is None or right is None or left == right:
        return left if right is None else right
    return sorted({*left, *right})


def _any_unset(left: Any, right: Any) -> bool | None:
    return True if left or right else None


def _all_unset(left: Any, right: Any) -> bool | None:
    return False if left is False or right is False else None


def join(left: ToolCapability, right: ToolCapability) -> ToolCapability:
    """Return the join of two ways to one tool: for every flag the more cautious value."""
    return ToolCapability(**{f: join_flag(f, getattr(left, f), getattr(right, f)) for f in CAPABILITY_FLAGS})


class SkillCapabilitySummary(Frozen):
    """Aggregated capabilities of a flattened set (skill_model); assumed tools count among the writers."""

    total_tools: int = 0
    read_only_tools: int = 0
    write_tools: int = 0
    checkpointable_tools: int = 0
    has_side_effects: bool = False
    mcp_sources: int = 0
    agent_skill_sources: int = 0

    @classmethod
    def of(
        cls,
        capabilities: Iterable[ToolCapability],
        *,
        mcp_sources: int = 0,
        agent_skill_sources: int = 0,
        unknown_tools: bool = False,
    ) -> SkillCapabilitySummary:
        """Count ``capabilities``; ``unknown_tools`` (an undiscovered server) sets ``has_side_effects``."""
        found = list(capabilities)
        return cls(
            total_tools=len(found),
            read_only_tools=sum(c.counts_as_reading for c in found),
            write_tools=sum(c.counts_as_writing for c in found),
            checkpointable_tools=sum(bool(c.checkpointable) for c in found),
            has_side_effects=unknown_tools or any(c.side_effects for c in found),
            mcp_sources=mcp_sources,
            agent_skill_sources=agent_skill_sources,
        )
