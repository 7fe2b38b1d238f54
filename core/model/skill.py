"""The Skill domain model (skill_model reference) with the sections of the file language (language, part 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field, SecretStr, field_validator

from core.model.base import Frozen
from core.model.dialect import skill_fields
from core.model.names import NAME_PATTERN, is_qualified_name
from core.model.render import skill_as_cli_dict
from core.model.server_reading import is_url, split_command
from core.model.tool import SkillInlineTool

__all__ = [
    "NAME_PATTERN",
    "Skill",
    "SkillAgentSource",
    "SkillInclude",
    "SkillMcpSource",
    "SkillToolRef",
    "is_qualified_name",
]


class SkillToolRef(Frozen):
    """Reference to a named tool in the Tool Registry."""

    name: str


class SkillInclude(Frozen):
    """Reference to another skill; ``overrides`` maps a tool to the fields it changes."""

    name: str
    overrides: dict[str, dict[str, Any]] | None = None
    description: str | None = None


class SkillMcpSource(Frozen):
    """An MCP server of a skill; ``server`` is the URL or the whole quoted command line.

    ``args`` are the arguments where they were given apart; they are in ``server`` too. An empty ``server``
    refers by ``name`` to a server of ``.mcp.json``.
    """

    server: str
    tools: list[str] | None = None
    env: dict[str, SecretStr] | None = None
    name: str | None = None
    args: list[str] | None = None
    transport: str | None = None
    headers: dict[str, SecretStr] | None = None
    cwd: str | None = None
    exclude: list[str] | None = None
    overrides: dict[str, dict[str, Any]] | None = None
    timeout: int | None = None
    legacy: bool | None = None

    @property
    def is_url(self) -> bool:
        """Whether the server is reached by a URL."""
        return is_url(self.server)

    @property
    def argv(self) -> tuple[str, ...]:
        """The command line as a shell would split it; of a URL or a reference it is empty."""
        return () if self.is_url else tuple(split_command(self.server) or ())


class SkillAgentSource(Frozen):
    """A folder of the Agent Skills standard."""

    path: str
    name: str | None = None
    sandbox_policy: str | None = None


class Skill(Frozen):
    """A namespaced, reusable collection of tools; it never executes."""

    name: str
    description: str
    tool_refs: list[str] = Field(default_factory=list)
    includes: list[SkillInclude] = Field(default_factory=list)
    anonymous_tools: list[SkillInlineTool] = Field(default_factory=list)
    mcp_servers: list[SkillMcpSource] = Field(default_factory=list)
    agent_skills: list[SkillAgentSource] = Field(default_factory=list)
    overrides: dict[str, dict[str, Any]] = Field(default_factory=dict)
    version: str = "0.0.0"
    builtin_groups: list[str] = Field(default_factory=list)
    tool_ref_overrides: dict[str, dict[str, Any]] = Field(default_factory=dict)
    read_only: bool | None = None
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None

    @field_validator("name")
    @classmethod
    def _qualified(cls, name: str) -> str:
        if not is_qualified_name(name):
            raise ValueError("a skill's name is namespace/short_name, of letters, digits, '_' and '-'")
        return name

    @property
    def namespace(self) -> str:
        """The part of the name before the slash."""
        return self.name.split("/")[0]

    @property
    def short_name(self) -> str:
        """The part of the name after the slash."""
        return self.name.split("/")[1]

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Skill:
        """Build a skill from the parsed mapping of either dialect, losing nothing.

        Raises:
            ValueError: a key is unknown, given twice in two spellings, or of the wrong type; the message
                names the place in the mapping.
        """
        return cls(**skill_fields(config))

    def as_cli_dict(self) -> dict[str, Any]:
        """Return the canonical sections in their fixed order, empty ones left out, env and headers masked."""
        return skill_as_cli_dict(self)
