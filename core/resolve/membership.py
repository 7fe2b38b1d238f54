"""Which tools are in which skill's set: one integer of bits a skill, children to parents.

On the way the tools that overrides name are found, since a short name means something only within a set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from core.language.declarations import OverrideDecl
from core.language.tree import SourceText
from core.model.builtins import PREFIX, canonical_builtin
from core.resolve.bits import Counts, Masks, bits_of, numbers_of
from core.resolve.carried import NEW, Carried
from core.resolve.near import NearNames
from core.resolve.own import Layer
from core.resolve.structure import Structure
from core.resolve.views import SkillStatus

MOST_HELD_BITS = 800_000_000
"""Above this many bits in all, sets are dropped once no parent waits for them, and nothing is taken over later."""

Sites = dict[int, tuple[Layer, ...]]
"""The override layers laid over each tool at one place, inner first."""
NO_SITES: Mapping[int, Sites] = {}


class Miss(NamedTuple):
    """An override that names no tool of its set, or (``several``) more than one."""

    skill: int
    decl: OverrideDecl
    source: SourceText
    near: tuple[str, ...]
    several: bool = False


Groups = list[tuple[int, ...]]


@dataclass(slots=True)
class Membership:
    """What one pass over all sets gives. Nothing here grows with the number of tools of each skill but bits.

    ``labels`` and ``unknown`` are bits of ``label_bits``: the MCP servers of a set, and those of unknown tools.
    ``clashes`` are definitions of one name that meet in a set. ``renewed`` are the skills that were looked at again.
    """

    masks: Masks
    labels: list[int]
    unknown: list[int]
    label_bits: dict[str, int] = field(default_factory=dict)
    include_sites: dict[int, dict[int, Sites]] = field(default_factory=dict)
    own_sites: dict[int, Sites] = field(default_factory=dict)
    misses_of: dict[int, list[Miss]] = field(default_factory=dict)
    clashes: dict[int, Groups] = field(default_factory=dict)
    present: list[int] = field(default_factory=list)
    held: bool = True
    near: tuple[NearNames, NearNames] | None = None
    renewed: set[int] = field(default_factory=set)
    _counts: dict[int, Counts] = field(default_factory=dict)

    def counts_of(self, skill: int) -> Counts:
        """Return the numbers of a set as the definitions of its tools say."""
        known = self._counts.get(skill)
        if known is None:
            known = self._counts[skill] = self.masks.count(self.present[skill])
        return known

    def labels_of(self, skill: int) -> tuple[str, ...]:
        """Return the labels of the MCP servers in a set, sorted."""
        return self._named(self.labels[skill])

    def unknown_of(self, skill: int) -> tuple[str, ...]:
        """Return the labels of the servers whose tools are unknown, sorted."""
        return self._named(self.unknown[skill])

    def _named(self, bits: int) -> tuple[str, ...]:
        return tuple(sorted(name for name, at in self.label_bits.items() if bits >> at & 1)) if bits else ()

    def moved(self, carried: Carried, masks: Masks) -> Membership:
        """Return a copy in which skills have the numbers that they have now; those that are new have nothing yet."""
        misses = carried.moved(self.misses_of)
        if not carried.same_names:
            misses = {skill: [miss._replace(skill=skill) for miss in held] for skill, held in misses.items()}
        return Membership(
            masks,
            carried.in_order(self.labels),
            carried.in_order(self.unknown),
            self.label_bits.copy(),
            carried.moved(self.include_sites),
            carried.moved(self.own_sites),
            misses,
            carried.moved(self.clashes),
            carried.in_order(self.present),
            _counts=carried.moved(self._counts) if masks == self.masks else {},
        )

    def forget(self, skill: int) -> None:
        """Drop what is known of a skill that is looked at again."""
        self.labels[skill] = self.unknown[skill] = self.present[skill] = 0
        self.include_sites.pop(skill, None)
        self.own_sites.pop(skill, None)
        self.misses_of.pop(skill, None)
        self.clashes.pop(skill, None)
        self._counts.pop(skill, None)
        self.renewed.add(skill)

    def first_clashes(self, structure: Structure) -> list[tuple[int, tuple[int, ...]]]:
        """Return the groups of clashing definitions, each with the skills in whose sets they first meet."""
        found: list[tuple[int, tuple[int, ...]]] = []
        for skill in structure.order if self.clashes else ():
            groups = self.clashes.get(skill, ())
            known = {group for child in structure.children[skill] if groups for group in self.clashes.get(child, ())}
            fresh = (sorted(group, key=structure.table.rank) for group in groups if group not in known)
            ordered = sorted(fresh, key=lambda group: structure.table.rank(group[0]))
            found.extend((skill, tuple(group)) for group in ordered)
        return found

    @property
    def misses(self) -> list[Miss]:
        """The overrides that name no one tool of their set."""
        return [miss for misses in self.misses_of.values() for miss in misses]


class MembershipPass:
    """Carries the sets from children to parents; what ``before`` says of sets that are the same is taken over."""

    def __init__(self, structure: Structure, before: Membership | None = None) -> None:
        self._structure = structure
        self._tools = structure.table.tools
        self._by_name = structure.table.by_name
        self._carried = structure.carried if before is not None and before.held else None
        self._before = before if self._carried else None
        self._last_parts: dict[str, int] | None = None
        self._near_full, self._near_last = self._near_names()
        self._shared_names = bits_of(n for name in structure.table.shared for n in self._by_name[name])

    def run(self) -> Membership:
        """Return membership for all skills."""
        if self._carried and self._before:
            return self._go_on(self._carried, self._before)
        count = len(self._structure.files)
        found = Membership(Masks.of(self._tools), [0] * count, [0] * count, present=[0] * count)
        found.held = count * len(self._tools) <= MOST_HELD_BITS
        found.near = self._near_full, self._near_last
        waiting = [len(parents) for parents in self._structure.parents]
        for skill in self._structure.order:
            self._visit(skill, found)
            if not found.held:
                found.counts_of(skill)
                self._drop(skill, found.present, waiting)
        found.renewed.update(range(count))
        return found

    def _go_on(self, carried: Carried, before: Membership) -> Membership:
        """Visit the skills whose own part, includes or state is new, and upwards those whose set differs by it."""
        table = self._structure.table
        masks = before.masks.with_changed({number: self._tools[number] for number in table.changed})
        found = before.moved(carried, masks)
        found.near = self._near_full, self._near_last
        waiting = self._to_visit(carried, found)
        for skill in self._structure.order:
            if skill in waiting:
                earlier = found.present[skill], found.labels[skill], found.unknown[skill]
                found.forget(skill)
                self._visit(skill, found)
                if earlier != (found.present[skill], found.labels[skill], found.unknown[skill]):
                    waiting.update(self._structure.parents[skill])
        return found

    def _to_visit(self, carried: Carried, found: Membership) -> set[int]:
        structure, before = self._structure, carried.before
        waiting = carried.fresh | carried.relisted | found.misses_of.keys()
        if not carried.same_graph:
            now = carried.now
            for number, old in enumerate(carried.old):
                if old != NEW and structure.ways[number] != [(at, now.get(end)) for at, end in before.ways[old]]:
                    waiting.add(number)
        if structure.status is not before.status:
            for number, old in enumerate(carried.old):
                if old != NEW and structure.status[number] is not before.status[old]:
                    waiting.add(number)
                    waiting.update(structure.parents[number])
        return waiting

    def _near_names(self) -> tuple[NearNames, NearNames]:
        carried, before = self._carried, self._before
        if carried and before and before.near and self._structure.table.same_names:
            return before.near[0].anew(), before.near[1].anew()
        names = self._by_name
        return NearNames(lambda: names), NearNames(lambda: dict.fromkeys(name.rsplit("/", 1)[-1] for name in names))

    def _visit(self, skill: int, found: Membership) -> None:
        structure = self._structure
        listing, file = structure.listings[skill], structure.files[skill]
        present = bits_of(listing.tools)
        for use in listing.servers:
            bit = 1 << found.label_bits.setdefault(use.label, len(found.label_bits))
            found.labels[skill] |= bit
            found.unknown[skill] |= bit if use.unknown else 0
        for at, child in structure.ways[skill]:
            present |= found.present[child]
            found.labels[skill] |= found.labels[child]
            found.unknown[skill] |= found.unknown[child]
            if file.includes[at].overrides:
                laid = [(decl, file.source) for decl in file.includes[at].overrides]
                sites = self._place(skill, child, found.present[child], laid, found)
                found.include_sites.setdefault(skill, {})[at] = sites
        found.present[skill] = present
        if file.overrides:
            laid = [(decl, file.source) for decl in file.overrides]
            found.own_sites[skill] = self._place(skill, skill, present, laid, found)
        for decl, source, use in listing.server_misses:
            near = self._near(decl.tool, present, f"{use.label}/")
            self._missed(found, Miss(skill, decl, source, near))
        if present & self._shared_names:
            self._clash(skill, present, found)

    def _drop(self, skill: int, present: list[int], waiting: list[int]) -> None:
        """Forget the sets that no parent waits for any longer."""
        for child in self._structure.children[skill]:
            waiting[child] -= 1
            if not waiting[child]:
                present[child] = 0
        if not waiting[skill]:
            present[skill] = 0

    def _place(self, skill: int, owner: int, present: int, laid: list[Layer], found: Membership) -> Sites:
        """Return the tools that overrides of ``skill`` mean in the set ``present``, which is that of ``owner``."""
        sites: Sites = {}
        for decl, source in laid:
            tools = self._meant(decl.tool, present)
            names = {self._tools[tool].name for tool in tools}
            if len(names) > 1:
                self._missed(found, Miss(skill, decl, source, tuple(sorted(names)[:5]), several=True))
            elif names:
                for tool in tools:
                    sites[tool] = (*sites.get(tool, ()), (decl, source))
            elif self._is_whole(owner, decl.tool, found):
                self._missed(found, Miss(skill, decl, source, self._near(decl.tool, present)))
        return sites

    def _missed(self, found: Membership, miss: Miss) -> None:
        found.misses_of.setdefault(miss.skill, []).append(miss)

    def _is_whole(self, owner: int, tool: str, found: Membership) -> bool:
        """Whether a tool missing from the set is a fault of its own: nothing else says that the set is incomplete."""
        if self._structure.status[owner] is not SkillStatus.RESOLVED:
            return False
        unknown = found.unknown[owner]
        if not unknown:
            return True
        label = tool.split("/", 1)[0]
        return "/" in tool and not unknown >> found.label_bits.get(label, len(found.label_bits)) & 1

    def _meant(self, name: str, present: int) -> list[int]:
        full = self._by_name.get(canonical_builtin(name) or name, ())
        tools = [tool for tool in full if present >> tool & 1]
        if tools or "/" in name:
            return tools
        lasts = self._lasts().get(name, 0) | self._lasts().get(_builtin_alias(name), 0)
        return numbers_of(lasts & present)

    def _lasts(self) -> dict[str, int]:
        if self._last_parts is None:
            by_last: defaultdict[str, list[int]] = defaultdict(list)
            for name, numbers in self._by_name.items():
                by_last[name.rsplit("/", 1)[-1]] += numbers
            self._last_parts = {last: bits_of(numbers) for last, numbers in by_last.items()}
        return self._last_parts

    def _near(self, name: str, present: int, prefix: str = "") -> tuple[str, ...]:
        if "/" in name or prefix:
            full = name if "/" in name else prefix + name
            return tuple(self._near_full.to(full, lambda near: bool(self._meant(near, present))))
        return tuple(self._near_last.to(name, lambda near: bool(self._meant(near, present))))

    def _clash(self, skill: int, present: int, found: Membership) -> None:
        groups: defaultdict[str, list[int]] = defaultdict(list)
        for tool in numbers_of(present & self._shared_names):
            groups[self._tools[tool].name].append(tool)
        clashes = [tuple(tools) for tools in groups.values() if len(tools) > 1]
        if clashes:
            found.clashes[skill] = clashes


def _builtin_alias(name: str) -> str:
    canonical = canonical_builtin(PREFIX + name)
    return canonical.removeprefix(PREFIX) if canonical else name
