"""What the files of a workspace declare, each part with its span: the input of ``core.resolve``.

Models (``core.model``) say what is true of a skill; declarations also say where it stands, in listed order.
Plain slotted dataclasses: a workspace of 10,000 skills holds a few hundred thousand of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.diagnostics import Diagnostic, Place
from core.language.tree import NO_SPAN, SourceText, Span
from core.model import CustomTool, Skill, SkillAgentSource, SkillInlineTool, SkillMcpSource, ToolCapability
from core.model.declared import GroupDecl, IncludeDecl, OverrideDecl, ToolRefDecl

__all__ = [
    "ActorDecl",
    "AgentFolderDecl",
    "AgentSkillDecl",
    "BrokenFile",
    "Declarations",
    "GroupDecl",
    "IncludeDecl",
    "OverrideDecl",
    "ServerDecl",
    "ServerFile",
    "SkillFile",
    "ToolDecl",
    "ToolFile",
    "ToolRefDecl",
]


@dataclass(slots=True)
class ToolDecl:
    """A custom tool, inline (name ``<skill>/<name or inline-N>``) or from its own file.

    ``capability`` is what it declares (a conflict already counts as writing); ``flag_spans`` has the place of
    each declared flag; ``problem`` says why it can't be run, where that has been reported,
    ``refused`` that activating it would not find out by itself, and ``not_python`` is the finding that its code
    is no Python.
    """

    name: str
    span: Span
    model: SkillInlineTool | CustomTool
    capability: ToolCapability
    flag_spans: dict[str, Span] = field(default_factory=dict)
    code_span: Span = NO_SPAN
    problem: str | None = None
    refused: bool = False
    not_python: Diagnostic | None = None


@dataclass(slots=True)
class ServerDecl:
    """An MCP server; ``reference`` says that it names a server of ``.mcp.json`` and ``model`` is not to be used."""

    label: str
    span: Span
    model: SkillMcpSource
    allow: tuple[tuple[str, Span], ...] | None = None
    exclude: tuple[tuple[str, Span], ...] = ()
    overrides: tuple[OverrideDecl, ...] = ()
    reference: bool = False


@dataclass(slots=True)
class AgentFolderDecl:
    """One entry of ``agent_skill_folders``; ``path`` starts at the workspace's root, ``model`` has it as written."""

    path: str
    span: Span
    model: SkillAgentSource


@dataclass(slots=True)
class SkillFile:
    """A skill file that gave a model; a broken one gives diagnostics and a ``BrokenFile``."""

    name: str
    source: SourceText
    name_span: Span
    model: Skill
    includes: tuple[IncludeDecl, ...] = ()
    groups: tuple[GroupDecl, ...] = ()
    tools: tuple[ToolRefDecl | ToolDecl, ...] = ()
    servers: tuple[ServerDecl, ...] = ()
    agent_folders: tuple[AgentFolderDecl, ...] = ()
    overrides: tuple[OverrideDecl, ...] = ()
    read_only_span: Span | None = None
    dropped: tuple[tuple[str, Span], ...] = ()
    """What it names that was reported as unusable and left out, each with its place."""
    format_version: str | None = None
    """What the file's header says of the format, if it has one."""

    @property
    def path(self) -> str:
        """Path relative to the workspace, with ``/``."""
        return self.source.path

    def place(self, span: Span) -> Place:
        """Return ``span`` as a place in this file."""
        return self.source.place(span)


@dataclass(slots=True)
class ToolFile:
    """A custom tool's own file."""

    source: SourceText
    tool: ToolDecl

    @property
    def path(self) -> str:
        """Path relative to the workspace."""
        return self.source.path


@dataclass(slots=True)
class ActorDecl:
    """One actor, from a flat file or an actor map; ``skills`` are the valid names with their spans.

    ``meant`` are the texts by which it names skills in ways that were reported as faults.
    """

    name: str
    source: SourceText
    name_span: Span
    skills: tuple[tuple[str, Span], ...] = ()
    meant: tuple[str, ...] = ()


@dataclass(slots=True)
class ServerFile:
    """A ``.mcp.json`` or ``mcp.json`` as MCP clients use it; ``broken`` are the labels of unusable servers."""

    source: SourceText
    servers: tuple[ServerDecl, ...] = ()
    broken: tuple[str, ...] = ()


@dataclass(slots=True)
class AgentSkillDecl:
    """A folder with a SKILL.md. ``name`` falls back to the folder's name; ``valid`` means no error in it.

    ``path`` is the folder relative to the workspace, ``.`` for the workspace itself; ``steps``, ``resources``
    and ``body_offset`` serve the adapter.
    """

    name: str
    path: str
    source: SourceText
    description: str = ""
    valid: bool = True
    usable: bool = True
    frontmatter: dict[str, Any] = field(default_factory=dict)
    body: str = ""
    steps: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    allowed_tools: str | None = None
    name_span: Span = NO_SPAN
    """Where ``name`` stands; ``NO_SPAN`` where it had to be guessed."""


@dataclass(slots=True)
class BrokenFile:
    """A file that is meant to be something but gave no model; ``name`` where it could still be read."""

    path: str
    kind: str
    name: str | None = None


@dataclass(slots=True)
class Declarations:
    """All that the files of one workspace declare, and what is wrong with them so far."""

    skills: list[SkillFile] = field(default_factory=list)
    tools: list[ToolFile] = field(default_factory=list)
    actors: list[ActorDecl] = field(default_factory=list)
    agent_skills: list[AgentSkillDecl] = field(default_factory=list)
    server_files: list[ServerFile] = field(default_factory=list)
    broken: list[BrokenFile] = field(default_factory=list)
    sub_workspaces: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    files: int = 0
    unread: int = 0
    complete: bool = True
    """Whether every file was looked at; ``unread`` of the ``files`` were not when reading was stopped."""
    depends: dict[str, list[str]] = field(default_factory=dict)
    """Python files that entry points name, each with the YAML files to read again when it changes."""
