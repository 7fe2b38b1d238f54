"""JSON Schemas of the file format, for editors: made from the same key tables that the readers use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.model.builtins import GROUPS
from core.model.capability import CAPABILITY_FLAGS
from core.model.capability_reading import BOOLEAN_FLAGS
from core.model.dialect import SKILL_KEYS
from core.model.entries import SANDBOX_POLICIES
from core.model.names import NAME_PATTERN
from core.model.reading import Keys
from core.model.server_reading import LABEL_PATTERN, SERVER_KEYS, TRANSPORTS
from core.model.tool_reading import STAGES, TOOL_KEYS, TOOL_TYPES, WRITTEN_SOURCES

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_TEXT_OR_LIST: Schema = {"anyOf": [_TEXT, _TEXTS]}
_BOOLEAN: Schema = {"type": "boolean"}
_SECONDS: Schema = {"type": "integer", "minimum": 1}
_NAME: Schema = {"type": "string", "pattern": NAME_PATTERN.pattern}
_JSON_SCHEMA: Schema = {"type": "object", "required": ["type"]}
_TEXT_MAP: Schema = {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}}
_FLAG_VALUES: Schema = {
    flag: _BOOLEAN if flag in BOOLEAN_FLAGS else _TEXT if flag == "checkpoint_scope" else _TEXT_OR_LIST
    for flag in CAPABILITY_FLAGS
}
_CAPABILITY: Schema = {"type": "object", "properties": _FLAG_VALUES, "additionalProperties": False}
_OVERRIDE: Schema = {
    "type": "object",
    "properties": {**_FLAG_VALUES, "capability": _CAPABILITY, "description": _TEXT, "timeout": _SECONDS},
    "additionalProperties": False,
}
_OVERRIDES: Schema = {"type": "object", "additionalProperties": _OVERRIDE}
_OVERRIDE_LIST: Schema = {"type": "array", "items": {"type": "object", "required": ["tool", "override"]}}


def _listed(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def _closed(keys: Keys, values: Mapping[str, Schema], required: tuple[str, ...] = ()) -> Schema:
    """Return an object schema with every spelling of ``keys``, each with the schema of what it means."""
    spellings = {spelling: values.get(meant, {}) for spelling, meant in keys.spellings.items()}
    schema: Schema = {"type": "object", "properties": spellings, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


_TOOL_VALUES: dict[str, Schema] = {
    **_FLAG_VALUES,
    "name": _TEXT,
    "description": _TEXT,
    "source": {"enum": sorted(WRITTEN_SOURCES)},
    "code": _TEXT,
    "entry_point": {"type": "string", "pattern": r"^.+\.py:[A-Za-z_][A-Za-z0-9_]*$"},
    "input_schema": {"type": "object"},
    "output_schema": {"type": "object"},
    "capability": _CAPABILITY,
    "resource_slots": {"type": ["array", "object"]},
    "lifecycle": {"type": "object", "properties": dict.fromkeys(STAGES, _TEXT)},
    "timeout": _SECONDS,
    "tool_type": {"enum": list(TOOL_TYPES)},
}
_INLINE = _closed(TOOL_KEYS, _TOOL_VALUES, ("description",))
_REFERENCE: Schema = {
    "type": "object",
    "properties": {**_FLAG_VALUES, "name": _NAME, "override": _OVERRIDE, "description": _TEXT},
    "required": ["name"],
}
_INCLUDE: Schema = {
    "type": "object",
    "properties": {"name": _NAME, "overrides": _OVERRIDES, "tool_overrides": _OVERRIDE_LIST},
    "required": ["name"],
}
_FOLDER: Schema = {
    "type": "object",
    "properties": {"path": _TEXT, "name": _TEXT, "sandbox_policy": {"enum": list(SANDBOX_POLICIES)}},
    "required": ["path"],
}
_SERVER = _closed(
    SERVER_KEYS,
    {
        "name": {"type": "string", "pattern": f"^{LABEL_PATTERN.pattern}$"},
        "server": _TEXT,
        "command": _TEXT,
        "args": _TEXTS,
        "url": _TEXT,
        "transport": {"enum": list(TRANSPORTS)},
        "env": _TEXT_MAP,
        "headers": _TEXT_MAP,
        "cwd": _TEXT,
        "tools": {"anyOf": [_TEXTS, {"type": "null"}]},
        "tool_filter": {"type": "object", "properties": {"include": _TEXTS, "exclude": _TEXTS}},
        "overrides": _OVERRIDES,
        "timeout": _SECONDS,
        "legacy": _BOOLEAN,
    },
)
_GROUP: Schema = {"enum": list(GROUPS)}
_SKILL_VALUES: dict[str, Schema] = {
    "name": _NAME,
    "description": _TEXT,
    "version": {"type": ["string", "number"]},
    "read_only": _BOOLEAN,
    "builtin_groups": _listed({"anyOf": [_GROUP, {"type": "object", "properties": {"group": _GROUP}}]}),
    "tools": _listed({"anyOf": [_NAME, _REFERENCE, _INLINE]}),
    "anonymous_tools": _listed(_INLINE),
    "includes": _listed({"anyOf": [_NAME, _INCLUDE]}),
    "mcp_servers": _listed({"anyOf": [_TEXT, _SERVER]}),
    "agent_skill_folders": _listed({"anyOf": [_TEXT, _FOLDER]}),
    "overrides": _OVERRIDES,
    "input_schema": _JSON_SCHEMA,
    "output_schema": _JSON_SCHEMA,
    "cleveragents": {"type": "object", "properties": {"version": {"type": ["string", "number"]}}},
}
_ACTOR: Schema = {
    "type": "object",
    "properties": {"name": _NAME, "skills": _listed(_NAME)},
    "description": "Other keys belong to the programs that run actors.",
}


def _document(title: str, wrapper: str, flat: Schema) -> Schema:
    """Return the schema of a file that is flat, or has everything below ``wrapper``."""
    wrapped = {
        "type": "object",
        "properties": {wrapper: flat, "cleveragents": {"type": "object"}},
        "required": [wrapper],
    }
    return {"$schema": DIALECT, "title": title, "anyOf": [flat, wrapped]}


def file_schema(kind: str) -> Schema:
    """Return the JSON Schema of ``skill``, ``tool`` or ``actor`` files.

    Raises:
        KeyError: there is no such kind of file.
    """
    return {
        "skill": _document("A skill", "skill", _closed(SKILL_KEYS, _SKILL_VALUES, ("name", "description"))),
        "tool": _document(
            "A custom tool", "tool", _closed(TOOL_KEYS, {**_TOOL_VALUES, "name": _NAME}, ("name", "description"))
        ),
        "actor": _document("An actor", "actor", _ACTOR),
    }[kind]
