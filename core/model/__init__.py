"""Frozen domain models, to the letter of the skill model reference, with the additions of the file language."""

from core.model.actor import Actor
from core.model.capability import CAPABILITY_FLAGS, SkillCapabilitySummary, ToolCapability, join
from core.model.record import FlagProvenance, Origin, ToolRecord, ToolStatus
from core.model.skill import (
    NAME_PATTERN,
    Skill,
    SkillAgentSource,
    SkillInclude,
    SkillMcpSource,
    SkillToolRef,
    is_qualified_name,
)
from core.model.tool import CustomTool, ResourceSlot, SkillInlineTool, ToolSource

__all__ = [
    "CAPABILITY_FLAGS",
    "NAME_PATTERN",
    "Actor",
    "CustomTool",
    "FlagProvenance",
    "Origin",
    "ResourceSlot",
    "Skill",
    "SkillAgentSource",
    "SkillCapabilitySummary",
    "SkillInclude",
    "SkillInlineTool",
    "SkillMcpSource",
    "SkillToolRef",
    "ToolCapability",
    "ToolRecord",
    "ToolSource",
    "ToolStatus",
    "is_qualified_name",
    "join",
]
