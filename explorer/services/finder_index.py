"""The names that can be found in a workspace: skills, and the tools that each lists itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from operator import attrgetter, is_not
from typing import TYPE_CHECKING

from core.language.declarations import GroupDecl, ServerDecl, SkillFile, ToolDecl, ToolRefDecl
from core.model.builtins import GROUPS
from explorer.services.finder import Entry, Finder, Taken
from explorer.services.flat import direct_records

if TYPE_CHECKING:
    from core.workspace import Workspace

_UNSAID = object()
_NOTHING = Taken(_UNSAID, [], [])
_FILE = attrgetter("file")


def build_finder(workspace: Workspace, before: Finder | None = None) -> Finder:
    """Return the finder of a loaded workspace; flattens nothing but the skills whose servers have told their tools.

    Skills whose files are the same are taken from ``before``.
    """
    folders = {skill.path: skill.name for skill in workspace.declarations.agent_skills}
    live = _with_live_servers(workspace)
    names, files = _files_of(workspace)
    known = before.taken if before else {}
    earlier = [known.get(name, _NOTHING) for name in names]
    taken = dict(zip(names, earlier, strict=True))
    differ = len(known) != len(names)
    for name, file, was in compress(zip(names, files, earlier, strict=True), map(is_not, files, map(_FILE, earlier))):
        told = _told_tools(workspace, name) if name in live else []
        taken[name] = _taken(name, file, told, folders)
        differ = differ or was.entries != taken[name].entries
    if before and not differ:
        return Finder(before.entries, before.haystack, taken)
    finder = Finder(taken=taken)
    finder.take(taken.values())
    return finder


def _files_of(workspace: Workspace) -> tuple[list[str], Sequence[SkillFile | None]]:
    names, files = list(workspace.catalogue.names()), workspace.catalogue.files()
    if not workspace.last_good:
        return names, files
    found = dict(zip(names, files, strict=True))
    found |= {name: good.file for name, good in workspace.last_good.items()}
    names = sorted(found)
    return names, [found[name] for name in names]


def _taken(name: str, file: SkillFile | None, told: list[str], folders: dict[str, str]) -> Taken:
    own = [*_own_tools(file, folders)] if file else []
    entries = [Entry(name), *(Entry(name, tool) for tool in dict.fromkeys((*own, *told)))]
    heard = {tool.split("/", 1)[0] for tool in told}
    labels = dict.fromkeys(server.label for server in (file.servers if file else ()))
    entries += [Entry(name, server=label) for label in labels if label not in heard]
    says_all = file is not None and not (file.agent_folders or file.servers)
    return Taken(file if says_all else _UNSAID, entries, [entry.name.casefold() for entry in entries])


def _with_live_servers(workspace: Workspace) -> set[str]:
    if not workspace.discovered:
        return set()
    servers = workspace.catalogue.servers()
    return {skill for server in servers if server.key in workspace.discovered for skill in server.skills}


def _told_tools(workspace: Workspace, skill: str) -> list[str]:
    return [record.name for record in direct_records(workspace, skill) if record.source.startswith("mcp:")]


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
