"""What one skill lists itself, without its includes: its tools in order, their overrides there, and what is missing."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

from core.diagnostics.rules.resolution import AGENT_FOLDER_MISSING, UNKNOWN_SERVER, UNKNOWN_TOOL
from core.language.declarations import (
    AgentFolderDecl,
    AgentSkillDecl,
    OverrideDecl,
    ServerDecl,
    SkillFile,
    ToolDecl,
    ToolRefDecl,
)
from core.language.tree import SourceText, Span
from core.model.builtins import BUILTINS, GROUPS, PREFIX
from core.resolve.faults import Fault, quoted
from core.resolve.index import Index
from core.resolve.servers import Named, ServerUse
from core.resolve.tools import AGENT_SKILL, Tool, ToolTable, several
from core.resolve.views import CustomDefinition
from core.text import like_the_best, nearest

Layer = tuple[OverrideDecl, SourceText]


@dataclass(slots=True)
class Listing:
    """The own part of a skill. ``spans`` has the entry that lists a tool where it isn't a plain built-in group's."""

    tools: dict[int, None] = field(default_factory=dict)
    layers: dict[int, tuple[Layer, ...]] = field(default_factory=dict)
    spans: dict[int, Span] = field(default_factory=dict)
    servers: tuple[ServerUse, ...] = ()
    faults: list[Fault] = field(default_factory=list)
    absent: list[Named] = field(default_factory=list)
    server_misses: list[tuple[OverrideDecl, SourceText, ServerUse]] = field(default_factory=list)

    @property
    def is_noted(self) -> bool:
        """Whether something listed is at fault, or is a server."""
        return bool(self.faults or self.servers or self.absent)

    @property
    def unknown_labels(self) -> list[str]:
        """The servers whose tools nobody knows before they are discovered."""
        return list(dict.fromkeys(use.label for use in self.servers if use.unknown))

    def add(self, tool: int, span: Span) -> None:
        """Take a tool at the place of its entry; one that is there already keeps its position."""
        self.tools.setdefault(tool)
        self.spans.setdefault(tool, span)

    def lay(self, tool: int, decl: OverrideDecl, source: SourceText) -> None:
        """Lay an override over a tool of this listing."""
        self.layers[tool] = (*self.layers.get(tool, ()), (decl, source))


class Lister:
    """Lists skills one after the other, giving each definition its number in ``table``."""

    def __init__(self, index: Index, table: ToolTable) -> None:
        self._index = index
        self._table = table
        self._named: dict[str, list[int]] = {}

    def listing_of(self, file: SkillFile) -> Listing:
        """Return what ``file`` lists: built-in groups, tools, MCP servers, Agent Skills, in this order."""
        listing = Listing()
        for group in file.groups:
            for spec in GROUPS.get(group.name, ()):
                listing.add(self._table.builtin(spec), group.span)
        for entry in file.tools:
            if isinstance(entry, ToolRefDecl):
                self._reference(listing, file, entry)
            else:
                tool = self._table.custom(entry, file.source)
                listing.add(tool, entry.span)
                self._check_usable(listing, file, entry.span, [tool])
        self._check_inline_names(listing, file)
        for server in file.servers:
            self._server(listing, file, server)
        for folder in file.agent_folders:
            self._agent_skill(listing, file, folder)
        listing.faults.extend(_left_out(file, name, span) for name, span in file.dropped)
        return listing

    def _reference(self, listing: Listing, file: SkillFile, entry: ToolRefDecl) -> None:
        tools = self._named.get(entry.name)
        if tools is None:
            tools = self._named[entry.name] = self._numbers(entry.name)
        if not tools:
            listing.faults.append(self._unknown_tool(file, entry))
        for tool in tools:
            listing.add(tool, entry.span)
            if entry.override is not None:
                listing.lay(tool, entry.override, file.source)
        self._check_usable(listing, file, entry.span, tools)

    def _check_inline_names(self, listing: Listing, file: SkillFile) -> None:
        """Take it as a fault of the listing that inline tools share a name."""
        inline: dict[str, list[ToolDecl]] = {}
        for entry in file.tools:
            if isinstance(entry, ToolDecl):
                inline.setdefault(entry.name, []).append(entry)
        for same in inline.values():
            if len(same) > 1:
                found = [self._table.tools[self._table.custom(entry, file.source)] for entry in same]
                self._unusable(listing, file, same[1].span, found, several(len(same)))

    def _check_usable(self, listing: Listing, file: SkillFile, span: Span, tools: list[int]) -> None:
        """Take it as a fault of the listing that an entry's tool can't be used; its cause has its own diagnostic."""
        found = [self._table.tools[tool] for tool in tools]
        problem = several(len(found)) if len(found) > 1 else found[0].problem if found else None
        if problem is not None:
            self._unusable(listing, file, span, found, problem)

    def _unusable(self, listing: Listing, file: SkillFile, span: Span, found: list[Tool], problem: str) -> None:
        causes = [tool.definition.source.path for tool in found if isinstance(tool.definition, CustomDefinition)]
        name = found[0].name
        message = f"{quoted(file.name)} lists {quoted(name)}, which can't be used: {problem}"
        details = {"tool": name, "cause": causes[0] if len(set(causes)) == 1 else causes}
        listing.faults.append(Fault(span, message, name, tool=name, details=details))

    def _numbers(self, name: str) -> list[int]:
        spec = BUILTINS.get(name)
        if spec is not None:
            return [self._table.builtin(spec)]
        return [self._table.custom(found.tool, found.source) for found in self._index.tool_files.get(name, ())]

    def _unknown_tool(self, file: SkillFile, entry: ToolRefDecl) -> Fault:
        name = entry.written or entry.name
        details = {"tool": name}
        broken = self._index.broken_tool(entry.name)
        if broken is not None:
            message = f"{quoted(file.name)} lists {quoted(name)}, but {quoted(broken.path)} can't be read"
            return Fault(entry.span, message, name, tool=name, details={**details, "cause": broken.path})
        near = tuple(self._index.near_tools.to(name))
        message = f"{quoted(file.name)} lists {quoted(name)}, which no file defines"
        if name.startswith(PREFIX):
            near = tuple(like_the_best(name, nearest(name, BUILTINS)))
            message = f"{quoted(file.name)} lists {quoted(name)}, but no built-in tool is called so"
            hint = None if near else f"the groups of built-in tools are {', '.join(GROUPS)}"
            return Fault(entry.span, message, name, UNKNOWN_TOOL, near, hint, name, details)
        hint = self._other_section(file, name)
        return Fault(entry.span, message, name, UNKNOWN_TOOL, () if hint else near, hint, name, details)

    def _other_section(self, file: SkillFile, name: str) -> str | None:
        """Return where ``name`` belongs if it is something else than a tool to be listed."""
        if name in self._index.skills:
            return "it is a skill: list it under `includes:`"
        source = name.split("/", 1)[0]
        if source == AGENT_SKILL:
            return "an Agent Skill comes with its folder: list that under `agent_skill_folders:`"
        if any(server.label == source for server in file.servers):
            return f"the tools of the MCP server {quoted(source)} come with it: delete this entry"
        return None

    def _server(self, listing: Listing, file: SkillFile, decl: ServerDecl) -> None:
        use = self._index.servers.use(decl, file.source, file.name)
        if use is None:
            listing.faults.append(self._unknown_server(file, decl))
            return
        listing.servers = (*listing.servers, use)
        listing.absent.extend(use.absent)
        numbers = {}
        for name, found in use.tools:
            numbers[name] = self._table.mcp(use, name, found)
            listing.add(numbers[name], decl.span)
        for override, source in use.overrides:
            tool = numbers.get(override.tool, numbers.get(override.tool.removeprefix(f"{use.label}/")))
            if tool is not None:
                listing.lay(tool, override, source)
            elif source is file.source and not use.unknown and use.error is None:
                listing.server_misses.append((override, source, use))

    def _unknown_server(self, file: SkillFile, decl: ServerDecl) -> Fault:
        near = tuple(nearest(decl.label, self._index.servers.shared))
        message = f"{quoted(file.name)} refers to the MCP server {quoted(decl.label)}, which no server file defines"
        details = {"server": decl.label}
        rule = None if self._index.broken_server(decl.label) else UNKNOWN_SERVER
        return Fault(decl.span, message, decl.label, rule, near, "define it in `.mcp.json`", details=details)

    def _agent_skill(self, listing: Listing, file: SkillFile, entry: AgentFolderDecl) -> None:
        decl = self._folder(file, entry)
        if decl is None:
            listing.faults.append(self._missing_folder(file, entry))
            return
        listing.add(self._table.agent_skill(decl), entry.span)
        if not decl.valid or not decl.usable:
            message = f"{quoted(file.name)} offers the Agent Skill {quoted(decl.name)}, whose SKILL.md has errors"
            details = {"agent_skill": decl.path, "cause": decl.source.path}
            tool = f"{AGENT_SKILL}/{decl.name}"
            listing.faults.append(Fault(entry.span, message, entry.path, tool=tool, details=details))

    def _folder(self, file: SkillFile, entry: AgentFolderDecl) -> AgentSkillDecl | None:
        """Find the folder from the root, or else from the file's own folder (language, part 1)."""
        from_file = posixpath.join(posixpath.dirname(file.path), entry.path)
        found = (self._index.agent_skills.get(posixpath.normpath(path)) for path in (entry.path, from_file))
        return next((decl for decl in found if decl is not None), None)

    def _missing_folder(self, file: SkillFile, entry: AgentFolderDecl) -> Fault:
        details = {"agent_skill": entry.path}
        broken = self._index.broken_agent_skill(posixpath.normpath(entry.path))
        if broken is not None:
            message = f"{quoted(file.name)} offers the Agent Skill in {quoted(entry.path)}, which can't be read"
            return Fault(entry.span, message, entry.path, details={**details, "cause": broken.path})
        near = tuple(self._index.near_folders.to(entry.path))
        folder, _, last = entry.path.rpartition("/")
        if last.lower() == "skill.md" and posixpath.normpath(folder or ".") in self._index.agent_skills:
            message = f"{quoted(file.name)} names the file {quoted(entry.path)}, where the folder around it is wanted"
            hint = f"write {quoted(folder or '.')}"
            return Fault(entry.span, message, entry.path, AGENT_FOLDER_MISSING, (), hint, details=details)
        message = f"{quoted(file.name)} names the folder {quoted(entry.path)}, where there is no SKILL.md"
        return Fault(entry.span, message, entry.path, AGENT_FOLDER_MISSING, near, details=details)


def _left_out(file: SkillFile, name: str, span: Span) -> Fault:
    message = f"{quoted(file.name)} names {quoted(name)}, which can't be used and is left out"
    return Fault(span, message, name, details={"left_out": name, "cause": file.path})
