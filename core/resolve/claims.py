"""Claims of skills to be read-only: whether they hold, and by which way what breaks them comes in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from core.diagnostics import Diagnostic, Place, Related
from core.diagnostics.rules.resolution import READ_ONLY_BROKEN
from core.language.declarations import SkillFile
from core.resolve.analysis import Analysis
from core.resolve.bits import bits_of
from core.resolve.cycles import arrows
from core.resolve.faults import quoted
from core.resolve.flatten import ToolSet, flatten
from core.resolve.graph import reach
from core.resolve.paths import shortest_way
from core.resolve.provenance import Flag

MOST_EXPLAINED = 200
"""Broken claims beyond this many are told without the way."""


class _Breach(NamedTuple):
    what: str
    tool: str | None
    owner: int
    place: Place | None


class Claim(NamedTuple):
    """A broken claim; ``told`` says whether the finding explains what breaks it."""

    told: bool
    finding: Diagnostic


def broken_claims(analysis: Analysis, before: Mapping[int, Claim]) -> dict[int, Claim]:
    """Return each `read_only: true` whose set has a tool that can write, has side effects, or isn't known, by skill.

    ``before`` has those that may be taken over, as nothing at or below the skill is new.
    """
    found: dict[int, Claim] = {}
    structure = analysis.structure
    for number in sorted(structure.claiming):
        if not structure.single[number] or not _broken(analysis, number):
            continue
        told = len(found) < MOST_EXPLAINED
        known = before.get(number)
        if known is None or known.told != told:
            known = Claim(
                told, _finding(analysis, structure.files[number], number, _breach(analysis, number) if told else None)
            )
        found[number] = known
    return found


def untouched_claims(analysis: Analysis, before: Analysis, claims: Mapping[int, Claim]) -> dict[int, Claim]:
    """Return those of the earlier ``claims`` of which nothing that they rest on is new."""
    carried, structure = analysis.structure.carried, analysis.structure
    overrides = analysis.atoms is before.atoms or not (analysis.atoms.layout.bits or before.atoms.layout.bits)
    if not claims or not carried or not carried.same_graph or not overrides or not analysis.membership.held:
        return {}
    above = reach(structure.parents, analysis.membership.renewed)
    changed, present = bits_of(structure.table.changed), analysis.membership.present
    return {skill: claim for skill, claim in claims.items() if skill not in above and not present[skill] & changed}


def _broken(analysis: Analysis, skill: int) -> bool:
    counts = analysis.summaries.counts_of(skill)
    return bool(counts.writers or counts.with_effects or analysis.membership.unknown[skill])


def _finding(analysis: Analysis, file: SkillFile, skill: int, breach: _Breach | None) -> Diagnostic:
    place = file.place(file.name_span if file.read_only_span is None else file.read_only_span)
    hint = "drop `read_only`, or drop what writes"
    if breach is None:
        message = f"{quoted(file.name)} claims to be read-only, but its set can write; {hint}."
        return READ_ONLY_BROKEN.at(place, message, hint=hint, skill=file.name)
    structure = analysis.structure
    way = shortest_way(structure.children, skill, {breach.owner})
    names = [structure.name(number) for number in way]
    through = f", by way of {arrows(names)}" if len(names) > 1 else ""
    message = f"{quoted(file.name)} claims to be read-only, but {breach.what}{through}; {hint}."
    related = (Related(breach.place, "this breaks the claim"),) if breach.place else ()
    return READ_ONLY_BROKEN.at(place, message, hint=hint, skill=file.name, tool=breach.tool, related=related)


def _breach(analysis: Analysis, skill: int) -> _Breach:
    counts = analysis.summaries.counts_of(skill)
    if counts.writers or counts.with_effects:
        return _tool_breach(analysis, skill)
    structure = analysis.structure
    for owner in reach(structure.children, [skill]):
        for use in structure.listings[owner].servers:
            if use.unknown:
                what = f"the tools of the MCP server {quoted(use.label)} are not known yet"
                return _Breach(what, None, owner, use.source.place(use.decl.span))
    raise AssertionError("a set with unknown tools has a server that may have them")


def _tool_breach(analysis: Analysis, skill: int) -> _Breach:
    structure, atoms = analysis.structure, analysis.atoms
    flat = flatten(structure, [skill], analysis.membership.clashes.__contains__)
    records = ToolSet(structure, atoms, flat, [skill], skill)
    writing = bool(analysis.summaries.counts_of(skill).writers)
    for at, number in enumerate(flat.tools):
        gate = records.gate(at)
        if gate.counts_as_writing if writing else gate.side_effects:
            name = structure.table.tools[number].name
            flag = records.cell(number).get("writes" if writing else "side_effects")
            verb = _verb(flag) if writing else "has side effects"
            owner = flat.origins[at]
            listed = structure.files[owner].place(structure.listings[owner].spans[number])
            return _Breach(f"{quoted(name)} {verb}", name, owner, _place(flag) or listed)
    raise AssertionError("a set that counts writers has one")


def _verb(flag: Flag | None) -> str:
    assumed = flag is not None and flag.source is None and flag.origin == "assumed"
    return "may write, as nothing says otherwise" if assumed else "writes"


def _place(flag: Flag | None) -> Place | None:
    return flag.source.place(flag.span) if flag is not None and flag.source is not None else None
