"""Finding skills and tools by the words of their names, fast enough to follow typing over 100,000 of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.language.declarations import GroupDecl, ServerDecl, SkillFile, ToolDecl, ToolRefDecl
from core.model.builtins import GROUPS

if TYPE_CHECKING:
    from core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Entry:
    """A skill (``tool`` is None) or a tool that a skill lists itself."""

    skill: str
    tool: str | None = None


@dataclass
class Finder:
    """All names of a workspace, in the order of the tree. A query's words must all occur, case ignored."""

    entries: list[Entry] = field(default_factory=list)
    haystack: list[str] = field(default_factory=list)
    _last: tuple[str, list[int]] | None = None

    def find(self, query: str) -> list[Entry]:
        """Return the entries that hold every word of ``query``; a longer query narrows the hits of a shorter one."""
        needle = " ".join(query.casefold().split())
        if not needle:
            return []
        hits: Iterable[int] = range(len(self.haystack))
        if self._last and needle.startswith(self._last[0]):
            hits = self._last[1]
        haystack = self.haystack
        for word in needle.split():
            hits = [i for i in hits if word in haystack[i]]
        found = list(hits)
        self._last = (needle, found)
        return [self.entries[i] for i in found]


def build_finder(workspace: Workspace) -> Finder:
    """Return the finder of a loaded workspace; flattens nothing."""
    folders = {skill.path: skill.name for skill in workspace.declarations.agent_skills}
    finder = Finder()
    for row in workspace.catalogue.skills():
        _add(finder, Entry(row.name), row.name)
        file = workspace.catalogue.file(row.name)
        for tool in dict.fromkeys(_own_tools(file, folders)) if file else ():
            _add(finder, Entry(row.name, tool), tool)
    return finder


def _add(finder: Finder, entry: Entry, name: str) -> None:
    finder.entries.append(entry)
    finder.haystack.append(name.casefold())


def _own_tools(file: SkillFile, folders: dict[str, str]) -> Iterator[str]:
    for part in (*file.groups, *file.tools, *file.servers):
        match part:
            case GroupDecl():
                yield from (tool.name for tool in GROUPS.get(part.name, ()))
            case ToolRefDecl() | ToolDecl():
                yield part.name
            case ServerDecl():
                yield from (f"{part.label}/{name}" for name, _span in part.allow or ())
    for folder in file.agent_folders:
        if name := folders.get(folder.path.rstrip("/")):
            yield f"agent_skill/{name}"
