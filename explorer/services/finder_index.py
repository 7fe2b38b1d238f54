"""The names that can be found in a workspace: skills, and the tools that each lists itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from core.language.declarations import GroupDecl, ServerDecl, SkillFile, ToolDecl, ToolRefDecl
from core.model.builtins import GROUPS
from explorer.services.finder import Entry, Finder, Taken
from explorer.services.flat import direct_records

if TYPE_CHECKING:
    from core.workspace import Workspace


def build_finder(workspace: Workspace, before: Finder | None = None) -> Finder:
    """Return the finder of a loaded workspace; flattens nothing but the skills whose servers have told their tools.

    Skills whose files are the same are taken from ``before``.
    """
    folders = {skill.path: skill.name for skill in workspace.declarations.agent_skills}
    live = _with_live_servers(workspace)
    known = before.taken if before else {}
    found: dict[str, Taken] = {}
    differ = False
    for name, file in _files_of(workspace).items():
        taken = earlier = known.get(name)
        if taken is None or file is None or taken.file is not file:
            told = _told_tools(workspace, name) if name in live else []
            taken = _taken(name, file, told, folders)
            differ = differ or earlier is None or earlier.entries != taken.entries
        found[name] = taken
    if before and not differ and len(found) == len(known):
        return Finder(before.entries, before.haystack, found)
    finder = Finder(taken=found)
    finder.take(found.values())
    return finder


def _files_of(workspace: Workspace) -> Mapping[str, SkillFile | None]:
    files = workspace.catalogue.files()
    if not workspace.last_good:
        return files
    files = {**files, **{name: good.file for name, good in workspace.last_good.items()}}
    return {name: files[name] for name in sorted(files)}


def _taken(name: str, file: SkillFile | None, told: list[str], folders: dict[str, str]) -> Taken:
    own = [*_own_tools(file, folders)] if file else []
    entries = [Entry(name), *(Entry(name, tool) for tool in dict.fromkeys((*own, *told)))]
    heard = {tool.split("/", 1)[0] for tool in told}
    labels = dict.fromkeys(server.label for server in (file.servers if file else ()))
    entries += [Entry(name, server=label) for label in labels if label not in heard]
    says_all = file is not None and not (file.agent_folders or file.servers)
    return Taken(file if says_all else None, entries, [entry.name.casefold() for entry in entries])


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
