"""Includes: what is missing, what goes in circles, what says nothing new."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.diagnostics import Applies, Diagnostic, Edit, Fix, Place, Related
from core.diagnostics.rules.include import CYCLE, REDUNDANT
from core.language.declarations import IncludeDecl, SkillFile
from core.resolve.analysis import Analysis
from core.resolve.cuts import Cut, Cuts
from core.resolve.cycles import Cycles, pairs, rotated, trail
from core.resolve.faults import quoted
from core.resolve.graph import reach
from core.resolve.structure import Structure
from core.text import display

MOST_EDGES = 50
MOST_RELATED = 12


def check_includes(analysis: Analysis) -> Iterator[Diagnostic]:
    """Report faults of the include graph."""
    structure = analysis.structure
    for number, file in enumerate(structure.files):
        for fault in structure.include_faults[number].values():
            if (found := fault.diagnostic(file)) is not None:
                yield replace(found, fix=None) if _would_close(structure, number, found) else found
    yield from check_cycles(structure)
    yield from _redundant(analysis)


def _would_close(structure: Structure, number: int, found: Diagnostic) -> bool:
    """Whether the fix would write the name of a skill that includes this one, however far down."""
    meant = structure.index.skill(found.fix.edits[0].text) if found.fix else None
    return meant is not None and number in reach(structure.edges, [meant])


def check_cycles(structure: Structure) -> Iterator[Diagnostic]:
    """Report each include that lies on a listed cycle, once, with the shortest cycle through it."""
    cuts = Cuts(structure)
    for cycles in structure.cycles:
        yield from _component(structure, cycles, cuts.of(cycles))


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
    return _removal(file, include, Applies.NAMED if proposed else Applies.ALONE)


def _removal(file: SkillFile, include: IncludeDecl, applies: Applies) -> Fix | None:
    edits = tuple(Edit(file.place(span), "") for span in include.removal)
    return Fix(f"remove the include of {display(include.name, 200)}", edits, applies) if edits else None


def _left_out(cycles: Cycles) -> str:
    left = cycles.count - len(cycles.listed)
    if not left and cycles.exact:
        return ""
    many = f"{left:,} more cycles" if left else "there may be more cycles that"
    return f" ({many} among these {len(cycles.members):,} skills are not listed)"


def _advice(structure: Structure, cut: Cut) -> str:
    start, end = structure.name(cut.start), structure.name(cut.end)
    place = _place(structure, cut.start, cut.end)
    then = f": {cut.resolves:,} skill{'' if cut.resolves == 1 else 's'} would then resolve" if cut.resolves else ""
    by = "itself" if start == end else quoted(start)
    return f"remove the include of {quoted(end)} by {by} ({place.path}:{place.line}){then}"


def _place(structure: Structure, start: int, end: int) -> Place:
    file = structure.files[start]
    return file.place(file.includes[structure.targets[start].index(end)].span)


def _redundant(analysis: Analysis) -> Iterator[Diagnostic]:
    """Report includes whose skill, with the same flags, another include of the same skill brings as well."""
    structure, needed = analysis.structure, analysis.meetings.needed
    below: dict[int, int] = {}
    waiting = [len(parents) for parents in structure.parents]
    for skill in structure.order:
        inherited = 0
        own = 0
        for child in structure.children[skill]:
            inherited |= below[child]
            own |= 1 << child
        if inherited & own:
            yield from _redundant_of(structure, skill, inherited, needed)
        below[skill] = inherited | own
        for child in structure.children[skill]:
            waiting[child] -= 1
            if not waiting[child]:
                below[child] = 0


def _redundant_of(
    structure: Structure, skill: int, inherited: int, needed: set[tuple[int, int]]
) -> Iterator[Diagnostic]:
    file = structure.files[skill]
    told: set[int] = set()
    for way, (at, child) in enumerate(structure.ways[skill]):
        include = file.includes[at]
        if not inherited >> child & 1 or include.overrides or (skill, way) in needed or child in told:
            continue
        told.add(child)
        name = quoted(include.name)
        message = f"{quoted(file.name)} gets {name} through another include already; this one changes nothing."
        fix = _removal(file, include, Applies.NAMED)
        yield REDUNDANT.at(file.place(include.span), message, hint="delete this include", skill=file.name, fix=fix)
