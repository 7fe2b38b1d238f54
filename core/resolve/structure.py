"""Skills, their own parts and their includes put together: who includes whom, and how far each resolves."""

from __future__ import annotations

from collections.abc import Mapping

from core.diagnostics.rules.include import MISSING
from core.language.declarations import Declarations, IncludeDecl, SkillFile
from core.model.builtins import BUILTINS, GROUPS
from core.model.discovery import DiscoveredServer
from core.resolve.cycles import Budget, Cycles, cycles_of
from core.resolve.faults import Fault, quoted
from core.resolve.graph import children_first, components, reversed_edges
from core.resolve.index import Index
from core.resolve.own import Lister, Listing
from core.resolve.tools import ToolTable
from core.resolve.views import SkillStatus

NOBODY = -1


class Structure:
    """The skills of a workspace by number, one for each skill file.

    ``targets`` has the number of each include entry's skill, or ``NOBODY``; ``ways`` only the entries that bring
    tools: those of skills that exist once and lie on no cycle. ``edges`` and ``children`` are the same without
    repetition.
    """

    def __init__(self, declarations: Declarations, discovered: Mapping[str, DiscoveredServer]) -> None:
        self.index = Index(declarations, discovered)
        self.table = ToolTable()
        self.files = self.index.files
        lister = Lister(self.index, self.table)
        self.listings: list[Listing] = [lister.listing_of(file) for file in self.files]
        self.single = [self.index.skill(file.name) is not None for file in self.files]
        self.targets = [[self._target(include) for include in file.includes] for file in self.files]
        self.include_faults = [self._faults_of(number) for number in range(len(self.files))]
        self.edges = [self._edges_of(number) for number in range(len(self.files))]
        found = components(self.edges)
        self.component = found.number
        self.cyclic = found.cyclic(self.edges)
        self.in_cycle = bytearray(len(self.files))
        for members in self.cyclic:
            for number in members:
                self.in_cycle[number] = 1
        self.ways = [self._ways_of(number) for number in range(len(self.files))]
        self.children = [list(dict.fromkeys(child for _, child in ways)) for ways in self.ways]
        self.parents = reversed_edges(self.children)
        self.order = children_first(self.children)
        self.status = self._statuses()
        self._cycles: list[Cycles] | None = None
        self._listers: list[list[int]] | None = None

    @property
    def cycles(self) -> list[Cycles]:
        """The cycles of each cyclic component; found when first asked for."""
        if self._cycles is None:
            budget = Budget()
            self._cycles = [cycles_of(self.edges, members, budget) for members in self.cyclic]
        return self._cycles

    def closes_cycle(self, start: int, end: int) -> bool:
        """Whether the include of ``end`` by ``start`` lies on a cycle."""
        return bool(end != NOBODY and self.in_cycle[start] and self.component[start] == self.component[end])

    def name(self, number: int) -> str:
        """Return the name of a skill."""
        return self.files[number].name

    def listers(self, tool: int) -> list[int]:
        """Return the skills that list ``tool`` themselves."""
        if self._listers is None:
            self._listers = [[] for _ in self.table.tools]
            for number, listing in enumerate(self.listings):
                for listed in listing.tools:
                    self._listers[listed].append(number)
        return self._listers[tool]

    def _target(self, include: IncludeDecl) -> int:
        number = self.index.skill(include.name)
        return NOBODY if number is None else number

    def _faults_of(self, number: int) -> dict[int, Fault]:
        file = self.files[number]
        missing = (at for at, target in enumerate(self.targets[number]) if target == NOBODY)
        return {at: self._fault(file, file.includes[at]) for at in missing}

    def _fault(self, file: SkillFile, include: IncludeDecl) -> Fault:
        name = include.name
        details = {"include": name}
        same = self.index.skills.get(name, ())
        if same:
            message = f"{quoted(file.name)} includes {quoted(name)}, which {len(same)} files define"
            paths = [self.files[number].path for number in same]
            return Fault(include.span, message, name, details={**details, "cause": paths})
        broken = self.index.broken_skill(name)
        if broken is not None:
            message = f"{quoted(file.name)} includes {quoted(name)}, but {quoted(broken.path)} can't be read"
            return Fault(include.span, message, name, details={**details, "cause": broken.path})
        message = f"{quoted(file.name)} includes {quoted(name)}, which no file defines"
        hint = None
        if name in self.index.tool_files or name in BUILTINS:
            hint = "it is a tool: list it under `tools:`"
        elif (group := name.rsplit("/", 1)[-1]) in GROUPS:
            hint = f"`{group}` is a built-in group: list it under `builtin_groups:`"
        near = () if hint else tuple(self.index.near_skills.to(name, lambda other: other != file.name))
        return Fault(include.span, message, name, MISSING, near, hint, details=details)

    def _edges_of(self, number: int) -> list[int]:
        if not self.single[number]:
            return []
        return [target for target in dict.fromkeys(self.targets[number]) if target != NOBODY]

    def _ways_of(self, number: int) -> list[tuple[int, int]]:
        if not self.single[number]:
            return []
        entries = enumerate(self.targets[number])
        return [(at, target) for at, target in entries if target != NOBODY and not self.in_cycle[target]]

    def _statuses(self) -> list[SkillStatus]:
        status = [SkillStatus.UNRESOLVED] * len(self.files)
        for number in self.order:
            if self.single[number] and not self.in_cycle[number]:
                status[number] = self._status_of(number, status)
        return status

    def _status_of(self, number: int, status: list[SkillStatus]) -> SkillStatus:
        healthy = all(target != NOBODY and status[target] is SkillStatus.RESOLVED for target in self.targets[number])
        whole = healthy and not self.listings[number].faults
        return SkillStatus.RESOLVED if whole else SkillStatus.PARTIAL
