"""The two dialects of skill files, read to one set of canonical fields (language, part 3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.diagnostics import Applies
from core.diagnostics.rules.include import DUPLICATE as DUPLICATE_INCLUDE
from core.diagnostics.rules.mcp import DUPLICATE_NAME
from core.diagnostics.rules.skill import SCHEMA_WITHOUT_TYPE, VERSION
from core.model.capability_reading import as_fields, read_override_map
from core.model.declared import NO_SPAN, GroupDecl, IncludeDecl, OverrideDecl, Span, ToolRefDecl
from core.model.entries import (
    FolderPart,
    check_name,
    include_fields,
    is_plain_reference,
    name_inline_tools,
    read_folder,
    read_groups,
    read_include,
    read_inline_tool,
    read_tool_entry,
    report_repeated,
)
from core.model.names import is_qualified_name
from core.model.raising import RaisingSink
from core.model.reading import SKILL_FILE, Keys, Reader, shown
from core.model.server_reading import ServerPart, read_server_entry
from core.model.sinks import At, Change
from core.model.tool_reading import ToolPart
from core.model.wrapper import HEADER, format_version, unwrap

SKILL_KEYS = Keys(
    "a skill",
    (
        *("name", "description", "version", "read_only", "builtin_groups", "tools", "anonymous_tools", "includes"),
        *("mcp_servers", "agent_skill_folders", "overrides", "input_schema", "output_schema"),
    ),
    legacy={
        "builtins": "builtin_groups",
        "tool_refs": "tools",
        "inline_tools": "anonymous_tools",
        "inlineTools": "anonymous_tools",
        "mcpServers": "mcp_servers",
        "agent_skills": "agent_skill_folders",
        "agent_skills_dirs": "agent_skill_folders",
        "agentSkillFolders": "agent_skill_folders",
    },
    silent={HEADER: HEADER},
)
_NAMING = frozenset(("builtin_groups", "tools", "anonymous_tools", "includes", "mcp_servers", "agent_skill_folders"))
"""The sections that say what belongs to a skill."""
_SEMANTIC_VERSION = re.compile(
    r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?",
    re.ASCII,
)
_SHORT_VERSION = re.compile(r"[vV]?((?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){0,2})", re.ASCII)


@dataclass(slots=True)
class SkillParts:
    """A skill as its mapping says it, in listed order; ``fields`` are those of the model that have no parts."""

    container: Mapping[str, Any]
    keys: dict[str, str]
    name: str = ""
    name_span: Span = NO_SPAN
    fields: dict[str, Any] = field(default_factory=dict)
    format_version: str | None = None
    groups: tuple[GroupDecl, ...] = ()
    tools: list[ToolRefDecl | ToolPart] = field(default_factory=list)
    inline_names: list[str] = field(default_factory=list)
    includes: list[IncludeDecl] = field(default_factory=list)
    servers: list[ServerPart] = field(default_factory=list)
    folders: list[FolderPart] = field(default_factory=list)
    overrides: tuple[OverrideDecl, ...] = ()
    read_only_span: Span | None = None
    dropped: list[tuple[str, Span]] = field(default_factory=list)

    def drop(self, reader: Reader, items: Sequence[Any], index: int, name: Any = None) -> None:
        """Note that an entry, called ``name`` if it has a usable text for it, was reported and is left out."""
        called = name if isinstance(name, str) else f"entry {index + 1}"
        self.dropped.append((called, reader.sink.span(items, index)))

    def inline_tools(self) -> list[ToolPart]:
        """Return the tools that are defined here, those of ``tools`` first; ``inline_names`` runs parallel."""
        return [tool for tool in self.tools if isinstance(tool, ToolPart)]

    def model_fields(self) -> dict[str, Any]:
        """Return the fields of ``Skill``."""
        references = [tool for tool in self.tools if isinstance(tool, ToolRefDecl)]
        sections: dict[str, Any] = {
            "tool_refs": [tool.name for tool in references],
            "tool_ref_overrides": as_fields([tool.override for tool in references if tool.override]),
            "anonymous_tools": [tool.fields for tool in self.inline_tools()],
            "mcp_servers": [server.fields for server in self.servers],
            "agent_skills": [folder.fields for folder in self.folders],
            "overrides": as_fields(self.overrides),
        }
        plain = {"name": self.name, "description": "", **self.fields}
        return {**plain, **{name: value for name, value in sections.items() if value}}


def skill_fields(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of ``Skill`` for the parsed mapping of either form.

    Raises:
        ValueError: with every fault and its place in the mapping.
    """
    if not isinstance(config, dict):
        raise ValueError("a skill is a mapping of keys to values")
    sink = RaisingSink(config)
    parts = read_skill(config, Reader(sink, SKILL_FILE))
    sink.finish()
    return parts.model_fields()


def read_skill(config: Mapping[str, Any], reader: Reader) -> SkillParts:
    """Return the skill that ``config`` describes, without a name if it has no usable one; faults go to the sink."""
    inner = config.get("skill", config)
    name = inner.get("name") if isinstance(inner, dict) else None
    reader.sink.skill = name if isinstance(name, str) else None
    body = unwrap(config, "skill", reader)
    if body is None:
        return SkillParts(config, {})
    parts = SkillParts(body, reader.fields(body, SKILL_KEYS), format_version=format_version(config, reader))
    _read_name(reader, parts)
    for section, read in _SECTIONS.items():
        key = parts.keys.get(section)
        if key is not None:
            read(reader, parts, key)
    _drop_sections(reader, parts)
    if "description" not in parts.keys:
        reader.missing(body, "description", "the skill")
    parts.inline_names = name_inline_tools(parts.name, parts.inline_tools())
    return parts


def _drop_sections(reader: Reader, parts: SkillParts) -> None:
    """Note the sections that were reported and not read: no list, misspelt, or the second spelling of one."""
    for key, value in parts.container.items():
        section = SKILL_KEYS.spellings.get(key)
        lost = reader.misspelt(parts.container, _NAMING) if section is None else section in _NAMING
        if not lost or not value:
            continue
        if not isinstance(value, (list, tuple)) or section is None or parts.keys.get(section) != key:
            called = value if isinstance(value, str) else key
            parts.dropped.append((called, reader.sink.span(parts.container, key)))


def _read_name(reader: Reader, parts: SkillParts) -> None:
    if "name" not in parts.keys:
        reader.missing(parts.container, "name", "the skill")
        return
    parts.name_span = reader.sink.span(parts.container, "name")
    name = reader.name(parts.container, "name")
    if name is not None and check_name(reader, At(parts.container, "name"), name):
        parts.name = reader.sink.skill = name


def _read_description(reader: Reader, parts: SkillParts, key: str) -> None:
    parts.fields["description"] = reader.description(parts.container, key) or ""


def _read_version(reader: Reader, parts: SkillParts, key: str) -> None:
    value, at = parts.container[key], At(parts.container, key)
    nothing = isinstance(value, (str, dict, list))
    written = value if isinstance(value, str) else None if nothing else reader.sink.written(parts.container, key)
    if written is None:
        reader.text(parts.container, key)
        return
    parts.fields["version"] = written
    whole = _three_numbers(written)
    if not isinstance(value, str):
        reader.sink.check_text(parts.container, key, written, whole and f'or "{whole}", as a version has three numbers')
    elif not _SEMANTIC_VERSION.fullmatch(written):
        hint = f"write {whole}" if whole else "write three numbers, like 1.2.0"
        fix = Change(hint, at, f'"{whole}"', Applies.NAMED) if whole else None
        reader.sink.report(
            VERSION, at, f"{shown(written)} is no semantic version of three numbers; {hint}", hint=hint, fix=fix
        )


def _three_numbers(version: str) -> str | None:
    """Return the semantic version that one or two numbers, or three after a `v`, plainly stand for."""
    found = _SHORT_VERSION.fullmatch(version)
    if found is None:
        return None
    numbers = [*found[1].split("."), "0", "0"][:3]
    return ".".join(numbers)


def _read_read_only(reader: Reader, parts: SkillParts, key: str) -> None:
    claim = reader.flag(parts.container, key)
    if claim is not None:
        parts.fields["read_only"] = claim
        parts.read_only_span = reader.sink.span(parts.container, key)


def _read_groups(reader: Reader, parts: SkillParts, key: str) -> None:
    written, parts.groups, unknown = read_groups(reader, parts.container, key)
    parts.fields["builtin_groups"] = written
    parts.dropped += unknown


def _read_tools(reader: Reader, parts: SkillParts, key: str) -> None:
    items = reader.items(parts.container, key, "a list of tools")
    spans = reader.sink.spans(items)
    names: list[tuple[str, int]] = []
    for index, item in enumerate(items):
        tool: ToolRefDecl | ToolPart | None
        if type(item) is str and is_plain_reference(item):
            tool = ToolRefDecl(item, spans[index])
        else:
            tool = read_tool_entry(reader, items, index)
        if tool is not None:
            parts.tools.append(tool)
            if type(tool) is ToolRefDecl:
                names.append((tool.name, index))
        else:
            parts.drop(reader, items, index, item.get("name") if isinstance(item, dict) else item)
    report_repeated(reader, items, names)


def _read_anonymous(reader: Reader, parts: SkillParts, key: str) -> None:
    items = reader.items(parts.container, key, "a list of tool definitions", texts=False)
    found = [read_inline_tool(reader, items, index) for index in range(len(items))]
    parts.tools.extend(tool for tool in found if tool is not None)
    for index, tool in enumerate(found):
        if tool is None:
            parts.drop(reader, items, index)


def _read_includes(reader: Reader, parts: SkillParts, key: str) -> None:
    items = reader.items(parts.container, key, "a list of skills")
    spans = reader.sink.spans(items)
    fields: list[dict[str, Any]] = []
    named: list[tuple[str, int]] = []
    for index, item in enumerate(items):
        if type(item) is str and is_qualified_name(item):
            parts.includes.append(IncludeDecl(item, spans[index], (), spans[index]))
            fields.append({"name": item})
        elif (found := read_include(reader, items, index)) is not None:
            parts.includes.append(found[0])
            fields.append(include_fields(*found))
        else:
            parts.drop(reader, items, index, item.get("name") if isinstance(item, dict) else item)
            continue
        parts.includes[-1].removal = reader.sink.removal(parts.container, key, index)
        named.append((fields[-1]["name"], index))
    parts.fields["includes"] = fields
    report_repeated(reader, items, named, DUPLICATE_INCLUDE)


def _read_servers(reader: Reader, parts: SkillParts, key: str) -> None:
    if isinstance(parts.container[key], dict):
        reader.wrong(parts.container, key, "a list of MCP servers", hint="write each as an entry with its `name`")
        return
    items = reader.items(parts.container, key, "a list of MCP servers")
    labels: dict[str, At] = {}
    for index in range(len(items)):
        server = read_server_entry(reader, items, index)
        if server is not None and _fits(reader, server, labels, At(items, index)):
            parts.servers.append(server)
        else:
            parts.drop(reader, items, index, server.label if server is not None else None)


def _fits(reader: Reader, server: ServerPart, labels: dict[str, At], at: At) -> bool:
    """Whether the label is new; a derived one that isn't gets a number."""
    label, count = server.label, 2
    while server.derived and server.label in labels:
        server.label = server.fields["name"] = f"{label}-{count}"
        count += 1
    first = labels.setdefault(server.label, at)
    if first is at:
        return True
    message = f"Another server is called {shown(server.label)}, so their tools can't be told apart; rename one."
    reader.sink.report(
        DUPLICATE_NAME, at, message, hint="rename one of them", related=((first, "the first one is here"),)
    )
    return False


def _read_folders(reader: Reader, parts: SkillParts, key: str) -> None:
    items = reader.items(parts.container, key, "a list of folders")
    named = []
    for index in range(len(items)):
        folder = read_folder(reader, items, index)
        if folder is not None:
            parts.folders.append(folder)
            named.append((folder.path, index))
        else:
            parts.drop(reader, items, index)
    report_repeated(reader, items, named)


def _read_overrides(reader: Reader, parts: SkillParts, key: str) -> None:
    parts.overrides = read_override_map(reader, parts.container, key)


def _read_schema(reader: Reader, parts: SkillParts, key: str) -> None:
    schema = reader.mapping(parts.container, key)
    if schema is None:
        return
    parts.fields[key] = schema
    if "type" not in schema:
        message = f'`{key}` has no "type"; add one, like `type: object`.'
        reader.sink.report(SCHEMA_WITHOUT_TYPE, At(parts.container, key), message, hint="add `type: object`")


_SECTIONS: dict[str, Callable[[Reader, SkillParts, str], None]] = {
    "description": _read_description,
    "version": _read_version,
    "read_only": _read_read_only,
    "builtin_groups": _read_groups,
    "tools": _read_tools,
    "anonymous_tools": _read_anonymous,
    "includes": _read_includes,
    "mcp_servers": _read_servers,
    "agent_skill_folders": _read_folders,
    "overrides": _read_overrides,
    "input_schema": _read_schema,
    "output_schema": _read_schema,
}
