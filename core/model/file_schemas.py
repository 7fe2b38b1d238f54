"""JSON Schemas of the file format, for editors: made from the same key tables that the readers use.

They say of the structure of a file what ``check`` says. What takes more than the one file, or more than its values,
they leave to it: whether what is named exists, whether flags at several places agree, whether code and schemas hold.
"""

from __future__ import annotations

from core.model.builtins import GROUPS, PREFIX
from core.model.dialect import SKILL_KEYS
from core.model.entries import FOLDER_KEYS, GROUP_KEYS, SANDBOX_POLICIES
from core.model.names import NAME_PATTERN
from core.model.schema_parts import (
    BOOLEAN,
    DEFS,
    ENTRY,
    INLINE,
    NAME,
    OVERRIDES,
    PLAIN,
    RUNS,
    SAID,
    SECONDS,
    TEXT_MAP,
    TEXTS,
    TOOL_VALUES,
    Schema,
    absent,
    closed,
    define,
    either,
    listed,
    optional,
    present,
    spelt,
)
from core.model.server_reading import LABEL_PATTERN, NEEDS_COMMAND, RESERVED_LABELS, SERVER_KEYS, TRANSPORT_WORDS, WAYS
from core.model.tool_reading import TOOL_FILE_KEYS
from core.model.wrapper import HEADER

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_URL = r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\s]"
_ANY_URL = r"^[A-Za-z][A-Za-z0-9+.-]*://"
_LABEL: Schema = {
    **PLAIN,
    "pattern": f"^{LABEL_PATTERN.pattern}$",
    "not": {"enum": sorted(RESERVED_LABELS)},
}
_WORDS = sorted(TRANSPORT_WORDS)
_OVER_HTTP: Schema = {"properties": {"transport": {"enum": [word for word in _WORDS if word != "stdio"] + [None]}}}
_OVER_PIPES: Schema = {"properties": {"transport": {"enum": ["stdio", None]}}}
_SERVER_RULES: list[Schema] = [
    {"if": present("server"), "then": absent("command", "url")},
    {"if": present("command"), "then": {**absent("url"), "allOf": [_OVER_PIPES]}},
    {"if": present("url"), "then": {**absent("args"), "allOf": [_OVER_HTTP]}},
    {
        "if": {"required": ["server"], "properties": {"server": {"type": "string", "pattern": _ANY_URL}}},
        "then": {**absent("args"), "allOf": [_OVER_HTTP]},
        "else": {"if": present("server"), "then": _OVER_PIPES},
    },
    {
        "if": {"not": {"anyOf": [present(way) for way in WAYS]}},
        "then": {**present("name"), "allOf": [absent(*NEEDS_COMMAND)]},
    },
]
_SERVER: Schema = spelt(
    SERVER_KEYS,
    {
        "name": _LABEL,
        "server": {**SAID, "if": {"type": "string", "pattern": _ANY_URL}, "then": {"pattern": _URL}},
        "command": {**SAID, "not": {"type": "string", "pattern": _ANY_URL}},
        "args": TEXTS,
        "url": {"type": "string", "pattern": _URL},
        "transport": {"enum": _WORDS},
        "env": TEXT_MAP,
        "headers": TEXT_MAP,
        "cwd": PLAIN,
        "tools": TEXTS,
        "tool_filter": closed({"include": TEXTS, "exclude": TEXTS}),
        "overrides": OVERRIDES,
        "timeout": SECONDS,
        "legacy": BOOLEAN,
    },
    allOf=_SERVER_RULES,
)
_GROUP: Schema = {"enum": list(GROUPS)}
_GROUP_ENTRY: Schema = {
    "if": {"required": ["name"]},
    "then": closed({"name": _GROUP}, ("name",)),
    "else": closed(dict.fromkeys(GROUP_KEYS.canonical, _GROUP), GROUP_KEYS.canonical),
}
_INCLUDE: Schema = closed(
    {"name": NAME, "overrides": OVERRIDES, "tool_overrides": OVERRIDES, "description": PLAIN}, ("name",)
)
_FOLDER: Schema = closed(
    {**dict.fromkeys(FOLDER_KEYS.canonical, PLAIN), "sandbox_policy": {"enum": list(SANDBOX_POLICIES)}}, ("path",)
)
_JSON_SCHEMA: Schema = {"type": "object", "required": ["type"]}
_HEADER: Schema = closed({"version": PLAIN})
_SKILL_VALUES: dict[str, Schema] = {
    "name": NAME,
    "description": SAID,
    "version": PLAIN,
    "read_only": BOOLEAN,
    "builtin_groups": listed(either("object", _GROUP_ENTRY, _GROUP)),
    "tools": listed(ENTRY),
    "anonymous_tools": listed(INLINE),
    "includes": listed(either("object", _INCLUDE, NAME)),
    "mcp_servers": listed(either("object", define("server", _SERVER), _LABEL)),
    "agent_skill_folders": listed(either("object", _FOLDER, PLAIN)),
    "overrides": OVERRIDES,
    "input_schema": _JSON_SCHEMA,
    "output_schema": _JSON_SCHEMA,
    HEADER: _HEADER,
}
_SKILL: Schema = spelt(SKILL_KEYS, _SKILL_VALUES, ("name", "description"))
_TOOL: Schema = spelt(
    TOOL_FILE_KEYS,
    {**TOOL_VALUES, "name": NAME, HEADER: _HEADER},
    ("name", "description", "source"),
    allOf=RUNS,
)

_MAPS = ("actors", "agents")
_SKILL_NAME: Schema = {
    "type": "string",
    "pattern": f"^(?!{PREFIX}|agent_skill/){NAME_PATTERN.pattern.removeprefix('^')}",
    "description": "The full name of a skill: actors get tools through skills alone.",
}
_NOTHING: Schema = {"enum": [None, [], {}]}
_DIRECT = ("tools", "anonymous_tools", "mcp_servers", "agent_skill_folders", "builtin_groups")
_ACTS: dict[str, Schema] = {
    "skills": optional(listed(_SKILL_NAME)),
    **{word: _NOTHING for word, meant in SKILL_KEYS.spellings.items() if meant in _DIRECT},
    "skill": {"not": {"type": "object"}},
}
_ENTRY: Schema = {"type": ["object", "null"], "properties": _ACTS}
_ACTOR_MAP: Schema = {
    "if": {"type": "array"},
    "then": listed(_ENTRY),
    "else": {"type": ["object", "null"], "additionalProperties": _ENTRY},
}
_ACTOR: Schema = {
    "type": "object",
    "properties": dict.fromkeys(_MAPS, _ACTOR_MAP),
    "if": {"anyOf": [present(name) for name in _MAPS], "not": present("skills")},
    "else": {"required": ["name"], "properties": {**_ACTS, "name": NAME}},
    "description": "Other keys belong to the programs that run actors.",
}


def _document(title: str, wrapper: str, flat: Schema) -> Schema:
    """Return the schema of a file that is flat, or has everything below ``wrapper``."""
    wrapped = closed({wrapper: flat, HEADER: _HEADER}, (wrapper,))
    return {"title": title, "if": {"required": [wrapper]}, "then": wrapped, "else": flat}


def _actor_document() -> Schema:
    """Return the schema of an actor file; what stands beside the wrapper belongs to other programs."""
    wrapped = {"type": "object", "properties": {"actor": _ACTOR}}
    outer = {
        "if": present("actor"),
        "then": wrapped,
        "else": _ACTOR,
        "properties": {"skill": {"not": {"type": "object"}}},
    }
    return {"title": "An actor", "type": "object", **outer}


def file_schema(kind: str) -> Schema:
    """Return the JSON Schema of ``skill``, ``tool`` or ``actor`` files.

    Raises:
        KeyError: there is no such kind of file.
    """
    found = {
        "skill": lambda: _document("A skill", "skill", _SKILL),
        "tool": lambda: _document("A custom tool", "tool", _TOOL),
        "actor": _actor_document,
    }[kind]()
    return {"$schema": DIALECT, **found, "$defs": _needed(found)}


def _needed(schema: Schema) -> dict[str, Schema]:
    """Return the definitions that ``schema`` refers to, directly or by others."""
    found: dict[str, Schema] = {}
    pending: list[object] = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            name = str(part.get("$ref", "")).rpartition("/")[2]
            if name and name not in found:
                found[name] = DEFS[name]
                pending.append(DEFS[name])
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    return dict(sorted(found.items()))
