"""Includes that change nothing, since another include of the same skill brings the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.diagnostics import Applies, Diagnostic
from core.diagnostics.rules.include import REDUNDANT
from core.language.declarations import SkillFile
from core.resolve.analysis import Analysis
from core.resolve.faults import quoted, removal_of
from core.resolve.structure import Structure


@dataclass(slots=True)
class Doubled:
    """Of one skill: the skills that come in twice, as bits, the ways that could go for it, and what is said of them."""

    file: SkillFile
    twice: int
    ways: tuple[int, ...]
    findings: list[Diagnostic]


def doubled(analysis: Analysis, before: Analysis | None, earlier: dict[int, Doubled]) -> dict[int, Doubled]:
    """Return what each skill includes in vain; findings that are the same are taken from ``earlier``."""
    structure, needed = analysis.structure, analysis.meetings.needed
    carried = structure.carried if before else None
    if carried and carried.same_graph:
        same = before is not None and before.meetings.needed == needed
        found = earlier.copy()
        for skill in carried.fresh.intersection(found) if same else found:
            found[skill] = _doubled(structure, skill, found[skill].twice, needed, found[skill])
        return found
    found = {}
    for skill, twice in _overlaps(structure):
        known = earlier.get(carried.old[skill]) if carried else None
        found[skill] = _doubled(structure, skill, twice, needed, known)
    return found


def _doubled(
    structure: Structure, skill: int, twice: int, needed: set[tuple[int, int]], known: Doubled | None
) -> Doubled:
    file, ways = structure.files[skill], _in_vain(structure, skill, twice, needed)
    same = known is not None and known.file is file and known.ways == ways
    findings = known.findings if known and same else [_finding(structure, skill, way) for way in ways]
    return Doubled(file, twice, ways, findings)


def _overlaps(structure: Structure) -> Iterator[tuple[int, int]]:
    """Give the skills of which an include is also brought in by another, with those that are."""
    below: dict[int, int] = {}
    waiting = [len(parents) for parents in structure.parents]
    for skill in structure.order:
        inherited = own = 0
        for child in structure.children[skill]:
            inherited |= below[child]
            own |= 1 << child
        if inherited & own:
            yield skill, inherited & own
        below[skill] = inherited | own
        for child in structure.children[skill]:
            waiting[child] -= 1
            if not waiting[child]:
                below[child] = 0


def _in_vain(structure: Structure, skill: int, twice: int, needed: set[tuple[int, int]]) -> tuple[int, ...]:
    """Return the ways of ``skill`` that could go, each skill's first."""
    includes = structure.files[skill].includes
    told: dict[int, int] = {}
    for way, (at, child) in enumerate(structure.ways[skill]):
        if twice >> child & 1 and child not in told and not includes[at].overrides and (skill, way) not in needed:
            told[child] = way
    return tuple(told.values())


def _finding(structure: Structure, skill: int, way: int) -> Diagnostic:
    file = structure.files[skill]
    include = file.includes[structure.ways[skill][way][0]]
    name = quoted(include.name)
    message = f"{quoted(file.name)} gets {name} through another include already; this one changes nothing."
    fix = removal_of(file, include, Applies.NAMED)
    return REDUNDANT.at(file.place(include.span), message, hint="delete this include", skill=file.name, fix=fix)
