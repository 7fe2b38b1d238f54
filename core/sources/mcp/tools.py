"""What a server says of its tools, read one by one: a malformed one is kept with its problem and hides no other."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from core.model import ToolCapability
from core.model.discovery import DiscoveredTool
from core.sources.mcp.json_limits import UnfitJsonError, fit_json

_MAX_NAME = 256
_MAX_TEXT = 64 << 10
HINT_DEFAULTS = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
"""What the protocol says holds where an annotation is absent."""


def read_tools(items: Iterable[Any], accepted: AbstractSet[str]) -> tuple[tuple[DiscoveredTool, ...], tuple[str, ...]]:
    """Return the tools of a listing with distinct names, and notes on what was odd about them.

    ``accepted`` are the names that the SDK would call. A second tool of one name gets ``#2`` after it, one without
    a name is called ``tool#N`` after its place; both have a problem.
    """
    tools: dict[str, DiscoveredTool] = {}
    notes: list[str] = []
    for place, item in enumerate(items, 1):
        tool = _read_tool(item, place, notes)
        if tool.name in tools:
            tool = _renamed(tool, tools)
        elif tool.problem is None and tool.name not in accepted:
            tool = replace(tool, problem="its schema asks for headers that the protocol does not allow")
        tools[tool.name] = tool
    return tuple(tools.values()), tuple(notes)


def _renamed(tool: DiscoveredTool, tools: dict[str, DiscoveredTool]) -> DiscoveredTool:
    count = 2
    while f"{tool.name}#{count}" in tools:
        count += 1
    problem = tool.problem or "the server lists more than one tool of this name; the first is the one that is called"
    return replace(tool, name=f"{tool.name}#{count}", problem=problem)


def _read_tool(item: Any, place: int, notes: list[str]) -> DiscoveredTool:
    try:
        said = fit_json(item)
    except UnfitJsonError as error:
        name = item.get("name") if isinstance(item, dict) else None
        return DiscoveredTool(_name(name, place)[0], problem=f"its description is {error}")
    if not isinstance(said, dict):
        return DiscoveredTool(f"tool#{place}", problem="the server's entry for it is no object")
    name, problem = _name(said.get("name"), place)
    schema, problem = _input_schema(said, name, problem, notes)
    capability, annotated, annotations = _annotations(said, name, notes)
    return DiscoveredTool(
        name=name,
        description=_text(said.get("description"), name, notes),
        capability=capability,
        annotated=annotated,
        annotations=annotations,
        input_schema=schema,
        output_schema=_output_schema(said, name, notes),
        problem=problem,
    )


def _name(value: Any, place: int) -> tuple[str, str | None]:
    if not isinstance(value, str) or not value:
        return f"tool#{place}", "the server gives it no name"
    if len(value) > _MAX_NAME:
        return f"{value[:_MAX_NAME]}#{place}", f"its name is longer than {_MAX_NAME} characters"
    return value, None


def _input_schema(
    said: dict[str, Any], name: str, problem: str | None, notes: list[str]
) -> tuple[dict[str, Any] | None, str | None]:
    """Return the schema, and why the tool cannot be called; one without a type is of an object, as all must be."""
    schema = said.get("inputSchema")
    if "inputSchema" not in said:
        return None, problem or "it has no input schema"
    if not isinstance(schema, dict):
        return None, problem or f"its input schema is {_kind(schema)}, not an object"
    if "type" not in schema:
        notes.append(f'{name}: its input schema does not say "type": "object", and is taken as if it did')
    elif schema["type"] != "object":
        return schema, problem or f'its input schema has "type": {schema["type"]!r:.40}, not "type": "object"'
    return schema, problem


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return {bool: "a boolean", str: "text", list: "a list"}.get(type(value), "a number")


def _output_schema(said: dict[str, Any], name: str, notes: list[str]) -> dict[str, Any] | None:
    schema = said.get("outputSchema")
    if schema is None or isinstance(schema, dict):
        return schema
    notes.append(f"{name}: its output schema is {_kind(schema)} and is left out")
    return None


def _text(value: Any, name: str, notes: list[str]) -> str:
    if value is not None and not isinstance(value, str):
        notes.append(f"{name}: its description is {_kind(value)} and is left out")
        return ""
    text = value or ""
    rest = len(text) - _MAX_TEXT
    return f"{text[:_MAX_TEXT]}… {rest:,} more" if rest > 0 else text


def _annotations(
    said: dict[str, Any], name: str, notes: list[str]
) -> tuple[ToolCapability, frozenset[str], dict[str, Any]]:
    """Return capability, the flags that annotations set, and the hints with the protocol's defaults (language, 5)."""
    given = said.get("annotations")
    if given is not None and not isinstance(given, dict):
        notes.append(f"{name}: its annotations are {_kind(given)} and are left out")
    hints = {key: value for key, value in given.items() if key in HINT_DEFAULTS} if isinstance(given, dict) else {}
    odd = {key for key, value in hints.items() if not isinstance(value, bool)}
    notes += [f"{name}: its {key} is neither true nor false and is left out" for key in sorted(odd)]
    hints = {key: value for key, value in hints.items() if key not in odd}
    flags = _flags(hints, name, notes)
    shown: dict[str, Any] = {**HINT_DEFAULTS, **hints}
    if title := _title(said, given):
        shown["title"] = title
    return ToolCapability(**flags), frozenset(flags), shown


def _flags(hints: dict[str, bool], name: str, notes: list[str]) -> dict[str, bool]:
    flags: dict[str, bool] = {}
    if "readOnlyHint" in hints:
        reads = hints["readOnlyHint"]
        if reads and hints.get("destructiveHint"):
            notes.append(f"{name}: it says that it only reads and that it destroys; it counts as writing")
            reads = False
        flags = {"read_only": reads, "writes": not reads}
    if "idempotentHint" in hints:
        flags["idempotent"] = hints["idempotentHint"]
    return flags


def _title(said: dict[str, Any], annotations: Any) -> str | None:
    """Return the title by the protocol's precedence; None leaves the name."""
    inner = annotations.get("title") if isinstance(annotations, dict) else None
    for value in (said.get("title"), inner):
        if isinstance(value, str) and value:
            return value[:_MAX_NAME]
    return None
