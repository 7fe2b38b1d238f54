"""Where ways to one tool first meet and say different things of it, and which includes change nothing."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from core.resolve.atoms import Atoms
from core.resolve.bits import numbers_of
from core.resolve.membership import Membership
from core.resolve.overrides import FIELDS, comparable
from core.resolve.provenance import Cell

MOST_OF_A_SKILL = 20
MOST_LOOKED_AT = 20_000

_Values = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Divergence:
    """Ways that meet in ``skill`` and differ in ``fields`` of ``tool``.

    ``first`` and ``other`` are numbers of ways: an include that brings tools, or after those the own listing.
    """

    skill: int
    tool: int
    fields: tuple[str, ...]
    first: int
    other: int


@dataclass
class Meetings:
    """Watches ways meet. ``left_out`` counts per skill what isn't listed; ``stopped`` says where looking ended."""

    atoms: Atoms
    membership: Membership
    found: list[Divergence] = field(default_factory=list)
    left_out: dict[int, int] = field(default_factory=dict)
    needed: set[tuple[int, int]] = field(default_factory=set)
    stopped: int | None = None
    _looked_at: int = 0
    _values: dict[int, _Values] = field(default_factory=dict)
    _tool_at: dict[int, int] | None = None

    def merged(self, skill: int, ways: list[int], atoms: int) -> None:
        """Look at the ways of ``skill``, see ``core.resolve.atoms.Watcher``."""
        if sum(1 for way in ways if way) < 2:
            self.needed.update((skill, at) for at, way in enumerate(ways) if way)
            return
        self._note_needed(skill, ways)
        meeting = self.atoms.layout.guards
        for way in ways:
            if way:
                meeting &= self.atoms.layout.tools_in(atoms & ~way)
            if not meeting:
                return
        for tool in self._tools(meeting):
            self._looked_at += 1
            if self._looked_at > MOST_LOOKED_AT:
                self.stopped = skill if self.stopped is None else self.stopped
                return
            self._look(skill, tool, ways)

    def _note_needed(self, skill: int, ways: list[int]) -> None:
        """Remember the ways that bring an atom which no other way brings."""
        once = twice = 0
        for way in ways:
            twice |= once & way
            once |= way
        self.needed.update((skill, at) for at, way in enumerate(ways) if way & ~twice)

    def _tools(self, guards: int) -> Iterable[int]:
        if self._tool_at is None:
            layout = self.atoms.layout
            self._tool_at = {start + layout.width[tool]: tool for tool, start in layout.start.items()}
        return [self._tool_at[at] for at in numbers_of(guards)]

    def _look(self, skill: int, tool: int, ways: list[int]) -> None:
        seen = [(at, self._of_way(way, tool)) for at, way in enumerate(ways)]
        seen = [(at, values) for at, values in seen if values]
        settled = self._settled(skill, tool)
        distinct = set().union(*(values for _, values in seen))
        fields: list[str] = []
        other = 0
        for place, name in enumerate(FIELDS):
            everything = {values[place] for values in distinct}
            if name in settled or len(everything) < 2:
                continue
            by_way = [{values[place] for values in of_way} for _, of_way in seen]
            if everything in by_way:
                continue
            other = other or next(at for (at, _), values in zip(seen, by_way, strict=True) if values != by_way[0])
            fields.append(name)
        if fields:
            self._report(Divergence(skill, tool, tuple(fields), seen[0][0], other))

    def _report(self, divergence: Divergence) -> None:
        skill = divergence.skill
        if len(self.found) >= MOST_OF_A_SKILL and self.found[-MOST_OF_A_SKILL].skill == skill:
            self.left_out[skill] = self.left_out.get(skill, 0) + 1
        else:
            self.found.append(divergence)

    def _of_way(self, way: int, tool: int) -> set[_Values]:
        layout = self.atoms.layout
        start = layout.start[tool]
        found = set()
        for at in numbers_of(layout.part(way, tool)):
            bit = start + at
            if bit not in self._values:
                self._values[bit] = _values_of(self.atoms.cell(tool, bit))
            found.add(self._values[bit])
        return found

    def _settled(self, skill: int, tool: int) -> set[str]:
        fields: set[str] = set()
        for decl, _ in self.membership.own_sites.get(skill, {}).get(tool, ()):
            fields.update(decl.fields)
        if fields & {"read_only", "writes"}:
            fields |= {"read_only", "writes"}
        return fields


def _values_of(cell: Cell) -> _Values:
    return tuple(comparable(cell[name].value) if name in cell else None for name in FIELDS)
