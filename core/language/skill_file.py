"""A skill's YAML document to its declaration, with a place for every part (language, part 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.language.containment import Uncontained, contained
from core.language.declarations import AgentFolderDecl, BrokenFile, ServerDecl, SkillFile, ToolDecl
from core.language.sink import DocumentSink
from core.language.surroundings import Surroundings
from core.language.tool_checks import check_schema, check_tool, report_from_file, report_outside
from core.language.tree import Map
from core.model import Skill, SkillAgentSource, SkillInlineTool, SkillMcpSource, ToolCapability
from core.model.declared import ToolRefDecl
from core.model.dialect import SkillParts, read_skill
from core.model.entries import FolderPart
from core.model.reading import SKILL_FILE, Reader
from core.model.server_reading import ServerPart
from core.model.sinks import At
from core.model.tool_reading import ToolPart

_NOTHING_SAID = ToolCapability()


def read_skill_file(root: Map, sink: DocumentSink, around: Surroundings) -> SkillFile | BrokenFile:
    """Return what the document ``root`` declares; without a usable name it is a broken file."""
    parts = read_skill(root, Reader(sink, SKILL_FILE))
    if not parts.name:
        return BrokenFile(sink.source.path, "skill", written_name(root, "skill"))
    tools = parts.inline_tools()
    for name, part in zip(parts.inline_names, tools, strict=True):
        sink.tool = name
        check_tool(part, sink, around)
    sink.tool = None
    for schema in ("input_schema", "output_schema"):
        if schema in parts.fields:
            check_schema(parts.fields, schema, parts.container, sink)
    folders = [_folder_path(folder, sink, around) for folder in parts.folders]
    for server in parts.servers:
        check_cwd(server, sink, around)
    outside = zip(parts.folders, folders, strict=True)
    parts.dropped += [(folder.path, folder.span) for folder, path in outside if path is None]
    return _declaration(parts, Skill(**parts.model_fields()), folders, sink)


def written_name(root: Any, wrapper: str) -> str | None:
    """Return the name that a document gives, usable or not, if it can be read."""
    body = root.get(wrapper, root) if isinstance(root, Map) else None
    name = body.get("name") if isinstance(body, Map) else None
    return name if isinstance(name, str) else None


def _declaration(parts: SkillParts, model: Skill, folders: list[str | None], sink: DocumentSink) -> SkillFile:
    named = zip(parts.inline_names, model.anonymous_tools, strict=True)
    tools = tuple(_tool(tool, named, sink) for tool in parts.tools)
    servers = zip(parts.servers, model.mcp_servers, strict=True)
    sources = zip(parts.folders, folders, model.agent_skills, strict=True)
    return SkillFile(
        name=parts.name,
        source=sink.source,
        name_span=parts.name_span,
        model=model,
        includes=tuple(parts.includes),
        groups=parts.groups,
        tools=tools,
        servers=tuple(server_decl(part, source) for part, source in servers),
        agent_folders=tuple(_folder(part, path, source) for part, path, source in sources if path is not None),
        overrides=parts.overrides,
        read_only_span=parts.read_only_span,
        dropped=tuple(parts.dropped),
        format_version=parts.format_version,
    )


def _tool(
    tool: ToolRefDecl | ToolPart, named: Iterator[tuple[str, SkillInlineTool]], sink: DocumentSink
) -> ToolRefDecl | ToolDecl:
    if isinstance(tool, ToolRefDecl):
        return tool
    name, model = next(named)
    return tool_decl(tool, name, model, sink)


def tool_decl(part: ToolPart, name: str, model: SkillInlineTool, sink: DocumentSink) -> ToolDecl:
    """Return the declaration of a tool, inline or from its own file."""
    return ToolDecl(
        name=name,
        span=part.span,
        model=model,
        capability=model.capability or _NOTHING_SAID,
        flag_spans=part.said.spans(sink),
        code_span=sink.span(part.container, "code"),
        problem=part.problem,
        refused=part.refused,
        not_python=part.not_python,
    )


def server_decl(part: ServerPart, model: SkillMcpSource) -> ServerDecl:
    """Return the declaration of a server."""
    return ServerDecl(part.label, part.span, model, part.allow, part.exclude, part.overrides, part.reference)


def check_cwd(part: ServerPart, sink: DocumentSink, around: Surroundings) -> None:
    """Report a working folder outside the workspace; the server then has none."""
    cwd = part.fields.get("cwd")
    if cwd is None:
        return
    try:
        contained(around.root, cwd)
    except Uncontained as error:
        report_outside(cwd, error, At(part.container, "cwd"), sink)


def _folder_path(part: FolderPart, sink: DocumentSink, around: Surroundings) -> str | None:
    """Return the path of the folder from the root of the workspace; None outside."""
    try:
        found = around.find_folder(part.path, sink.source.path)
    except Uncontained as error:
        report_outside(part.path, error, part.at, sink)
        return None
    if found.from_file:
        report_from_file(part.path, found, part.at, sink)
    return found.path


def _folder(part: FolderPart, path: str, model: SkillAgentSource) -> AgentFolderDecl:
    return AgentFolderDecl(path, part.span, model)
