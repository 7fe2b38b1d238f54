"""The skill protocol and the skill model, row by row as the reference documents have them."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pydantic
import pytest
from pydantic import BaseModel, ValidationError

from core import model, protocol
from core.model import Skill, SkillCapabilitySummary, ToolCapability, ToolRecord, ToolSource
from core.protocol import (
    SkillDefinition,
    SkillError,
    SkillErrorType,
    SkillFailure,
    SkillMetadata,
    SkillResult,
    map_tool_error,
)

REQUIRED = object()
SKILL = Skill(name="local/a", description="A.")
READER = ToolRecord(
    name="builtin/read_file",
    source="builtin",
    from_skill="local/a",
    capability=ToolCapability(read_only=True),
    gate_capability=ToolCapability(read_only=True),
)
WRITER = ToolRecord(
    name="local/a/clean",
    source="custom",
    from_skill="local/a",
    capability=ToolCapability(writes=True),
    gate_capability=ToolCapability(writes=True),
)

PROTOCOL_ROWS: list[tuple[type[BaseModel], str, Any]] = [
    (SkillError, "error_type", REQUIRED),
    (SkillError, "message", REQUIRED),
    (SkillError, "details", {}),
    (SkillError, "skill_name", REQUIRED),
    (SkillError, "tool_name", None),
    (SkillMetadata, "name", REQUIRED),
    (SkillMetadata, "description", REQUIRED),
    (SkillMetadata, "version", "0.0.0"),
    (SkillMetadata, "tool_count", 0),
    (SkillMetadata, "capability_summary", SkillCapabilitySummary()),
    (SkillMetadata, "source_types", []),
    (SkillMetadata, "writes", False),
    (SkillMetadata, "read_only", True),
    (SkillDefinition, "skill", REQUIRED),
    (SkillDefinition, "resolved_tools", []),
    (SkillDefinition, "metadata", REQUIRED),
    (SkillDefinition, "input_schema", None),
    (SkillDefinition, "output_schema", None),
    (SkillResult, "skill_name", REQUIRED),
    (SkillResult, "tool_name", REQUIRED),
    (SkillResult, "success", REQUIRED),
    (SkillResult, "output_data", None),
    (SkillResult, "error", None),
    (SkillResult, "duration_ms", 0.0),
    (SkillResult, "resource_changes", []),
]
MODEL_ROWS: list[tuple[type[BaseModel], str, Any]] = [
    (model.SkillToolRef, "name", REQUIRED),
    (model.SkillInclude, "name", REQUIRED),
    (model.SkillInclude, "overrides", None),
    (model.SkillInlineTool, "description", REQUIRED),
    (model.SkillInlineTool, "source", REQUIRED),
    (model.SkillInlineTool, "code", None),
    (model.SkillInlineTool, "input_schema", None),
    (model.SkillInlineTool, "output_schema", None),
    (model.SkillInlineTool, "capability", None),
    (model.SkillInlineTool, "resource_slots", []),
    (model.SkillInlineTool, "timeout", 300),
    (model.SkillMcpSource, "server", REQUIRED),
    (model.SkillMcpSource, "tools", None),
    (model.SkillMcpSource, "env", None),
    (model.SkillAgentSource, "path", REQUIRED),
    (SkillCapabilitySummary, "total_tools", 0),
    (SkillCapabilitySummary, "read_only_tools", 0),
    (SkillCapabilitySummary, "write_tools", 0),
    (SkillCapabilitySummary, "checkpointable_tools", 0),
    (SkillCapabilitySummary, "has_side_effects", False),
    (SkillCapabilitySummary, "mcp_sources", 0),
    (SkillCapabilitySummary, "agent_skill_sources", 0),
    (Skill, "name", REQUIRED),
    (Skill, "description", REQUIRED),
    (Skill, "tool_refs", []),
    (Skill, "includes", []),
    (Skill, "anonymous_tools", []),
    (Skill, "mcp_servers", []),
    (Skill, "agent_skills", []),
    (Skill, "overrides", {}),
]


@pytest.mark.parametrize(
    ("owner", "field", "default"),
    [*PROTOCOL_ROWS, *MODEL_ROWS],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(value) if isinstance(value, str) else "",
)
def test_a_field_is_required_or_has_its_documented_default(owner: type[BaseModel], field: str, default: Any) -> None:
    info = owner.model_fields[field]
    assert info.is_required() is (default is REQUIRED)
    if default is not REQUIRED:
        assert info.get_default(call_default_factory=True) == default


def test_the_error_types_are_the_documented_ones() -> None:
    assert [member.value for member in SkillErrorType] == [
        "skill_not_found",
        "resolution_failure",
        "cycle_detected",
        "tool_activation_failure",
        "tool_execution_failure",
        "validation_error",
        "permission_denied",
    ]
    assert str(SkillErrorType.SKILL_NOT_FOUND) == "skill_not_found"


def test_the_tool_sources_are_the_documented_ones() -> None:
    assert [source.value for source in ToolSource] == ["mcp", "agent_skill", "builtin", "custom", "wrapped"]


@pytest.mark.parametrize(
    "value",
    [
        SkillError(error_type=SkillErrorType.PERMISSION_DENIED, message="no", skill_name="local/a"),
        SkillMetadata(name="local/a", description="A."),
        SkillDefinition(skill=SKILL, metadata=SkillMetadata(name="local/a", description="A.")),
        SkillResult(skill_name="local/a", tool_name="t", success=True),
        SKILL,
        ToolCapability(),
        READER,
        SkillCapabilitySummary(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_type_is_frozen_and_knows_no_other_field(value: BaseModel) -> None:
    first = next(iter(type(value).model_fields))
    with pytest.raises(ValidationError):
        setattr(value, first, getattr(value, first))
    with pytest.raises(ValidationError):
        type(value)(**{**value.model_dump(), "unheard_of": 1})


def test_a_validation_error_does_not_repeat_the_input() -> None:
    with pytest.raises(ValidationError) as caught:
        SkillResult(skill_name="local/a", tool_name="t", success="sk-live-secret")  # type: ignore[arg-type]
    assert "sk-live-secret" not in str(caught.value)


def test_metadata_of_a_skill_that_only_reads() -> None:
    metadata = SkillMetadata.from_skill(SKILL, resolved=[READER], version="1.0.0")
    assert metadata.model_dump() == {
        "name": "local/a",
        "description": "A.",
        "version": "1.0.0",
        "tool_count": 1,
        "capability_summary": SkillCapabilitySummary(total_tools=1, read_only_tools=1).model_dump(),
        "source_types": ["builtin"],
        "writes": False,
        "read_only": True,
    }


def test_metadata_takes_the_version_of_the_skill_when_none_is_given() -> None:
    assert SkillMetadata.from_skill(SKILL.model_copy(update={"version": "2.1.0"})).version == "2.1.0"


def test_metadata_of_a_skill_with_a_writer() -> None:
    metadata = SkillMetadata.from_skill(SKILL, resolved=[READER, WRITER])
    assert (metadata.writes, metadata.read_only) == (True, False)
    assert metadata.capability_summary.write_tools == 1
    assert metadata.source_types == ["builtin", "custom"]


def test_side_effects_alone_make_metadata_say_that_it_writes() -> None:
    sends = ToolCapability(read_only=True, side_effects=["mail"])
    metadata = SkillMetadata.from_skill(SKILL, resolved=[READER.model_copy(update={"gate_capability": sends})])
    assert metadata.capability_summary.write_tools == 0
    assert (metadata.writes, metadata.read_only) == (True, False)


def test_a_tool_that_says_nothing_counts_as_writing() -> None:
    silent = READER.model_copy(update={"gate_capability": ToolCapability()})
    assert SkillMetadata.from_skill(SKILL, resolved=[silent]).read_only is False


@pytest.mark.parametrize("field", ["input_schema", "output_schema"])
def test_a_definition_rejects_a_schema_without_a_type(field: str) -> None:
    metadata = SkillMetadata(name="local/a", description="A.")
    with pytest.raises(ValidationError, match='"type"'):
        SkillDefinition(skill=SKILL, metadata=metadata, **{field: {"properties": {}}})
    assert SkillDefinition(skill=SKILL, metadata=metadata, **{field: {"type": "object"}})


@pytest.mark.parametrize(
    "capability", [ToolCapability(writes=True), ToolCapability(read_only=True, writes=True), ToolCapability()]
)
@pytest.mark.parametrize("source", ["custom", "builtin", "mcp:github", "agent_skill"])
def test_a_definition_that_says_read_only_has_no_writer_of_any_source(source: str, capability: ToolCapability) -> None:
    tool = WRITER.model_copy(update={"source": source, "gate_capability": capability})
    with pytest.raises(ValidationError, match="local/a/clean can write"):
        SkillDefinition(
            skill=SKILL, resolved_tools=[tool], metadata=SkillMetadata(name="local/a", description="A.", read_only=True)
        )


def test_a_definition_that_says_it_writes_may_have_writers() -> None:
    metadata = SkillMetadata(name="local/a", description="A.", writes=True, read_only=False)
    assert SkillDefinition(skill=SKILL, resolved_tools=[WRITER], metadata=metadata).resolved_tools == [WRITER]


def test_the_entry_type_has_the_name_that_the_protocol_uses() -> None:
    assert protocol.ResolvedToolEntry is ToolRecord


def _pydantic_error() -> Exception:
    try:
        SkillResult()  # type: ignore[call-arg]
    except pydantic.ValidationError as error:
        return error
    raise AssertionError


def _jsonschema_rs_error() -> Exception:
    try:
        jsonschema_rs.validate({"type": "string"}, 1)
    except jsonschema_rs.ValidationError as error:
        return error
    raise AssertionError


def _jsonschema_error() -> Exception:
    """The error of the package jsonschema, which need not be installed: known by module and name."""
    kind = type("ValidationError", (Exception,), {"__module__": "jsonschema.exceptions"})
    return kind("'a' is not of type 'integer'")


class _OwnError(ValueError):
    pass


@pytest.mark.parametrize(
    ("exception", "expected"),
    [
        (ValueError("include cycle: a -> b"), SkillErrorType.CYCLE_DETECTED),
        (ValueError("a CYCLE was found, and b not found"), SkillErrorType.CYCLE_DETECTED),
        (ValueError("skill local/x not found"), SkillErrorType.SKILL_NOT_FOUND),
        (ValueError("Skill Not Found"), SkillErrorType.SKILL_NOT_FOUND),
        (ValueError("activation of x"), SkillErrorType.RESOLUTION_FAILURE),
        (ValueError("anything else"), SkillErrorType.RESOLUTION_FAILURE),
        (_OwnError("bad"), SkillErrorType.RESOLUTION_FAILURE),
        (PermissionError("cycle"), SkillErrorType.PERMISSION_DENIED),
        (_pydantic_error(), SkillErrorType.VALIDATION_ERROR),
        (_jsonschema_rs_error(), SkillErrorType.VALIDATION_ERROR),
        (_jsonschema_error(), SkillErrorType.VALIDATION_ERROR),
        (RuntimeError("Activation failed"), SkillErrorType.TOOL_ACTIVATION_FAILURE),
        (KeyError("local/x not found"), SkillErrorType.TOOL_EXECUTION_FAILURE),
        (RuntimeError("boom"), SkillErrorType.TOOL_EXECUTION_FAILURE),
        (OSError("disk"), SkillErrorType.TOOL_EXECUTION_FAILURE),
    ],
    ids=lambda value: str(value) if isinstance(value, SkillErrorType) else type(value).__name__,
)
def test_an_exception_maps_by_the_first_row_that_fits(exception: Exception, expected: SkillErrorType) -> None:
    error = map_tool_error(exception, skill_name="local/a", tool_name="local/t")
    assert error.error_type is expected
    assert (error.skill_name, error.tool_name) == ("local/a", "local/t")


def test_the_tool_name_of_a_mapped_error_is_optional() -> None:
    assert map_tool_error(RuntimeError("x"), skill_name="local/a").tool_name is None


def test_an_exception_that_carries_an_error_gives_that_error() -> None:
    carried = SkillError(error_type=SkillErrorType.PERMISSION_DENIED, message="not allowed", skill_name="local/b")
    assert map_tool_error(SkillFailure(carried), skill_name="local/a") is carried


def test_a_class_that_only_calls_itself_validation_error_is_none() -> None:
    own = type("ValidationError", (Exception,), {"__module__": "their.tool"})
    assert map_tool_error(own("x"), skill_name="local/a").error_type is SkillErrorType.TOOL_EXECUTION_FAILURE


def test_an_exception_without_a_message_is_named_by_its_class() -> None:
    assert map_tool_error(RuntimeError(), skill_name="local/a").message == "RuntimeError"


def test_an_exception_whose_text_raises_still_maps() -> None:
    class EvilError(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text for you")

    error = map_tool_error(EvilError(), skill_name="local/a")
    assert (error.error_type, error.message) == (SkillErrorType.TOOL_EXECUTION_FAILURE, "EvilError")
