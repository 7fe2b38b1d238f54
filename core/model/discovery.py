"""What an MCP server said of its tools: the input that turns stubs into live records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.model.capability import ToolCapability


@dataclass(frozen=True, slots=True)
class DiscoveredTool:
    """One tool of a server; ``annotated`` names the flags that annotations set, ``problem`` why it is unusable.

    ``changed`` says in words since when it is not what it was.
    """

    name: str
    description: str = ""
    capability: ToolCapability = field(default_factory=ToolCapability)
    annotated: frozenset[str] = frozenset()
    annotations: dict[str, Any] = field(default_factory=dict)
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    problem: str | None = None
    changed: str | None = None


@dataclass(frozen=True, slots=True)
class DiscoveredServer:
    """The answer of one server, by the key of its declaration; ``error`` when it gave none.

    ``changed`` names the tools of which it now says something else than when it was approved, or first asked.
    """

    label: str
    tools: tuple[DiscoveredTool, ...] = ()
    error: str | None = None
    stderr: str = ""
    server_name: str = ""
    protocol: str = ""
    notes: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
