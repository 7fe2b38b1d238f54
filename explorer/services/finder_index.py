"""The names that can be found in a workspace: skills, and the tools that each lists itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.language.declarations import GroupDecl, ServerDecl, SkillFile, ToolDecl, ToolRefDecl
from core.model.builtins import GROUPS
from explorer.services.finder import Entry, Finder, Taken
from explorer.services.flat import direct_records, file_of

if TYPE_CHECKING:
    from core.workspace import Workspace


def build_finder(workspace: Workspace, before: Finder | None = None) -> Finder:
    """Return the finder of a loaded workspace; flattens nothing but the skills whose servers have told their tools.

    Skills whose files are the same are taken from ``before``.
    """
    folders = {skill.path: skill.name for skill in workspace.declarations.agent_skills}
    finder, live = Finder(), _with_live_servers(workspace)
    known = before.taken if before else {}
    for name in sorted({*workspace.catalogue.names(), *workspace.last_good}):
        file = file_of(workspace, name)
        taken = known.get(name)
        if taken is None or file is None or taken.file is not file or file.agent_folders or file.servers:
            own = [*_own_tools(file, folders)] if file else []
            told = _told_tools(workspace, name) if name in live else []
            entries = [Entry(name), *(Entry(name, tool) for tool in dict.fromkeys((*own, *told)))]
            heard = {tool.split("/", 1)[0] for tool in told}
            labels = dict.fromkeys(server.label for server in (file.servers if file else ()))
            entries += [Entry(name, server=label) for label in labels if label not in heard]
            taken = Taken(file, entries, [entry.name.casefold() for entry in entries])
        finder.taken[name] = taken
        finder.take(taken)
    return finder


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
