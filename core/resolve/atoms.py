"""The few tools that overrides touch, carried up the include graph as bits: one bit for each way to see a tool.

An atom is a tool as one place leaves it: as its definition says (the base), as a listing with an override gives it,
or as an include or a skill with an override hands it on. Every skill sees a set of atoms; a place with an override
replaces all atoms of its tool by its own. What a tool is in a skill's set is the join of the atoms seen there.

The atoms of one tool stand side by side, with a free guard bit above them: adding a field of ones makes the guard
bit of every tool with any atom set, so that tools are counted by flag without looking at them one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from core.language.declarations import OverrideDecl
from core.language.tree import SourceText
from core.resolve.bits import bits_of, numbers_of
from core.resolve.graph import post_order, reach
from core.resolve.membership import Membership
from core.resolve.overrides import join_cells, loosened, overlay
from core.resolve.own import Layer
from core.resolve.provenance import TEXT_FIELDS, Cell, Flag
from core.resolve.structure import Structure

MOST_HELD_BITS = 800_000_000
"""Above this many bits in all, what skills see is worked out again when asked instead of being held."""
_MOST_REMEMBERED = 100_000
_MOST_CARRIERS = 64


class Layout:
    """Where the atoms of each touched tool stand. ``start`` and ``width`` are in bits, the guard not counted."""

    def __init__(self, structure: Structure, membership: Membership) -> None:
        self.start: dict[int, int] = {}
        self.width: dict[int, int] = {}
        self.listing_bit: defaultdict[int, dict[int, int]] = defaultdict(dict)
        self.include_bit: defaultdict[int, dict[int, dict[int, int]]] = defaultdict(dict)
        self.own_bit: defaultdict[int, dict[int, int]] = defaultdict(dict)
        places = self._places(structure, membership)
        self.bits = 0
        for tool in sorted(places, key=structure.table.rank):
            self.start[tool], self.width[tool] = self.bits, len(places[tool]) + 1
            for at, (bits, key) in enumerate(places[tool], self.bits + 1):
                bits[key] = at
            self.bits += len(places[tool]) + 2
        self.ones = 0
        self.guards = 0
        if self.start:
            self.guards = bits_of(self.start[tool] + self.width[tool] for tool in self.start)
            self.ones = self.guards - bits_of(self.start.values())

    def _places(self, structure: Structure, membership: Membership) -> dict[int, list[tuple[dict[int, int], int]]]:
        places: dict[int, list[tuple[dict[int, int], int]]] = {}
        include_sites, own_sites = membership.include_sites, membership.own_sites
        layering = structure.layered.union(include_sites, own_sites)
        for skill in filter(layering.__contains__, structure.order) if layering else ():
            for tool in structure.listings[skill].layers:
                places.setdefault(tool, []).append((self.listing_bit[skill], tool))
            for at, sites in sorted(include_sites[skill].items()) if skill in include_sites else ():
                bits = self.include_bit[skill].setdefault(at, {})
                for tool in sites:
                    places.setdefault(tool, []).append((bits, tool))
            for tool in own_sites.get(skill, ()):
                places.setdefault(tool, []).append((self.own_bit[skill], tool))
        return places

    def tools_in(self, atoms: int) -> int:
        """Return the guard bits of the tools of which ``atoms`` has any."""
        return (atoms + self.ones) & self.guards

    def without(self, atoms: int, tool: int) -> int:
        """Return ``atoms`` without those of ``tool``."""
        return atoms ^ self.part(atoms, tool) << self.start[tool]

    def part(self, atoms: int, tool: int) -> int:
        """Return the atoms of ``tool`` among ``atoms``, moved down to bit 0."""
        return atoms >> self.start[tool] & (1 << self.width[tool]) - 1


class Loosening(NamedTuple):
    """An override that makes a tool look less dangerous: the fields in which it loosens what, declared or earlier."""

    skill: int
    tool: int
    decl: OverrideDecl
    source: SourceText
    declared: tuple[str, ...]
    earlier: tuple[str, ...]


class Watcher(Protocol):
    """Is told of each skill whose ways were merged, in the order of resolution, before its own overrides."""

    def merged(self, skill: int, ways: list[int], atoms: int) -> None:
        """Look at what ``skill`` sees by each of its includes, then by its own listing, and in all."""
        ...


_Handed = Cell | int
"""What a way hands on of a tool: the cell of an override there, or the skill below to ask."""


class Atoms:
    """The atoms, what each is, and which of them each skill sees."""

    def __init__(self, structure: Structure, membership: Membership) -> None:
        self.layout = Layout(structure, membership)
        self._structure = structure
        self._membership = membership
        self._tools = structure.table.tools
        self.loosened: list[Loosening] = []
        self._cells: dict[int, Cell] = {}
        self._seen: list[int] = [0] * len(structure.files)
        self.held = self.layout.bits * len(structure.files) <= MOST_HELD_BITS
        self._joined: dict[tuple[int, int], Cell] = {}
        self._carriers: dict[int, dict[int, int]] = {}

    def run(self, watcher: Watcher) -> None:
        """Work out every atom, children before parents."""
        if not self.layout.bits:
            return
        waiting = [len(parents) for parents in self._structure.parents]
        for skill in self._structure.order:
            ways = self._ways(skill, self._seen, work_out=True)
            atoms = _union(ways)
            watcher.merged(skill, ways, atoms)
            self._seen[skill] = self._own(skill, atoms, work_out=True)
            if not self.held:
                _forget(self._structure.children[skill], self._seen, waiting)

    def seen(self, skill: int) -> int:
        """Return the atoms that ``skill`` sees."""
        if self.held or not self.layout.bits:
            return self._seen[skill]
        seen: dict[int, int] = {}
        for below in post_order(self._structure.children, [skill]):
            seen[below] = self._own(below, _union(self._ways(below, seen)))
        return seen[skill]

    def each(self) -> Iterator[tuple[int, int]]:
        """Give every skill, children before parents, with the atoms that it sees."""
        if self.held or not self.layout.bits:
            yield from ((skill, self._seen[skill]) for skill in self._structure.order)
            return
        waiting = [len(parents) for parents in self._structure.parents]
        seen = [0] * len(waiting)
        for skill in self._structure.order:
            seen[skill] = self._own(skill, _union(self._ways(skill, seen)))
            yield skill, seen[skill]
            _forget(self._structure.children[skill], seen, waiting)

    def touched(self, tool: int) -> bool:
        """Whether any override touches ``tool`` anywhere."""
        return tool in self.layout.start

    def cells(self, atoms: int, tool: int) -> list[Cell]:
        """Return what the atoms of ``tool`` among ``atoms`` are."""
        start = self.layout.start[tool]
        return [self.cell(tool, start + at) for at in numbers_of(self.layout.part(atoms, tool))]

    def value(self, skill: int, tool: int, atoms: int) -> Cell:
        """Return what ``tool`` is in the set of ``skill``, which sees ``atoms``."""
        return self._value(atoms, tool, (self._handed(child, tool) for child in (skill,)))

    def value_over(self, skills: Iterable[int], tool: int, atoms: int) -> Cell:
        """Return what ``tool`` is where the sets of ``skills`` are joined, which see ``atoms`` together."""
        carriers = self._carriers_of(tool)
        return self._value(atoms, tool, (self._handed(skill, tool) for skill in skills if skill in carriers))

    def _ways(self, skill: int, seen: Mapping[int, int] | list[int], *, work_out: bool = False) -> list[int]:
        layout = self.layout
        ways = []
        for at, child in self._structure.ways[skill]:
            atoms = seen[child]
            for tool, bit in layout.include_bit[skill].get(at, {}).items():
                if work_out:
                    layers = self._membership.include_sites[skill][at][tool]
                    self._lay(skill, tool, bit, layers, self.value(child, tool, seen[child]))
                atoms = layout.without(atoms, tool) | 1 << bit
            ways.append(atoms)
        own = self._structure.listings[skill].tools
        bits = layout.listing_bit[skill]
        ways.append(bits_of(bits.get(tool, layout.start[tool]) for tool in own if tool in layout.start))
        if work_out:
            for tool, bit in bits.items():
                self._lay(skill, tool, bit, self._structure.listings[skill].layers[tool], self._tools[tool].base)
        return ways

    def _own(self, skill: int, atoms: int, *, work_out: bool = False) -> int:
        for tool, bit in self.layout.own_bit[skill].items():
            if work_out:
                before = self._value(atoms, tool, self._ways_to(skill, tool))
                self._lay(skill, tool, bit, self._membership.own_sites[skill][tool], before)
            atoms = self.layout.without(atoms, tool) | 1 << bit
        return atoms

    def _lay(self, skill: int, tool: int, bit: int, layers: tuple[Layer, ...], cell: Cell) -> None:
        base = self._tools[tool].base
        for decl, source in layers:
            declared, earlier = loosened(decl, cell, base)
            if declared or earlier:
                self.loosened.append(Loosening(skill, tool, decl, source, tuple(declared), tuple(earlier)))
            cell = overlay(cell, decl, source)
        self._cells[bit] = cell

    def cell(self, tool: int, bit: int) -> Cell:
        """Return what the atom ``bit`` of ``tool`` is."""
        return self._cells[bit] if bit in self._cells else self._tools[tool].base

    def _value(self, atoms: int, tool: int, handed: Iterator[_Handed]) -> Cell:
        part = self.layout.part(atoms, tool)
        cells = self.cells(atoms, tool)
        if len(cells) == 1:
            return cells[0]
        joined = self._joined.get((tool, part))
        if joined is None:
            if len(self._joined) > _MOST_REMEMBERED:
                self._joined.clear()
            joined = self._joined[tool, part] = join_cells(cells)
        return self._with_first_texts(joined, cells, tool, handed)

    def _with_first_texts(self, joined: Cell, cells: list[Cell], tool: int, handed: Iterator[_Handed]) -> Cell:
        """Settle texts in which the ways differ: the first way in the order of includes has the say."""
        differing = [name for name in TEXT_FIELDS if len({_value_of(cell, name) for cell in cells}) > 1]
        if not differing:
            return joined
        settled, ways = dict(joined), list(handed)
        for name in differing:
            flag = self._first(ways, tool, name)
            if flag is not None:
                settled[name] = flag
        return settled

    def _first(self, ways: list[_Handed], tool: int, name: str) -> Flag | None:
        """Return the first value of ``name`` in the order of ways, depth first."""
        visited: set[int] = set()
        walk: list[Iterator[_Handed]] = [iter(ways)]
        while walk:
            for handed in walk[-1]:
                if not isinstance(handed, int):
                    if name in handed:
                        return handed[name]
                elif handed not in visited:
                    visited.add(handed)
                    walk.append(self._ways_to(handed, tool))
                    break
            else:
                walk.pop()
        return None

    def _ways_to(self, skill: int, tool: int) -> Iterator[_Handed]:
        """Give what each way of ``skill`` hands on of ``tool``, in order, before the skill's own overrides."""
        carriers = self._carriers_of(tool)
        for at, child in self._structure.ways[skill]:
            bit = self.layout.include_bit[skill].get(at, {}).get(tool)
            if bit is not None:
                yield self._cells[bit]
            elif child in carriers:
                yield self._handed(child, tool)
        if tool in self._structure.listings[skill].tools:
            yield self.cell(tool, self.layout.listing_bit[skill].get(tool, self.layout.start[tool]))

    def _handed(self, skill: int, tool: int) -> _Handed:
        bit = self.layout.own_bit[skill].get(tool)
        return skill if bit is None else self._cells[bit]

    def _carriers_of(self, tool: int) -> dict[int, int]:
        found = self._carriers.get(tool)
        if found is None:
            if len(self._carriers) >= _MOST_CARRIERS:
                self._carriers.clear()
            found = self._carriers[tool] = reach(self._structure.parents, self._structure.listers(tool))
        return found


def _union(ways: Iterable[int]) -> int:
    atoms = 0
    for way in ways:
        atoms |= way
    return atoms


def _forget(children: list[int], seen: list[int], waiting: list[int]) -> None:
    """Drop what children see once the last of their parents is done."""
    for child in children:
        waiting[child] -= 1
        if not waiting[child]:
            seen[child] = 0


def _value_of(cell: Cell, name: str) -> object:
    return cell[name].value if name in cell else None
