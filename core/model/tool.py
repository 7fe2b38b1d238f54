"""Tools as their files say them: inline in a skill, or custom in a file of their own (language, part 4)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from core.model.base import Frozen
from core.model.capability import ToolCapability

DEFAULT_TIMEOUT_S = 300
PROGRESS_FACTOR = 10
"""How many times its limit the whole of a request to a server may take while the server reports progress."""


class ToolSource(StrEnum):
    """Where a tool comes from (skill_model; values fixed by the language page)."""

    MCP = "mcp"
    AGENT_SKILL = "agent_skill"
    BUILTIN = "builtin"
    CUSTOM = "custom"
    WRAPPED = "wrapped"


class ResourceSlot(Frozen):
    """A named resource that a tool works on."""

    name: str
    type: str | None = None
    access: str | None = None
    description: str | None = None
    required: bool | None = None
    binding: str | None = None


class SkillInlineTool(Frozen):
    """An anonymous tool embedded in a skill (skill_model), plus name, entry point, lifecycle and type.

    ``mode``, ``wraps`` and ``transform`` are kept for tools that wrap another one or validate its output.
    """

    description: str
    source: ToolSource
    code: str | None = None
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    capability: ToolCapability | None = None
    resource_slots: list[ResourceSlot] = Field(default_factory=list)
    timeout: int = Field(default=DEFAULT_TIMEOUT_S, ge=1)
    name: str | None = None
    entry_point: str | None = None
    lifecycle: dict[str, str] | None = None
    tool_type: str | None = None
    mode: str | None = None
    wraps: str | None = None
    transform: str | None = None


class CustomTool(SkillInlineTool):
    """A tool in a file of its own; ``name`` is fully qualified."""

    name: str
