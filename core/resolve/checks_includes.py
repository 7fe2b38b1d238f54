"""Includes: what is missing, what goes in circles, what says nothing new."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.diagnostics import Applies, Diagnostic, Fix, Place, Related
from core.diagnostics.rules.include import CYCLE
from core.resolve.analysis import Analysis
from core.resolve.cuts import Cut, Cuts
from core.resolve.cycles import Cycles, pairs, rotated, trail
from core.resolve.faults import quoted, removal_of
from core.resolve.graph import reach
from core.resolve.structure import Structure
from core.text import plural

MOST_EDGES = 50
MOST_RELATED = 12


def check_includes(analysis: Analysis) -> Iterator[Diagnostic]:
    """Report faults of the include graph."""
    structure = analysis.structure
    for number, faults in structure.include_faults.items():
        file = structure.files[number]
        for fault in faults.values():
            if (found := fault.diagnostic(file)) is not None:
                yield replace(found, fix=None) if _would_close(structure, number, found) else found
    yield from check_cycles(structure)


def _would_close(structure: Structure, number: int, found: Diagnostic) -> bool:
    """Whether the fix would write the name of a skill that includes this one, however far down."""
    meant = structure.index.skill(found.fix.edits[0].text) if found.fix else None
    return meant is not None and number in reach(structure.edges, [meant])


def check_cycles(structure: Structure) -> Iterator[Diagnostic]:
    """Report each include that lies on a listed cycle, once, with the shortest cycle through it."""
    cuts = Cuts(structure) if structure.cyclic else None
    for cycles in structure.cycles:
        yield from _component(structure, cycles, cuts.of(cycles) if cuts else None)


def _component(structure: Structure, cycles: Cycles, cut: Cut | None) -> Iterator[Diagnostic]:
    hint = _advice(structure, cut) if cut else None
    note = _left_out(cycles)
    told: set[tuple[int, int]] = set()
    for cycle in cycles.listed:
        edges = list(pairs(cycle))[:MOST_EDGES]
        for start, end in edges:
            if (start, end) in told:
                continue
            told.add((start, end))
            file = structure.files[start]
            names = [structure.name(number) for number in rotated(cycle, start)]
            what = "itself" if start == end else quoted(structure.name(end))
            message = f"{quoted(file.name)} includes {what}, which closes a cycle: {trail(names)}{note}"
            others = [_place(structure, *edge) for edge in edges if edge != (start, end)]
            related = tuple(Related(place, "also on the cycle") for place in others[:MOST_RELATED])
            yield CYCLE.at(
                _place(structure, start, end),
                f"{message}; {hint}." if hint else f"{message}.",
                hint=hint,
                skill=file.name,
                fix=_opening(structure, start, end, cut),
                related=related,
            )
            note = ""


def _opening(structure: Structure, start: int, end: int, cut: Cut | None) -> Fix | None:
    """Return the removal of an include of a cycle; only the proposed cut is ever taken without a look at it."""
    file = structure.files[start]
    if structure.targets[start].count(end) > 1:
        return None
    proposed = cut is not None and (cut.start, cut.end) == (start, end)
    include = file.includes[structure.targets[start].index(end)]
    return removal_of(file, include, Applies.NAMED if proposed else Applies.ALONE)


def _left_out(cycles: Cycles) -> str:
    left = cycles.count - len(cycles.listed)
    if not left and cycles.exact:
        return ""
    many = f"{plural(left, 'more cycle')}" if left else "there may be more cycles that"
    return f" ({many} among these {len(cycles.members):,} skills are not listed)"


def _advice(structure: Structure, cut: Cut) -> str:
    start, end = structure.name(cut.start), structure.name(cut.end)
    place = _place(structure, cut.start, cut.end)
    then = f": {plural(cut.resolves, 'skill')} would then resolve" if cut.resolves else ""
    by = "itself" if start == end else quoted(start)
    return f"remove the include of {quoted(end)} by {by} ({place.path}:{place.line}){then}"


def _place(structure: Structure, start: int, end: int) -> Place:
    file = structure.files[start]
    return file.place(file.includes[structure.targets[start].index(end)].span)
