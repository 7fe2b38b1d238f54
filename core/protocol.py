"""The skill protocol: discovery, composition, execution and error types (skills_protocol reference)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from core.model import Skill, SkillCapabilitySummary, ToolRecord
from core.model.base import Frozen
from core.model.record import ResolvedToolEntry

__all__ = [
    "ResolvedToolEntry",
    "SkillDefinition",
    "SkillError",
    "SkillErrorType",
    "SkillFailure",
    "SkillMetadata",
    "SkillResult",
    "map_tool_error",
]


class SkillErrorType(StrEnum):
    """All categories of skill errors."""

    SKILL_NOT_FOUND = "skill_not_found"
    RESOLUTION_FAILURE = "resolution_failure"
    CYCLE_DETECTED = "cycle_detected"
    TOOL_ACTIVATION_FAILURE = "tool_activation_failure"
    TOOL_EXECUTION_FAILURE = "tool_execution_failure"
    VALIDATION_ERROR = "validation_error"
    PERMISSION_DENIED = "permission_denied"


class SkillError(Frozen):
    """Structured error payload; ``skill_name`` is always there, ``tool_name`` recommended."""

    error_type: SkillErrorType
    message: str
    details: dict[str, Any] = Field(default_factory=dict)
    skill_name: str
    tool_name: str | None = None


class SkillFailure(Exception):  # noqa: N818 - a failure that carries the protocol's SkillError
    """An exception that already carries its SkillError."""

    def __init__(self, error: SkillError) -> None:
        super().__init__(error.message)
        self.error = error


class SkillMetadata(Frozen):
    """Lightweight descriptor for discovery and catalogues."""

    name: str
    description: str
    version: str = "0.0.0"
    tool_count: int = 0
    capability_summary: SkillCapabilitySummary = Field(default_factory=SkillCapabilitySummary)
    source_types: list[str] = Field(default_factory=list)
    writes: bool = False
    read_only: bool = True

    @classmethod
    def from_skill(
        cls,
        skill: Skill,
        resolved: Sequence[ToolRecord] = (),
        version: str | None = None,
        summary: SkillCapabilitySummary | None = None,
    ) -> SkillMetadata:
        """Derive the descriptor of ``skill`` from its flattened set; a given ``summary`` is used as it is."""
        summary = summary or _summarise(resolved)
        return cls(
            name=skill.name,
            description=skill.description,
            version=version or skill.version,
            tool_count=summary.total_tools,
            capability_summary=summary,
            source_types=sorted({entry.source for entry in resolved}),
            writes=summary.write_tools > 0 or summary.has_side_effects,
            read_only=summary.write_tools == 0 and not summary.has_side_effects,
        )


def _summarise(resolved: Sequence[ToolRecord]) -> SkillCapabilitySummary:
    return SkillCapabilitySummary.of(
        (entry.gate_capability for entry in resolved),
        mcp_sources=len({e.source for e in resolved if e.source.startswith("mcp:")}),
        agent_skill_sources=len({e.name for e in resolved if e.source == "agent_skill"}),
    )


class SkillDefinition(Frozen):
    """A skill, its flattened tools and its metadata, checked against each other."""

    skill: Skill
    resolved_tools: list[ResolvedToolEntry] = Field(default_factory=list)
    metadata: SkillMetadata
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None

    @field_validator("input_schema", "output_schema")
    @classmethod
    def _has_type(cls, schema: dict[str, Any] | None) -> dict[str, Any] | None:
        if schema is not None and "type" not in schema:
            raise ValueError('a JSON Schema of a skill must include a "type" key')
        return schema

    @model_validator(mode="after")
    def _read_only_holds(self) -> Self:
        writers = [e.name for e in self.resolved_tools if e.gate_capability.counts_as_writing]
        if self.metadata.read_only and writers:
            raise ValueError(f"metadata says read_only, but {', '.join(writers[:5])} can write")
        return self


class SkillResult(Frozen):
    """Outcome of a single invocation of a skill's tool; ``duration_ms`` is the execute stage alone."""

    skill_name: str
    tool_name: str
    success: bool
    output_data: Any = None
    error: SkillError | None = None
    duration_ms: float = 0.0
    resource_changes: list[dict[str, Any]] = Field(default_factory=list)


_VALIDATION_MODULES = ("pydantic", "pydantic_core", "jsonschema", "jsonschema_rs")


def map_tool_error(exc: BaseException, skill_name: str, tool_name: str | None = None) -> SkillError:
    """Normalise any exception into a SkillError by the reference's mapping rules, in the order of resolution part 3."""
    carried = getattr(exc, "error", None)
    if isinstance(carried, SkillError):
        return carried
    text = _text_of(exc)
    return SkillError(
        error_type=error_type_of(type(exc).__mro__, text),
        message=text or type(exc).__name__,
        details={"exception": type(exc).__name__},
        skill_name=skill_name,
        tool_name=tool_name,
    )


def _text_of(exc: BaseException) -> str:
    try:
        return str(exc)
    except Exception:  # noqa: BLE001 - the text of an arbitrary exception is its own code
        return ""


def error_type_of(mro: Sequence[type], message: str) -> SkillErrorType:
    """Return the category for an exception known by its class chain and message (also one from another process)."""
    return classify([(c.__module__, c.__name__) for c in mro], message)


def classify(chain: Sequence[tuple[str, str]], message: str) -> SkillErrorType:
    """The mapping table over ``(module, class name)`` pairs; texts are matched without regard to case."""
    text = message.casefold()
    if any(name == "ValidationError" and module.split(".")[0] in _VALIDATION_MODULES for module, name in chain):
        return SkillErrorType.VALIDATION_ERROR
    if ("builtins", "PermissionError") in chain:
        return SkillErrorType.PERMISSION_DENIED
    if ("builtins", "ValueError") in chain:
        return _value_error(text)
    if "activation" in text:
        return SkillErrorType.TOOL_ACTIVATION_FAILURE
    return SkillErrorType.TOOL_EXECUTION_FAILURE


def _value_error(text: str) -> SkillErrorType:
    if "cycle" in text:
        return SkillErrorType.CYCLE_DETECTED
    if "not found" in text:
        return SkillErrorType.SKILL_NOT_FOUND
    return SkillErrorType.RESOLUTION_FAILURE
