"""Parts of the JSON Schemas of the file format: values, capability flags, overrides and tools.

A key without a value counts as absent, as it does for the readers; conditions are written as ``if``/``then``, since
editors can't say which branch of an ``anyOf`` was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core.model.builtins import BUILTINS, PREFIX, builtin_spellings
from core.model.capability import CAPABILITY_FLAGS
from core.model.capability_reading import BOOLEAN_FLAGS, MOST_TIMEOUT_S, TEXT_FLAGS
from core.model.names import NAME_PATTERN, SHORT_NAME_PATTERN
from core.model.reading import Keys
from core.model.tool import ToolSource
from core.model.tool_reading import INLINE_MARKS, SLOT_KEYS, STAGES, TOOL_KEYS, TOOL_TYPES, WRITTEN_SOURCES

Schema = dict[str, Any]

NULL: Schema = {"type": "null"}
PLAIN: Schema = {"type": ["string", "number", "boolean"]}
"""What is read as text: a scalar counts as it is written."""
TEXTS: Schema = {"type": "array", "items": PLAIN}
TEXT_MAP: Schema = {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean", "null"]}}
BOOLEAN: Schema = {"type": "boolean"}
SECONDS: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_TIMEOUT_S}
SAID: Schema = {**PLAIN, "pattern": r"\S"}
"""A text that may not be blank."""
NAME: Schema = {"type": "string", "pattern": NAME_PATTERN.pattern, "description": "namespace/short_name"}
_ENTRY_POINT = r"^[^:]+\.py:[A-Za-z_][A-Za-z0-9_]*$"


def optional(schema: Schema) -> Schema:
    """Return ``schema`` for a key that may stand without a value."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    kinds = schema.get("type")
    if kinds is None or "if" in schema:
        return {"if": {"not": NULL}, "then": schema}
    return {**schema, "type": [*([kinds] if isinstance(kinds, str) else kinds), "null"]}


def listed(item: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": item}


def closed(properties: Mapping[str, Schema], required: Iterable[str] = (), **more: Any) -> Schema:
    """Return the schema of a mapping with no other keys than ``properties``; only ``timeout`` must have a value."""
    needed = list(required)
    values = {key: value if key in needed or key == "timeout" else optional(value) for key, value in properties.items()}
    schema: Schema = {"type": "object", "properties": values, "additionalProperties": False, **more}
    return {**schema, "required": needed} if needed else schema


def spelt(keys: Keys, values: Mapping[str, Schema], required: Iterable[str] = (), **more: Any) -> Schema:
    """Return the schema of a mapping with every spelling of ``keys``, each with the schema of what it means."""
    return closed({word: values.get(meant, {}) for word, meant in keys.spellings.items()}, required, **more)


def present(*keys: str) -> Schema:
    """Return the schema of a mapping in which each of ``keys`` has a value."""
    return {"required": list(keys), "properties": {key: {"not": NULL} for key in keys}}


def absent(*keys: str) -> Schema:
    """Return the schema of a mapping in which none of ``keys`` has a value."""
    return {"properties": dict.fromkeys(keys, NULL)}


def either(kind: str, then: Schema, otherwise: Schema) -> Schema:
    """Return the schema of a value that is of one kind or else something other."""
    return {"if": {"type": kind}, "then": then, "else": otherwise}


DEFS: dict[str, Schema] = {}
"""Schemas that others refer to, by name."""


def define(name: str, schema: Schema) -> Schema:
    """Put ``schema`` under ``$defs`` and return the schema that refers to it."""
    DEFS[name] = schema
    return {"$ref": f"#/$defs/{name}"}


_TEXT_OR_LIST: Schema = either("string", {}, TEXTS)
FLAGS: dict[str, Schema] = {
    flag: BOOLEAN if flag in BOOLEAN_FLAGS else PLAIN if flag in TEXT_FLAGS else _TEXT_OR_LIST
    for flag in CAPABILITY_FLAGS
}
TOOL_NAME: Schema = define(
    "tool_name",
    {
        "type": "string",
        "if": {"pattern": f"^{PREFIX}"},
        "then": {"enum": sorted({*BUILTINS, *builtin_spellings()})},
        "else": NAME,
    },
)
_CAPABILITY: Schema = define("capability", closed(FLAGS))
OVERRIDING: dict[str, Schema] = {**FLAGS, "capability": _CAPABILITY, "description": PLAIN, "timeout": SECONDS}
OVERRIDE: Schema = define("override", closed(OVERRIDING))
_BESIDE: dict[str, Schema] = {**OVERRIDING, "override": OVERRIDE}
_LISTED_OVERRIDE: Schema = {
    "if": {"required": ["name"], "not": {"required": ["tool"]}},
    "then": closed({**_BESIDE, "name": PLAIN}, ("name",)),
    "else": closed({**_BESIDE, "tool": PLAIN}, ("tool",)),
}
OVERRIDES: Schema = define(
    "overrides",
    either(
        "array",
        {"items": {"type": "object", **_LISTED_OVERRIDE}},
        {"type": "object", "additionalProperties": optional(OVERRIDE)},
    ),
)
REFERENCE: Schema = define("reference", closed({**_BESIDE, "name": TOOL_NAME}, ("name",)))

_SLOT_VALUES: dict[str, Schema] = {**dict.fromkeys(SLOT_KEYS.canonical, PLAIN), "required": BOOLEAN}
_SLOTS: Schema = either(
    "array",
    {"items": spelt(SLOT_KEYS, _SLOT_VALUES, ("name",))},
    {"type": "object", "additionalProperties": optional(spelt(SLOT_KEYS, _SLOT_VALUES))},
)
TOOL_VALUES: dict[str, Schema] = {
    **FLAGS,
    **dict.fromkeys(("name", "code", "mode", "wraps", "transform"), PLAIN),
    "description": SAID,
    "source": {"enum": sorted(WRITTEN_SOURCES)},
    "entry_point": {"type": "string", "pattern": _ENTRY_POINT},
    "input_schema": {"type": "object"},
    "output_schema": {"type": "object"},
    "capability": _CAPABILITY,
    "resource_slots": _SLOTS,
    "lifecycle": closed(dict.fromkeys(STAGES, PLAIN)),
    "timeout": SECONDS,
    "tool_type": {"enum": list(TOOL_TYPES)},
}
RUNS: list[Schema] = [
    {"if": present("code"), "then": absent("entry_point")},
    {
        "if": {"properties": {"source": {"const": ToolSource.CUSTOM.value}}, "not": present("entry_point")},
        "then": present("code"),
    },
]
"""A tool has code or an entry point, and not both."""
_SHORT_NAME: Schema = {"type": ["string", "integer", "boolean"], "pattern": f"^{SHORT_NAME_PATTERN.pattern}$"}
INLINE: Schema = define(
    "tool", spelt(TOOL_KEYS, {**TOOL_VALUES, "name": _SHORT_NAME}, ("description", "source"), allOf=RUNS)
)
ENTRY: Schema = either(
    "object",
    {"if": {"anyOf": [{"required": [mark]} for mark in sorted(INLINE_MARKS)]}, "then": INLINE, "else": REFERENCE},
    TOOL_NAME,
)
