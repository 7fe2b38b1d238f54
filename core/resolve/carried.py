"""What one resolution takes over from the one before: the skills by number there, and which parts of them are new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, TypeVar

from core.language.declarations import Declarations, SkillFile, ToolDecl, ToolRefDecl
from core.model.discovery import DiscoveredServer
from core.resolve.index import Index, exchanged_files
from core.resolve.tools import ToolTable

if TYPE_CHECKING:
    from core.resolve.structure import Structure

NEW = -1
_T = TypeVar("_T")
_SPARE = 1_000


@dataclass(slots=True)
class Carried:
    """The earlier structure, and for each skill its number there (``NEW``: it had none).

    ``fresh`` are the skills whose file is another one, ``relisted`` those whose own part was made again. ``same_names``
    says that all numbers are the same, ``same_graph`` that all includes lead where they led.
    """

    before: Structure
    old: Sequence[int]
    same_names: bool
    fresh: set[int]
    relisted: set[int] = field(default_factory=set)
    same_graph: bool = False

    @classmethod
    def of(cls, before: Structure, index: Index) -> Carried:
        """Compare the files of ``index`` with those of ``before``."""
        if index.same_names:
            numbers = range(len(index.files))
            return cls(before, numbers, True, set(compress(numbers, map(is_not, index.files, before.files))))
        at = {(file.name, file.path): number for number, file in enumerate(before.files)}
        old = [at.get((file.name, file.path), NEW) for file in index.files]
        fresh = {n for n, file in enumerate(index.files) if old[n] == NEW or before.files[old[n]] is not file}
        return cls(before, old, False, fresh)

    @property
    def now(self) -> dict[int, int]:
        """The present number of each earlier one."""
        return {old: number for number, old in enumerate(self.old) if old != NEW}

    def in_order(self, earlier: list[int]) -> list[int]:
        """Return what ``earlier`` has by earlier number by present number; 0 for new skills."""
        return earlier.copy() if self.same_names else [earlier[old] if old != NEW else 0 for old in self.old]

    def moved(self, earlier: dict[int, _T]) -> dict[int, _T]:
        """Return what ``earlier`` has by earlier number by present number, without what is gone."""
        if self.same_names or not earlier:
            return earlier.copy()
        now = self.now
        return {now[old]: held for old, held in earlier.items() if old in now}

    def gone(self) -> Iterator[int]:
        """Give the earlier numbers of skills that are no more."""
        if not self.same_names:
            kept = set(self.old)
            yield from (number for number in range(len(self.before.files)) if number not in kept)


def may_follow(before: Structure, declarations: Declarations, discovered: Mapping[str, DiscoveredServer]) -> bool:
    """Whether a resolution of ``declarations`` can take over parts of ``before``.

    Not where what is known of MCP servers has changed, as that changes definitions in many skills at once; and not
    once too many numbers of ``before`` stand for nothing.
    """
    index = before.index
    if index.servers.discovered != discovered or len(before.table.tools) > 2 * before.table.live + _SPARE:
        return False
    if not _same_objects(index.declarations.server_files, declarations.server_files):
        return False
    exchanged = exchanged_files(index.declarations.skills, declarations.skills)
    if exchanged is not None:
        return not any(file.servers for pair in exchanged for file in pair)
    known = {id(file): file for file in before.files}
    now = {id(file): file for file in declarations.skills}
    return not any((known.get(key) or now[key]).servers for key in known.keys() ^ now.keys())


def _same_objects(left: Sequence[object], right: Sequence[object]) -> bool:
    return len(left) == len(right) and not any(map(is_not, left, right))


def keep_numbers(carried: Carried, index: Index, table: ToolTable) -> set[str]:
    """Let definitions that replace one of the same name have its number; return the tool names to be looked up again.

    Those are the names of tool files that came, went, or can be used now and could not before, or the other way.
    """
    for number in carried.fresh:
        if carried.old[number] != NEW:
            _keep_inline(carried.before.files[carried.old[number]], index.files[number], table)
    affected: set[str] = set()
    earlier = carried.before.index.tool_files
    if earlier is index.tool_files:
        return affected
    for name in earlier.keys() | index.tool_files.keys():
        old, new = earlier.get(name, []), index.tool_files.get(name, [])
        if _same_objects(old, new):
            continue
        if len(old) == len(new) == 1:
            table.replace(old[0].tool, new[0].tool, new[0].source)
        if len(old) != 1 or len(new) != 1 or old[0].tool.problem != new[0].tool.problem:
            affected.add(name)
    return affected


def _keep_inline(old: SkillFile, new: SkillFile, table: ToolTable) -> None:
    earlier = {entry.name: entry for entry in old.tools if isinstance(entry, ToolDecl)}
    for entry in new.tools:
        if isinstance(entry, ToolDecl) and (known := earlier.pop(entry.name, None)) is not None:
            table.replace(known, entry, new.source)


def to_list_again(carried: Carried, index: Index, affected: set[str]) -> set[int]:
    """Return the skills whose own part may differ: new files, and those whose entries may mean something else now.

    An entry that is at fault is looked at again each time, as hints depend on all names; so are servers, which
    count their users.
    """
    before = carried.before
    again = set(carried.fresh)
    folders = not _same_objects(before.index.declarations.agent_skills, index.declarations.agent_skills)
    if carried.same_names:
        again |= before.noted
    else:
        again.update(number for number, old in enumerate(carried.old) if old in before.noted)
    if folders:
        again.update(number for number, file in enumerate(index.files) if file.agent_folders)
    if affected:
        again.update(number for number, file in enumerate(index.files) if _refers_to(file, affected))
    return again


def _refers_to(file: SkillFile, names: set[str]) -> bool:
    return any(isinstance(entry, ToolRefDecl) and entry.name in names for entry in file.tools)
