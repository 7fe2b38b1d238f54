"""Every tool definition of a workspace under a small number, so that sets of tools are bits of an integer."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from core.language.agent_skill.preview import OUTPUT_SCHEMA, input_schema
from core.language.declarations import AgentSkillDecl, ToolDecl
from core.language.tree import SourceText
from core.model import ToolCapability, ToolStatus
from core.model.builtins import Builtin
from core.model.discovery import DiscoveredTool
from core.resolve.provenance import Cell, base_of_agent_skill, base_of_builtin, base_of_custom, base_of_mcp
from core.resolve.servers import DEFAULT_TIMEOUT_S, ServerUse
from core.resolve.views import (
    AgentDefinition,
    BuiltinDefinition,
    CustomDefinition,
    McpDefinition,
    ToolDefinition,
)
from core.text import display

BUILTIN, CUSTOM, AGENT_SKILL, MCP_PREFIX = "builtin", "custom", "agent_skill", "mcp:"


_INSTRUCTIONS = ToolCapability(read_only=True)
_NOTHING_SAID = ToolCapability()


@dataclass(slots=True)
class Tool:
    """One definition; ``found`` is what discovery said of an MCP tool, ``timeout`` the time limit of its server."""

    name: str
    source: str
    definition: ToolDefinition
    status: ToolStatus = ToolStatus.READY
    problem: str | None = None
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    found: DiscoveredTool | None = None
    timeout: int = DEFAULT_TIMEOUT_S
    _base: Cell | None = None

    @property
    def base(self) -> Cell:
        """The flags, description and timeout that the definition itself gives."""
        if self._base is None:
            self._base = _base_of(self)
        return self._base

    @property
    def capability(self) -> ToolCapability:
        """The flags as the definition says them, nothing filled in."""
        match self.definition:
            case BuiltinDefinition(spec):
                return spec.capability
            case CustomDefinition(decl):
                return decl.capability
            case McpDefinition():
                return self.found.capability if self.found else _NOTHING_SAID
            case _:
                return _INSTRUCTIONS

    @property
    def last_part(self) -> str:
        """The part of the name after the last slash."""
        return self.name.rsplit("/", 1)[-1]


def several(count: int, skills: Iterable[str] = ()) -> str:
    """Return why a name that ``count`` definitions share, which ``skills`` contribute, can't be used."""
    names = [f"`{display(name, 200)}`" for name in dict.fromkeys(skills)]
    whose = f", from {', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else ""
    return f"{count} different tools have this name{whose}; rename one of them"


def _base_of(tool: Tool) -> Cell:
    match tool.definition:
        case BuiltinDefinition(spec):
            return base_of_builtin(spec)
        case CustomDefinition(decl, source):
            return base_of_custom(decl, source)
        case McpDefinition():
            return base_of_mcp(tool.found, tool.timeout)
        case AgentDefinition(skill):
            return base_of_agent_skill(skill)


@dataclass(slots=True)
class ToolTable:
    """The definitions by number, and the numbers by name; equal definitions get one number.

    A number stays with its definition from one resolution to the next, so that sets of numbers can be kept; what no
    skill lists any longer is not found by name, and its number is not used again. ``changed`` has the numbers whose
    definition is new here.
    """

    tools: list[Tool] = field(default_factory=list)
    by_name: dict[str, list[int]] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    """The names that several definitions have."""
    same_names: bool = True
    """Whether the names are those of the table that this one goes on from."""
    _ids: dict[Hashable, int] = field(default_factory=dict)
    _keys: list[Hashable] = field(default_factory=list)
    _uses: list[int] = field(default_factory=list)

    def successor(self) -> ToolTable:
        """Return a table that goes on from this one, which stays as it is."""
        copied = self._ids.copy(), self._keys.copy(), self._uses.copy()
        return ToolTable(self.tools.copy(), self.by_name.copy(), set(), self.shared.copy(), True, *copied)

    @property
    def live(self) -> int:
        """How many definitions some skill lists."""
        return len(self._ids)

    def builtin(self, spec: Builtin) -> int:
        """Return the number of a built-in."""
        known = self._ids.get(spec.name)
        return known if known is not None else self._add(spec.name, _builtin(spec))

    def custom(self, decl: ToolDecl, source: SourceText) -> int:
        """Return the number of a custom tool, inline or from its own file."""
        known = self._ids.get(id(decl))
        return known if known is not None else self._add(id(decl), _custom(decl, source))

    def mcp(self, use: ServerUse, name: str, found: DiscoveredTool | None) -> int:
        """Return the number of the tool ``name`` of a server."""
        known = self._ids.get((use.key, name))
        return known if known is not None else self._add((use.key, name), _mcp(use, name, found))

    def agent_skill(self, decl: AgentSkillDecl) -> int:
        """Return the number of an Agent Skill."""
        known = self._ids.get(id(decl))
        return known if known is not None else self._add(id(decl), _agent_skill(decl))

    def knows(self, decl: ToolDecl | AgentSkillDecl) -> bool:
        """Whether some skill has brought ``decl`` in."""
        return id(decl) in self._ids

    def rank(self, number: int) -> tuple[str, str, int]:
        """Return what definitions are ordered by where the order matters: name, file, place there."""
        tool = self.tools[number]
        match tool.definition:
            case CustomDefinition(decl, source):
                return tool.name, source.path, decl.span
            case McpDefinition(key):
                return tool.name, key, 0
            case AgentDefinition(skill):
                return tool.name, skill.source.path, 0
            case _:
                return tool.name, "", 0

    def replace(self, old: ToolDecl, new: ToolDecl, source: SourceText) -> None:
        """Have the number of ``old``, if it has one, stand for ``new``, which has the same name."""
        number = self._ids.pop(id(old), None)
        if number is not None:
            self._ids[id(new)] = number
            self._keys[number] = id(new)
            self.tools[number] = _custom(new, source)
            self.changed.add(number)

    def take(self, numbers: Iterable[int]) -> None:
        """Note that one more skill lists each of ``numbers``."""
        for number in numbers:
            self._uses[number] += 1

    def release(self, numbers: Iterable[int]) -> None:
        """Note that a skill lists ``numbers`` no longer; ``forget`` then drops what nobody lists."""
        for number in numbers:
            self._uses[number] -= 1

    def forget(self, numbers: Iterable[int]) -> None:
        """Drop those of ``numbers`` that no skill lists."""
        for number in numbers:
            if self._uses[number] == 0 and self._ids.get(self._keys[number]) == number:
                del self._ids[self._keys[number]]
                name = self.tools[number].name
                self._name(name, [other for other in self.by_name[name] if other != number])

    def _name(self, name: str, numbers: list[int]) -> None:
        """Let ``name`` stand for ``numbers`` from now on."""
        self.same_names &= bool(numbers) and name in self.by_name
        (self.shared.add if len(numbers) > 1 else self.shared.discard)(name)
        self.by_name[name] = numbers
        if not numbers:
            del self.by_name[name]

    def _add(self, key: Hashable, tool: Tool) -> int:
        number = self._ids[key] = len(self.tools)
        self.tools.append(tool)
        self._keys.append(key)
        self._uses.append(0)
        self.changed.add(number)
        self._name(tool.name, [*self.by_name.get(tool.name, ()), number])
        return number


def _builtin(spec: Builtin) -> Tool:
    definition = BuiltinDefinition(spec)
    return Tool(spec.name, BUILTIN, definition, input_schema=spec.input_schema, output_schema=spec.output_schema)


def _custom(decl: ToolDecl, source: SourceText) -> Tool:
    definition, model = CustomDefinition(decl, source), decl.model
    status = ToolStatus.UNAVAILABLE if decl.problem else ToolStatus.READY
    return Tool(decl.name, CUSTOM, definition, status, decl.problem, model.input_schema, model.output_schema)


def _mcp(use: ServerUse, name: str, found: DiscoveredTool | None) -> Tool:
    problem = found.problem if found else use.error
    status = ToolStatus.UNAVAILABLE if problem else ToolStatus.READY if found else ToolStatus.UNDISCOVERED
    return Tool(
        f"{use.label}/{name}",
        MCP_PREFIX + use.label,
        McpDefinition(use.key, use.decl, use.source, name),
        status,
        problem or (found.changed if found else None),
        found.input_schema if found else None,
        found.output_schema if found else None,
        found,
        use.timeout,
    )


def _agent_skill(decl: AgentSkillDecl) -> Tool:
    status = ToolStatus.READY if decl.usable else ToolStatus.UNAVAILABLE
    problem = None if decl.valid else f"{decl.source.path} has errors, but can be read"
    if not decl.usable:
        problem = f"{decl.source.path} has errors that make it unusable"
    name, definition = f"{AGENT_SKILL}/{decl.name}", AgentDefinition(decl)
    return Tool(name, AGENT_SKILL, definition, status, problem, input_schema(decl), OUTPUT_SCHEMA)
