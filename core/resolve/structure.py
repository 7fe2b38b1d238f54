"""Skills, their own parts and their includes put together: who includes whom, and how far each resolves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from core.diagnostics.rules.include import MISSING
from core.language.declarations import Declarations, IncludeDecl, SkillFile
from core.model.builtins import BUILTINS, GROUPS
from core.model.discovery import DiscoveredServer
from core.resolve.carried import NEW, Carried, keep_numbers, may_follow, to_list_again
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

    include_faults: dict[int, dict[int, Fault]]
    astray: set[int]
    single: list[bool]
    targets: list[list[int]]
    edges: list[list[int]]
    component: Sequence[int]
    cyclic: list[list[int]]
    in_cycle: bytearray
    ways: list[list[tuple[int, int]]]
    children: list[list[int]]
    parents: list[list[int]]
    order: list[int]
    _unique: dict[str, int]

    def __init__(
        self,
        declarations: Declarations,
        discovered: Mapping[str, DiscoveredServer],
        before: Structure | None = None,
    ) -> None:
        """Put together what is declared; what is as it was in ``before`` is taken from there."""
        if before is not None and not may_follow(before, declarations, discovered):
            before = None
        self.index: Index = Index(declarations, discovered, before.index if before else None)
        self.files: list[SkillFile] = self.index.files
        self.carried: Carried | None = Carried.of(before, self.index) if before else None
        self.table: ToolTable = before.table.successor() if before else ToolTable()
        self._cycles: list[Cycles] | None = None
        self._listers: list[list[int]] | None = None
        self.listings: list[Listing] = self._relist(self.carried) if self.carried else self._list()
        fresh, relisted = (self.carried.fresh, self.carried.relisted) if self.carried else ((), ())
        self.noted: set[int] = self._kept("noted", relisted, lambda at: self.listings[at].is_noted)
        """The skills that list something at fault, or a server."""
        self.layered: set[int] = self._kept("layered", relisted, lambda at: self.listings[at].layers)
        """The skills that lay overrides over what they list."""
        self.claiming: set[int] = self._kept("claiming", fresh, lambda at: self.files[at].model.read_only)
        """The skills that claim to be read-only."""
        self._link(self.carried)
        self.status: list[SkillStatus] = self._carried_status(self.carried) or self._statuses()

    def _list(self) -> list[Listing]:
        lister = Lister(self.index, self.table)
        listings = [lister.listing_of(file) for file in self.files]
        for listing in listings:
            self.table.take(listing.tools)
        return listings

    def _relist(self, carried: Carried) -> list[Listing]:
        """Make the own parts that may differ; the others are those of before."""
        earlier = carried.before.listings
        affected = keep_numbers(carried, self.index, self.table)
        carried.relisted = to_list_again(carried, self.index, affected)
        lister = Lister(self.index, self.table)
        listings = earlier.copy() if carried.same_names else self._earlier(carried)
        released = [earlier[number].tools for number in carried.gone()]
        for number in sorted(carried.relisted):
            released.append(listings[number].tools)
            listings[number] = lister.listing_of(self.files[number])
            self.table.take(listings[number].tools)
        for tools in released:
            self.table.release(tools)
        for tools in released:
            self.table.forget(tools)
        return listings

    def _earlier(self, carried: Carried) -> list[Listing]:
        earlier = carried.before.listings
        return [earlier[old] if old != NEW else Listing() for old in carried.old]

    def _kept(self, name: str, redone: Collection[int], holds: Callable[[int], object]) -> set[int]:
        """Return the skills of which ``holds``; it is asked of those that are ``redone``, the others are as before."""
        if self.carried is None or not self.carried.same_names:
            return set(filter(holds, range(len(self.files))))
        earlier: set[int] = getattr(self.carried.before, name)
        return earlier.difference(redone).union(filter(holds, redone))

    def _link(self, carried: Carried | None) -> None:
        """Find whom each skill includes, and what follows for the graph; it is that of before if includes are."""
        if carried and carried.same_names:
            before = carried.before
            self.single, self._unique = before.single, before._unique
            self.targets = before.targets.copy()
            for number in carried.fresh:
                self.targets[number] = self._targets_of(self.files[number])
            carried.same_graph = all(self.targets[n] == before.targets[n] for n in carried.fresh)
        else:
            self.single = [len(self.index.skills[file.name]) == 1 for file in self.files]
            self._unique = {name: numbers[0] for name, numbers in self.index.skills.items() if len(numbers) == 1}
            self.targets = [self._targets_of(file) for file in self.files]
        fresh = carried.fresh if carried else ()
        self.astray = self._kept("astray", fresh, lambda at: NOBODY in self.targets[at])
        self.include_faults = {number: self._faults_of(number) for number in sorted(self.astray)}
        if carried and carried.same_graph:
            self._take_graph(carried.before)
        else:
            self._make_graph()

    def _take_graph(self, before: Structure) -> None:
        self.edges, self.component, self.cyclic = before.edges, before.component, before.cyclic
        self.in_cycle = before.in_cycle
        self.ways, self.children, self.parents, self.order = before.ways, before.children, before.parents, before.order
        self._cycles = before._cycles

    def _make_graph(self) -> None:
        count = len(self.files)
        self.edges = [self._edges_of(number) for number in range(count)]
        self.in_cycle = bytearray(count)
        self.order = children_first(self.edges)
        self.component = range(count)
        self.cyclic = []
        if len(self.order) < count:
            self._find_cycles()
        self.ways = [self._ways_of(number) for number in range(count)]
        self.children = self.edges
        if self.cyclic:
            self.children = [list(dict.fromkeys(child for _, child in ways)) for ways in self.ways]
            self.order = children_first(self.children)
        self.parents = reversed_edges(self.children)

    def _find_cycles(self) -> None:
        found = components(self.edges)
        self.component = found.number
        self.cyclic = found.cyclic(self.edges)
        for members in self.cyclic:
            for number in members:
                self.in_cycle[number] = 1

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
            found: list[list[int]] = [[] for _ in self.table.tools]
            for number, listing in enumerate(self.listings):
                for listed in listing.tools:
                    found[listed].append(number)
            self._listers = found
        return self._listers[tool]

    def _targets_of(self, file: SkillFile) -> list[int]:
        find = self._unique.get
        return [find(include.name, NOBODY) for include in file.includes]

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
        targets = self.targets[number]
        if not targets or not self.single[number]:
            return []
        if NOBODY in targets or len(set(targets)) < len(targets):
            return [target for target in dict.fromkeys(targets) if target != NOBODY]
        return targets

    def _ways_of(self, number: int) -> list[tuple[int, int]]:
        if not self.targets[number] or not self.single[number]:
            return []
        entries = enumerate(self.targets[number])
        return [(at, target) for at, target in entries if target != NOBODY and not self.in_cycle[target]]

    def _carried_status(self, carried: Carried | None) -> list[SkillStatus] | None:
        """Return how far skills resolved before, if that can't have changed."""
        if carried is None or not carried.same_graph:
            return None
        earlier = carried.before.listings
        same = all(bool(self.listings[n].faults) == bool(earlier[n].faults) for n in carried.relisted)
        return carried.before.status if same else None

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
