"""Counts by flag for every skill's set, from bits alone: no list of tools is made."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.model import SkillCapabilitySummary, ToolCapability, join
from core.resolve.atoms import Atoms
from core.resolve.bits import Counts, bits_of
from core.resolve.membership import Groups, Membership
from core.resolve.overrides import gate_of
from core.resolve.structure import Structure


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Bits of what counts as not reading, writing, not checkpointable, and having side effects."""

    not_reading: int
    writing: int
    not_checkpointable: int
    with_effects: int

    @classmethod
    def of(cls, flags: dict[int, ToolCapability]) -> _Kinds:
        return cls(
            bits_of(bit for bit, f in flags.items() if not f.counts_as_reading),
            bits_of(bit for bit, f in flags.items() if f.counts_as_writing),
            bits_of(bit for bit, f in flags.items() if not f.checkpointable),
            bits_of(bit for bit, f in flags.items() if f.side_effects),
        )


class _Touched:
    """The tools that overrides touch, by what they count as where they are defined and as each of their atoms."""

    def __init__(self, structure: Structure, atoms: Atoms) -> None:
        layout, tools = atoms.layout, structure.table.tools
        self._layout = layout
        guard = {tool: layout.start[tool] + layout.width[tool] for tool in layout.start}
        self._said = _Kinds.of({guard[tool]: tools[tool].capability for tool in guard})
        gates = {}
        for tool, start in layout.start.items():
            for bit in range(start, guard[tool]):
                gates[bit] = gate_of(atoms.cell(tool, bit), tools[tool].base)
        self._made = _Kinds.of(gates)

    def corrected(self, old: Counts, atoms: int) -> Counts:
        """Count touched tools as their ``atoms`` are, not as their definitions say."""
        layout, said, made = self._layout, self._said, self._made
        there = layout.tools_in(atoms)
        not_checkpointable = layout.tools_in(atoms & made.not_checkpointable)
        with_effects = layout.tools_in(atoms & made.with_effects)
        return replace(
            old,
            readers=old.readers + _more(there & said.not_reading, layout.tools_in(atoms & made.not_reading)),
            writers=old.writers - _more(there & said.writing, layout.tools_in(atoms & made.writing)),
            checkpointable=old.checkpointable + _more(there & said.not_checkpointable, not_checkpointable),
            with_effects=old.with_effects - _more(there & said.with_effects, with_effects),
        )


class Summaries:
    """The numbers of each skill's set after all overrides, as the gate sees the tools; counted when asked for.

    Where the sets are too large to be held they are counted at once.
    """

    def __init__(self, structure: Structure, membership: Membership, atoms: Atoms) -> None:
        self._structure = structure
        self._membership = membership
        self._atoms = atoms
        self._touched = _Touched(structure, atoms) if atoms.layout.bits else None
        self._known: dict[int, Counts] = {}
        if self._touched and not atoms.held:
            for skill, seen in atoms.each():
                self._known[skill] = self._corrected(skill, seen)

    def counts_of(self, skill: int) -> Counts:
        """Return the numbers of the set of ``skill``."""
        known = self._known.get(skill)
        if known is None:
            known = self._known[skill] = self._corrected(skill, self._atoms.seen(skill) if self._touched else 0)
        return known

    def of(self, skill: int, *, whole: bool) -> SkillCapabilitySummary:
        """Return the summary of ``skill``; unknown tools (``whole`` False, or a server) count as side effects."""
        counts = self.counts_of(skill)
        unknown = not whole or bool(self._membership.unknown[skill])
        return SkillCapabilitySummary.model_construct(
            total_tools=counts.total,
            read_only_tools=counts.readers,
            write_tools=counts.writers,
            checkpointable_tools=counts.checkpointable,
            has_side_effects=unknown or counts.with_effects > 0,
            mcp_sources=self._membership.labels[skill].bit_count(),
            agent_skill_sources=counts.agent_skills,
        )

    def _corrected(self, skill: int, seen: int) -> Counts:
        counts = self._membership.counts_of(skill)
        if self._touched and seen:
            counts = self._touched.corrected(counts, seen)
        clashes = self._membership.clashes.get(skill)
        return self._joined(counts, skill, clashes, seen) if clashes else counts

    def _joined(self, counts: Counts, skill: int, clashes: Groups, seen: int) -> Counts:
        """Count definitions that share a name as the one entry that they are."""
        for group in clashes:
            gates = [gate_in(self._structure, self._atoms, skill, tool, seen) for tool in group]
            joined = gates[0]
            for gate in gates[1:]:
                joined = join(joined, gate)
            counts = _changed(counts, joined, 1)
            for gate in gates:
                counts = _changed(counts, gate, -1)
        return counts


def gate_in(structure: Structure, atoms: Atoms, skill: int, tool: int, seen: int) -> ToolCapability:
    """Return the flags that the gate goes by for ``tool`` in the set of ``skill``, which sees the atoms ``seen``."""
    base = structure.table.tools[tool].base
    return gate_of(atoms.value(skill, tool, seen) if atoms.touched(tool) else base, base)


def _more(before: int, after: int) -> int:
    return before.bit_count() - after.bit_count()


def _changed(counts: Counts, gate: ToolCapability, by: int) -> Counts:
    return replace(
        counts,
        total=counts.total + by,
        readers=counts.readers + by * gate.counts_as_reading,
        writers=counts.writers + by * gate.counts_as_writing,
        checkpointable=counts.checkpointable + by * bool(gate.checkpointable),
        with_effects=counts.with_effects + by * bool(gate.side_effects),
    )
