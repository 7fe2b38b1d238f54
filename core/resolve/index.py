"""Names to declarations: skills, custom tools, Agent Skills, servers; who says one name twice; what was meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from operator import attrgetter, is_not
from pathlib import PurePosixPath
from typing import TypeVar

from core.language.declarations import AgentSkillDecl, BrokenFile, Declarations, SkillFile, ToolFile
from core.model import is_qualified_name
from core.model.builtins import BUILTINS
from core.model.discovery import DiscoveredServer
from core.resolve.near import NearNames
from core.resolve.servers import Servers


class Index:
    """What each name of a workspace stands for. Skill files keep the order of their names, then paths."""

    case_twins: list[list[str]]
    """The skills whose names differ only in upper and lower case."""
    tool_twins: list[list[str]]
    """The tool files whose names differ only so."""
    several: list[list[int]]
    """The skills of each name that several files define."""
    near_skills: NearNames
    near_tools: NearNames
    near_folders: NearNames

    def __init__(
        self, declarations: Declarations, discovered: Mapping[str, DiscoveredServer], before: Index | None = None
    ) -> None:
        self.declarations = declarations
        files = before._with_exchanged(declarations.skills) if before else None
        self.same_names = files is not None
        """Whether the same files define the same skills as in the index ``before``."""
        self.files: list[SkillFile] = files or sorted(declarations.skills, key=attrgetter("name", "source.path"))
        self.skills: dict[str, list[int]] = before.skills if before and self.same_names else _numbered(self.files)
        same = before is not None and exchanged_files(before.declarations.tools, declarations.tools) == []
        self.tool_files: dict[str, list[ToolFile]] = before.tool_files if before and same else _by_name(declarations)
        self.agent_skills: dict[str, AgentSkillDecl] = {skill.path: skill for skill in declarations.agent_skills}
        self.servers = Servers.of(declarations.server_files, discovered)
        self._broken = _Broken(declarations.broken)
        self._compare_names(before)

    def _compare_names(self, before: Index | None) -> None:
        """Find names that are like others; take over what ``before`` knows of names that are the same."""
        skills, tools, folders = self.skills, self.tool_files, self.agent_skills
        same = before is not None and self.same_names
        self.case_twins = before.case_twins if before and same else case_twins(skills)
        self.several = before.several if before and same else [found for found in skills.values() if len(found) > 1]
        self.near_skills = before.near_skills.anew() if before and same else NearNames(lambda: skills)
        same = before is not None and before.tool_files.keys() == tools.keys()
        self.tool_twins = before.tool_twins if before and same else case_twins(tools)
        self.near_tools = before.near_tools.anew() if before and same else NearNames(lambda: (*BUILTINS, *tools))
        same = before is not None and before.agent_skills.keys() == folders.keys()
        self.near_folders = before.near_folders.anew() if before and same else NearNames(lambda: folders)

    def _with_exchanged(self, skills: Sequence[SkillFile]) -> list[SkillFile] | None:
        """Return ``files`` as ``skills`` has them, where these are the same but for what some of them say."""
        exchanged = exchanged_files(self.declarations.skills, skills)
        if exchanged is None or any(old.name != new.name for old, new in exchanged):
            return None
        files = self.files.copy()
        for old, new in exchanged:
            at = next(number for number in self.skills[old.name] if files[number] is old)
            files[at] = new
        return files

    def skill(self, name: str) -> int | None:
        """Return the number of the only file that defines ``name``; None where none or several do."""
        found = self.skills.get(name, ())
        return found[0] if len(found) == 1 else None

    def broken_skill(self, name: str) -> BrokenFile | None:
        """Return the file that was meant to define the skill ``name`` but can't be read."""
        return self._broken.find("skill", name)

    def broken_tool(self, name: str) -> BrokenFile | None:
        """Return the file that was meant to define the tool ``name`` but can't be read."""
        return self._broken.find("tool", name)

    def has_broken(self, *kinds: str) -> bool:
        """Whether some file of these kinds, or one of unknown kind, can't be read, so that what it says is missing."""
        return any(file.kind in (*kinds, "file") for file in self.declarations.broken)

    def broken_agent_skill(self, folder: str) -> BrokenFile | None:
        """Return the SKILL.md of ``folder`` where it can't be read."""
        return self._broken.in_folder(folder)

    def broken_server(self, label: str) -> bool:
        """Whether a server file has a server ``label`` that was reported as unusable, or may have it unread."""
        return self.has_broken("server") or any(label in file.broken for file in self.declarations.server_files)

    def broken_skills(self) -> dict[str, BrokenFile]:
        """Return the unreadable skill files whose name could still be read, by that name."""
        named = {f.name: f for f in reversed(self.declarations.broken) if f.kind == "skill" and f.name}
        return {n: f for n, f in named.items() if n and is_qualified_name(n) and n not in self.skills}


_File = TypeVar("_File", SkillFile, ToolFile)


def exchanged_files(before: Sequence[_File], now: Sequence[_File]) -> list[tuple[_File, _File]] | None:
    """Return what has been read anew of the same files, with what it was; None where files have come or gone."""
    if len(before) != len(now):
        return None
    exchanged = list(compress(zip(before, now, strict=True), map(is_not, before, now)))
    return exchanged if all(old.path == new.path for old, new in exchanged) else None


def _by_name(declarations: Declarations) -> dict[str, list[ToolFile]]:
    found: dict[str, list[ToolFile]] = {}
    for tool_file in sorted(declarations.tools, key=attrgetter("source.path")):
        found.setdefault(tool_file.tool.name, []).append(tool_file)
    return found


def _numbered(files: list[SkillFile]) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for number, file in enumerate(files):
        numbers.setdefault(file.name, []).append(number)
    return numbers


def case_twins(names: Iterable[str]) -> list[list[str]]:
    """Return the groups of names that differ only in case."""
    by_case: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        by_case[name.casefold()].append(name)
    return [group for group in by_case.values() if len(group) > 1]


class _Broken:
    """Unreadable files by the name they give, or else, if it is no usable one, by what their path suggests."""

    def __init__(self, files: Iterable[BrokenFile]) -> None:
        self._named: dict[tuple[str, str], BrokenFile] = {}
        self._stems: dict[tuple[str, str], BrokenFile] = {}
        self._folders: dict[str, BrokenFile] = {}
        for file in files:
            path = PurePosixPath(file.path)
            if file.name and is_qualified_name(file.name):
                self._named.setdefault((file.kind, file.name), file)
            else:
                self._stems.setdefault((file.kind, path.stem), file)
            self._folders.setdefault(str(path), file)
            if path.name.lower() == "skill.md":
                self._folders.setdefault(str(path.parent), file)

    def find(self, kind: str, name: str) -> BrokenFile | None:
        stem = name.rsplit("/", 1)[-1]
        return self._named.get((kind, name)) or self._stems.get((kind, stem)) or self._stems.get(("file", stem))

    def in_folder(self, folder: str) -> BrokenFile | None:
        return self._folders.get(folder)
