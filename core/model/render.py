"""Models as the command line shows them: canonical sections, fixed order, secrets masked (language, part 3)."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.model.tool import DEFAULT_TIMEOUT_S

if TYPE_CHECKING:
    from core.model.skill import Skill, SkillAgentSource, SkillInclude, SkillMcpSource
    from core.model.tool import SkillInlineTool

MASK = "**********"


def skill_as_cli_dict(skill: Skill) -> dict[str, Any]:
    """Return the canonical sections of ``skill`` in their fixed order, as plain JSON data.

    ``Skill.from_config`` reads it back to an equal skill, apart from masked values.
    """
    return _without_empty(
        {
            "name": skill.name,
            "description": skill.description,
            "version": skill.version,
            "read_only": skill.read_only,
            "builtin_groups": list(skill.builtin_groups),
            "tools": _tool_entries(skill),
            "anonymous_tools": [_inline_tool(tool) for tool in skill.anonymous_tools],
            "includes": [_include(include) for include in skill.includes],
            "mcp_servers": [_server(server) for server in skill.mcp_servers],
            "agent_skill_folders": [_folder(folder) for folder in skill.agent_skills],
            "overrides": {tool: dict(fields) for tool, fields in skill.overrides.items()},
            "input_schema": skill.input_schema,
            "output_schema": skill.output_schema,
        }
    )


def _without_empty(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None and value not in ([], {})}


def _tool_entries(skill: Skill) -> list[Any]:
    """Each reference once as a name; an override stands at the first one of its tool."""
    left = dict(skill.tool_ref_overrides)
    entries: list[Any] = []
    for name in skill.tool_refs:
        override = left.pop(name, None)
        entries.append({"name": name, "override": dict(override)} if override else name)
    return entries


def _inline_tool(tool: SkillInlineTool) -> dict[str, Any]:
    capability = tool.capability.model_dump(exclude_none=True) if tool.capability else None
    slots = [slot.model_dump(exclude_none=True) for slot in tool.resource_slots]
    return _without_empty(
        {
            "name": tool.name,
            "description": tool.description,
            "source": str(tool.source),
            "code": tool.code,
            "entry_point": tool.entry_point,
            "input_schema": tool.input_schema,
            "output_schema": tool.output_schema,
            "capability": capability,
            "resource_slots": slots,
            "lifecycle": tool.lifecycle,
            "timeout": None if tool.timeout == DEFAULT_TIMEOUT_S else tool.timeout,
            "tool_type": tool.tool_type,
            "mode": tool.mode,
            "wraps": tool.wraps,
            "transform": tool.transform,
        }
    )


def _include(include: SkillInclude) -> Any:
    if not include.overrides and include.description is None:
        return include.name
    return _without_empty({"name": include.name, "overrides": include.overrides, "description": include.description})


def _server(server: SkillMcpSource) -> Any:
    fields: dict[str, Any] = {
        "name": server.name,
        **_connection(server),
        "tool_filter": {"exclude": list(server.exclude)} if server.exclude else None,
        "overrides": server.overrides,
        "timeout": server.timeout,
        "legacy": server.legacy,
    }
    shown = _without_empty(fields)
    if server.tools is not None:
        shown["tools"] = list(server.tools)  # an empty list says that no tool is allowed
    return shown["name"] if not server.server and shown.keys() == {"name"} else shown


def connection_as_cli_dict(server: SkillMcpSource) -> dict[str, Any]:
    """Return how ``server`` is started or reached, as plain JSON data; nothing of its tools."""
    return _without_empty(_connection(server))


def _connection(server: SkillMcpSource) -> dict[str, Any]:
    return {
        **_way(server),
        "transport": server.transport,
        "env": dict.fromkeys(server.env or (), MASK),
        "headers": dict.fromkeys(server.headers or (), MASK),
        "cwd": server.cwd,
    }


def _way(server: SkillMcpSource) -> dict[str, Any]:
    if not server.args:
        return {"server": server.server or None}
    return {"command": shlex.split(server.server)[0], "args": list(server.args)}


def _folder(folder: SkillAgentSource) -> Any:
    shown = folder.model_dump(exclude_none=True)
    return folder.path if shown.keys() == {"path"} else shown
