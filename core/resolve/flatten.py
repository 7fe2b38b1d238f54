"""The flattened set of one skill, made when asked for: numbers first, records only for the entries looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from core.model import ToolCapability, ToolRecord, ToolStatus, join
from core.resolve.atoms import Atoms
from core.resolve.graph import post_order
from core.resolve.overrides import gate_of, join_cells
from core.resolve.provenance import DESCRIPTION, TIMEOUT, Cell, capability_of, provenance_of
from core.resolve.structure import Structure
from core.resolve.tools import several
from core.resolve.views import ToolDefinition


@dataclass(slots=True)
class Flat:
    """The entries of a set in their order: the number of each tool and of the skill that contributes it.

    ``others`` has the further definitions of an entry's name, where different tools share it, and who contributes
    each of them.
    """

    tools: list[int]
    origins: list[int]
    others: dict[int, dict[int, int]] = field(default_factory=dict)


def flatten(structure: Structure, skills: Sequence[int], clashing: Callable[[int], bool]) -> Flat:
    """Walk ``skills`` and what they include, depth first, each once; a name met again keeps its first position."""
    origin: dict[int, int] = {}
    listings = structure.listings
    for skill in post_order(structure.children, skills):
        for tool in listings[skill].tools:
            if tool not in origin:
                origin[tool] = skill
    flat = Flat(list(origin), list(origin.values()))
    if any(clashing(skill) for skill in skills) or len(skills) > 1:
        return _one_a_name(structure, flat)
    return flat


def _one_a_name(structure: Structure, flat: Flat) -> Flat:
    first: dict[str, int] = {}
    one = Flat([], [])
    for tool, origin in zip(flat.tools, flat.origins, strict=True):
        known = first.setdefault(structure.table.tools[tool].name, tool)
        if known != tool:
            one.others.setdefault(known, {})[tool] = origin
            continue
        one.tools.append(tool)
        one.origins.append(origin)
    return one


class ToolSet(Sequence[ToolRecord]):
    """The records of a flattened set, each made when it is looked at and then kept.

    ``names`` has all names in order at little cost; ``find`` gives the position of one.
    """

    def __init__(self, structure: Structure, atoms: Atoms, flat: Flat, skills: Sequence[int], own: int | None) -> None:
        """Show ``flat``: the set of the skill ``own``, or where that is None the joined sets of ``skills``."""
        self._structure = structure
        self._atoms = atoms
        self._flat = flat
        self._own = own
        self._skills = skills
        self._hops_from = structure.children[own] if own is not None else list(skills)
        self._seen: int | None = None
        self._hops: dict[int, int] | None = None
        self._made: dict[int, ToolRecord] = {}
        self._positions: dict[str, int] | None = None

    def __len__(self) -> int:
        return len(self._flat.tools)

    @overload
    def __getitem__(self, at: int) -> ToolRecord: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[ToolRecord]: ...
    def __getitem__(self, at: int | slice) -> ToolRecord | Sequence[ToolRecord]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        at %= len(self)
        if at not in self._made:
            self._made[at] = self._record(at)
        return self._made[at]

    @property
    def names(self) -> list[str]:
        """The full names, in the order of the set."""
        tools = self._structure.table.tools
        return [tools[tool].name for tool in self._flat.tools]

    @property
    def made(self) -> int:
        """How many records have been made so far."""
        return len(self._made)

    @property
    def direct(self) -> Iterator[ToolRecord]:
        """The records of the tools that the skill lists itself."""
        if self._own is None:
            return iter(())
        listed = self._structure.listings[self._own].tools
        return (self[at] for at, tool in enumerate(self._flat.tools) if tool in listed)

    def find(self, name: str) -> int | None:
        """Return the position of the tool called ``name``."""
        if self._positions is None:
            self._positions = {known: at for at, known in enumerate(self.names)}
        return self._positions.get(name)

    def definitions_at(self, at: int) -> list[int]:
        """Return the number of the tool at a position, and of other tools with its name."""
        first = self._flat.tools[at]
        return [first, *self._flat.others.get(first, ())]

    def cell(self, tool: int) -> Cell:
        """Return what the tool with this number is in the set, with where each value comes from."""
        if not self._atoms.touched(tool):
            return self._structure.table.tools[tool].base
        if self._seen is None:
            self._seen = 0
            for skill in self._skills:
                self._seen |= self._atoms.seen(skill)
        if self._own is not None:
            return self._atoms.value(self._own, tool, self._seen)
        return self._atoms.value_over(self._skills, tool, self._seen)

    def gate(self, at: int) -> ToolCapability:
        """Return the flags that the gate goes by for the tool at a position."""
        gates = [self._gate_of(tool) for tool in self.definitions_at(at)]
        joined = gates[0]
        for gate in gates[1:]:
            joined = join(joined, gate)
        return joined

    def _gate_of(self, tool: int) -> ToolCapability:
        return gate_of(self.cell(tool), self._structure.table.tools[tool].base)

    def _record(self, at: int) -> ToolRecord:
        number = self._flat.tools[at]
        tool, cell = self._structure.table.tools[number], self.cell(number)
        others = self._flat.others.get(number, ())
        status, problem = tool.status, tool.problem
        if others:
            cell = join_cells([cell, *(self.cell(other) for other in others)])
            givers = [self._flat.origins[at], *others.values()]
            status, problem = ToolStatus.UNAVAILABLE, several(len(givers), map(self._structure.name, givers))
        origin, capability = self._flat.origins[at], capability_of(cell)
        return ToolRecord.model_construct(
            name=tool.name,
            description=cell[DESCRIPTION].value,
            source=tool.source,
            from_skill=self._structure.name(origin),
            direct=self._own is not None and number in self._structure.listings[self._own].tools,
            status=status,
            capability=capability,
            gate_capability=capability if cell is tool.base else self.gate(at),
            provenance=provenance_of(cell, tool.base),
            input_schema=tool.input_schema,
            output_schema=tool.output_schema,
            timeout=cell[TIMEOUT].value,
            first_hops=self._first_hops(number),
            problem=problem,
        )

    def _first_hops(self, tool: int) -> list[str]:
        if self._hops is None:
            self._hops = first_hops(self._structure, self._hops_from)
        bits = 0
        for lister in self._structure.listers(tool):
            bits |= self._hops.get(lister, 0)
        return [self._structure.name(hop) for at, hop in enumerate(self._hops_from) if bits >> at & 1]


def first_hops(structure: Structure, hops: Sequence[int]) -> dict[int, int]:
    """Return for every skill below ``hops`` through which of them it is reached, as bits."""
    through: dict[int, int] = {}
    for at, hop in enumerate(hops):
        through[hop] = through.get(hop, 0) | 1 << at
    for skill in reversed(post_order(structure.children, hops)):
        for child in structure.children[skill]:
            through[child] = through.get(child, 0) | through[skill]
    return through


class DefinitionSet(Sequence[ToolDefinition]):
    """The definitions of a flattened set, parallel to its records."""

    def __init__(self, structure: Structure, flat: Flat) -> None:
        self._tools = structure.table.tools
        self._flat = flat

    def __len__(self) -> int:
        return len(self._flat.tools)

    @overload
    def __getitem__(self, at: int) -> ToolDefinition: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[ToolDefinition]: ...
    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return [self._tools[number].definition for number in self._flat.tools[at]]
        return self._tools[self._flat.tools[at]].definition
