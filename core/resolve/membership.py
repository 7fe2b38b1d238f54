"""Which tools are in which skill's set: one integer of bits a skill, children to parents, dropped once used.

On the way the tools that overrides name are found, since a short name means something only within a set.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from core.language.declarations import OverrideDecl
from core.language.tree import SourceText
from core.model.builtins import PREFIX, canonical_builtin
from core.resolve.bits import Counts, Masks, bits_of, numbers_of
from core.resolve.near import NearNames
from core.resolve.own import Layer
from core.resolve.structure import Structure
from core.resolve.views import SkillStatus

Sites = dict[int, tuple[Layer, ...]]
"""The override layers laid over each tool at one place, inner first."""


class Miss(NamedTuple):
    """An override that names no tool of its set, or (``several``) more than one."""

    skill: int
    decl: OverrideDecl
    source: SourceText
    near: tuple[str, ...]
    several: bool = False


@dataclass(slots=True)
class Membership:
    """What one pass over all sets gives. Nothing here grows with the number of tools of each skill.

    ``labels`` and ``unknown`` are bits of ``label_names``: the MCP servers of a set, and those of unknown tools.
    ``clashes`` are definitions of one name that meet in a set.
    """

    counts: list[Counts]
    labels: list[int]
    unknown: list[int]
    label_names: list[str]
    include_sites: list[dict[int, Sites]]
    own_sites: list[Sites]
    misses: list[Miss] = field(default_factory=list)
    clashes: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)
    first_clashes: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)

    def labels_of(self, skill: int) -> tuple[str, ...]:
        """Return the labels of the MCP servers in a set, sorted."""
        return self._named(self.labels[skill])

    def unknown_of(self, skill: int) -> tuple[str, ...]:
        """Return the labels of the servers whose tools are unknown, sorted."""
        return self._named(self.unknown[skill])

    def _named(self, bits: int) -> tuple[str, ...]:
        return tuple(sorted(name for at, name in enumerate(self.label_names) if bits >> at & 1))


class MembershipPass:
    """Carries the sets from children to parents."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._tools = structure.table.tools
        self._by_name = structure.table.by_name
        self._masks = Masks.of(self._tools)
        self._last_parts: dict[str, int] | None = None
        self._near_full = NearNames(lambda: self._by_name)
        self._near_last = NearNames(lambda: self._lasts())
        self._shared_names = bits_of(n for numbers in self._by_name.values() if len(numbers) > 1 for n in numbers)
        self._label_bits: dict[str, int] = {}
        self._present: dict[int, int] = {}
        self._waiting = [len(parents) for parents in structure.parents]

    def run(self) -> Membership:
        """Return membership for all skills."""
        count = len(self._structure.files)
        found = Membership([Counts()] * count, [0] * count, [0] * count, [], [], [])
        found.include_sites = [{} for _ in range(count)]
        found.own_sites = [{} for _ in range(count)]
        for skill in self._structure.order:
            self._visit(skill, found)
            self._drop(skill)
        found.label_names = list(self._label_bits)
        return found

    def _visit(self, skill: int, found: Membership) -> None:
        structure = self._structure
        listing, file = structure.listings[skill], structure.files[skill]
        present = bits_of(listing.tools)
        for use in listing.servers:
            bit = 1 << self._label_bits.setdefault(use.label, len(self._label_bits))
            found.labels[skill] |= bit
            found.unknown[skill] |= bit if use.unknown else 0
        for at, child in structure.ways[skill]:
            present |= self._present[child]
            found.labels[skill] |= found.labels[child]
            found.unknown[skill] |= found.unknown[child]
            if file.includes[at].overrides:
                laid = [(decl, file.source) for decl in file.includes[at].overrides]
                found.include_sites[skill][at] = self._place(skill, child, self._present[child], laid, found)
        self._present[skill] = present
        if file.overrides:
            laid = [(decl, file.source) for decl in file.overrides]
            found.own_sites[skill] = self._place(skill, skill, present, laid, found)
        for decl, source, use in listing.server_misses:
            near = self._near(decl.tool, present, f"{use.label}/")
            found.misses.append(Miss(skill, decl, source, near))
        found.counts[skill] = self._masks.count(present)
        if present & self._shared_names:
            self._clash(skill, present, found)

    def _drop(self, skill: int) -> None:
        """Forget the sets that no parent waits for any longer."""
        for child in self._structure.children[skill]:
            self._waiting[child] -= 1
            if not self._waiting[child]:
                del self._present[child]
        if not self._waiting[skill]:
            del self._present[skill]

    def _place(self, skill: int, owner: int, present: int, laid: list[Layer], found: Membership) -> Sites:
        """Return the tools that overrides of ``skill`` mean in the set ``present``, which is that of ``owner``."""
        sites: Sites = {}
        for decl, source in laid:
            tools = self._meant(decl.tool, present)
            names = {self._tools[tool].name for tool in tools}
            if len(names) > 1:
                found.misses.append(Miss(skill, decl, source, tuple(sorted(names)[:5]), several=True))
            elif names:
                for tool in tools:
                    sites[tool] = (*sites.get(tool, ()), (decl, source))
            elif self._is_whole(owner, decl.tool, found):
                found.misses.append(Miss(skill, decl, source, self._near(decl.tool, present)))
        return sites

    def _is_whole(self, owner: int, tool: str, found: Membership) -> bool:
        """Whether a tool missing from the set is a fault of its own: nothing else says that the set is incomplete."""
        if self._structure.status[owner] is not SkillStatus.RESOLVED:
            return False
        unknown = found.unknown[owner]
        if not unknown:
            return True
        label = tool.split("/", 1)[0]
        return "/" in tool and not unknown >> self._label_bits.get(label, len(self._label_bits)) & 1

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
            for number, tool in enumerate(self._tools):
                by_last[tool.last_part].append(number)
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
        if not clashes:
            return
        found.clashes[skill] = clashes
        known = {group for child in self._structure.children[skill] for group in found.clashes.get(child, ())}
        found.first_clashes.extend((skill, group) for group in clashes if group not in known)


def _builtin_alias(name: str) -> str:
    canonical = canonical_builtin(PREFIX + name)
    return canonical.removeprefix(PREFIX) if canonical else name
