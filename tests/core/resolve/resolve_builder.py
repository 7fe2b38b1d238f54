"""Declarations put together in memory, for property tests that need thousands of workspaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any

from core.language.declarations import (
    ActorDecl,
    Declarations,
    IncludeDecl,
    OverrideDecl,
    SkillFile,
    ToolDecl,
    ToolFile,
    ToolRefDecl,
)
from core.language.tree import SourceText, pack
from core.model import CustomTool, Skill, ToolCapability, ToolRecord, ToolSource
from core.resolve.catalogue import Catalogue

Resolve = Callable[..., Catalogue]
Files = dict[str, str]
Fields = Mapping[str, Mapping[str, Any]]
_TEXT = "\n".join("x" * 9 for _ in range(400))


def tool(name: str = "local/t", capability: str = "{writes: true}", more: str = "") -> Files:
    """Return the file of a custom tool; ``more`` are further lines."""
    text = f"name: {name}\ndescription: Itself.\nsource: custom\ncode: return 1\n{more}"
    return {f"tools/{name.replace('/', '-')}.yaml": text + (f"capability: {capability}\n" if capability else "")}


def skill(name: str, body: str = "") -> Files:
    """Return the file of the skill ``local/<name>``; the body begins in its line 3."""
    return {f"skills/{name}.yaml": f"name: local/{name}\ndescription: D.\n{body}"}


def record(catalogue: Catalogue, skill: str, tool: str = "local/t") -> ToolRecord:
    """Return one record of a skill's set."""
    return next(found for found in catalogue.flatten(skill).records if found.name == tool)


def codes(catalogue: Catalogue) -> list[str]:
    """Return the codes of the cross-file findings, in order."""
    return [found.code for found in catalogue.diagnostics()]


class Builder:
    """Collects skills and tools; every name gets a line of its own in its file."""

    def __init__(self) -> None:
        self.declarations = Declarations()
        self._line = count()

    def tool(self, name: str, **flags: Any) -> None:
        """Add a custom tool with a file of its own."""
        capability = ToolCapability(**flags)
        model = CustomTool(name=name, description=f"about {name}", source=ToolSource.CUSTOM, code="x")
        spans = {flag: self._span() for flag in flags}
        decl = ToolDecl(name, self._span(), model, capability, spans)
        self.declarations.tools.append(ToolFile(self._source("tools", name), decl))

    def skill(
        self,
        name: str,
        tools: Iterable[str | tuple[str, Mapping[str, Any]]] = (),
        includes: Iterable[str | tuple[str, Fields]] = (),
        overrides: Fields | None = None,
        read_only: bool | None = None,
    ) -> None:
        """Add a skill; tools and includes are names, or pairs of a name and its override."""
        model = Skill(name=name, description=f"about {name}", read_only=read_only)
        self.declarations.skills.append(
            SkillFile(
                name,
                self._source("skills", name),
                self._span(),
                model,
                tuple(self._include(entry) for entry in includes),
                (),
                tuple(self._reference(entry) for entry in tools),
                overrides=self._overrides(overrides or {}),
            )
        )

    def actor(self, name: str, skills: Iterable[str]) -> ActorDecl:
        """Return an actor; it is not added."""
        given = tuple((skill, self._span()) for skill in skills)
        return ActorDecl(name, self._source("actors", name), self._span(), given)

    def _include(self, entry: str | tuple[str, Fields]) -> IncludeDecl:
        name, overrides = (entry, {}) if isinstance(entry, str) else entry
        span = self._span()
        return IncludeDecl(name, span, self._overrides(overrides), span)

    def _reference(self, entry: str | tuple[str, Mapping[str, Any]]) -> ToolRefDecl:
        if isinstance(entry, str):
            return ToolRefDecl(entry, self._span())
        name, fields = entry
        return ToolRefDecl(name, self._span(), self._override(name, fields))

    def _overrides(self, overrides: Fields) -> tuple[OverrideDecl, ...]:
        return tuple(self._override(tool, fields) for tool, fields in overrides.items())

    def _override(self, tool: str, fields: Mapping[str, Any]) -> OverrideDecl:
        return OverrideDecl(tool, self._span(), dict(fields), {name: self._span() for name in fields})

    def _span(self) -> int:
        start = 10 * (next(self._line) % 399)
        return pack(start, start + 9)

    def _source(self, folder: str, name: str) -> SourceText:
        return SourceText(f"{folder}/{name.replace('/', '-')}.yaml", _TEXT)
