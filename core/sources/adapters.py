"""Which adapter serves which definition; an adapter's module is imported when a tool of its source is first called."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from core.resolve.views import AgentDefinition, BuiltinDefinition, CustomDefinition, McpDefinition, ToolDefinition
from core.sources.interface import Adapter, AdapterSettings

ADAPTERS: dict[type[ToolDefinition], tuple[str, str]] = {
    BuiltinDefinition: ("core.sources.builtin", "BuiltinAdapter"),
    CustomDefinition: ("core.sources.custom", "CustomAdapter"),
    McpDefinition: ("core.sources.mcp", "McpAdapter"),
    AgentDefinition: ("core.sources.agent_skill", "AgentSkillAdapter"),
}


def make_adapter(kind: type[ToolDefinition], settings: AdapterSettings) -> Adapter:
    """Return a new adapter for definitions of ``kind``."""
    module, name = ADAPTERS[kind]
    return cast("Adapter", getattr(import_module(module), name)(settings))
