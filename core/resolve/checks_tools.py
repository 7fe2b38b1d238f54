"""Overrides that miss or loosen, ways that diverge, names a server lacks."""

from __future__ import annotations

from collections.abc import Iterator

from core.diagnostics import Diagnostic, Place, Related, Severity
from core.diagnostics.rules.resolution import (
    OVERRIDE_AMBIGUOUS,
    OVERRIDE_DIVERGENCE,
    OVERRIDE_LOOSENS,
    OVERRIDE_UNKNOWN,
    UNKNOWN_FILTER_NAME,
)
from core.resolve.analysis import Analysis
from core.resolve.atoms import Loosening
from core.resolve.divergence import MOST_LOOKED_AT, Divergence
from core.resolve.faults import did_you_mean, quoted, renaming
from core.resolve.membership import Miss
from core.resolve.provenance import Cell
from core.resolve.structure import Structure
from core.text import plural


def check_tools(analysis: Analysis) -> Iterator[Diagnostic]:
    """Report faults of what skills say of tools."""
    structure = analysis.structure
    for number in sorted(structure.noted):
        file = structure.files[number]
        for fault in structure.listings[number].faults:
            if (found := fault.diagnostic(file)) is not None:
                yield found
    yield from _absent(structure)
    for miss in analysis.membership.misses:
        yield _missed(structure, miss)
    for loosening in analysis.atoms.loosened:
        yield _loosened(structure, loosening)
    yield from _divergences(analysis)


def _absent(structure: Structure) -> Iterator[Diagnostic]:
    """Report the names that servers don't offer; those of a server file once, whoever refers to it."""
    told: set[Place] = set()
    for number in sorted(structure.noted):
        file = structure.files[number]
        for named in structure.listings[number].absent:
            place = named.source.place(named.span)
            if place not in told:
                told.add(place)
                message = (
                    f"the MCP server doesn't offer {quoted(named.name)}; correct the name or delete it from the list."
                )
                yield UNKNOWN_FILTER_NAME.at(place, message, hint="correct the name or delete it", skill=file.name)


def _missed(structure: Structure, miss: Miss) -> Diagnostic:
    skill, tool = structure.name(miss.skill), miss.decl.tool
    place = miss.source.place(miss.decl.span)
    if miss.several:
        choices = ", ".join(quoted(name) for name in miss.near)
        message = f"{quoted(tool)} could be any of {choices}; write the full name of the one that is meant."
        return OVERRIDE_AMBIGUOUS.at(place, message, hint=f"write one of {choices}", skill=skill, tool=tool)
    hint = did_you_mean(miss.near) or "delete the override, or name a tool of the set"
    message = f"this override in {quoted(skill)} names {quoted(tool)}, which is not in the set; {hint}"
    fix = renaming(place, tool, miss.near)
    return OVERRIDE_UNKNOWN.at(place, message, hint=hint, skill=skill, tool=tool, fix=fix)


def _loosened(structure: Structure, loosening: Loosening) -> Diagnostic:
    tool = structure.table.tools[loosening.tool]
    fields = loosening.declared or loosening.earlier
    decl, source = loosening.decl, loosening.source
    place = source.place(decl.field_spans.get(fields[0], decl.span))
    said = ", ".join(f"`{name}: {_shown(decl.fields[name])}`" for name in fields)
    if loosening.declared:
        message = (
            f"this override says {said} of {quoted(tool.name)}, which itself declares more; "
            "it has no effect on summary and gate; change the tool, or delete the override."
        )
        hint = "change the tool's own declaration, or delete the override"
        related = _declarations(tool.base, fields)
        severity = Severity.WARNING
    else:
        message = f"this override takes back an earlier one: it says {said} of {quoted(tool.name)}."
        hint, related, severity = None, (), Severity.INFO
    skill = structure.name(loosening.skill)
    return OVERRIDE_LOOSENS.at(
        place, message, hint=hint, severity=severity, skill=skill, tool=tool.name, related=related
    )


def _declarations(base: Cell, fields: tuple[str, ...]) -> tuple[Related, ...]:
    flags = [(name, base[name]) for name in fields if name in base]
    return tuple(
        Related(flag.source.place(flag.span), f"`{name}: {_shown(flag.value)}` is declared here")
        for name, flag in flags
        if flag.source is not None
    )


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)


def _divergences(analysis: Analysis) -> Iterator[Diagnostic]:
    meetings, told = analysis.meetings, set()
    for divergence in meetings.found:
        left = 0 if divergence.skill in told else meetings.left_out.get(divergence.skill, 0)
        told.add(divergence.skill)
        yield _diverged(
            analysis.structure, divergence, f" (so do those of {plural(left, 'more tool')})" if left else ""
        )
    if meetings.stopped is not None:
        file = analysis.structure.files[meetings.stopped]
        message = (
            f"{MOST_LOOKED_AT:,} tools that come in by several ways were compared; those of {quoted(file.name)} and of "
            "what includes it were not."
        )
        yield OVERRIDE_DIVERGENCE.at(file.place(file.name_span), message, severity=Severity.INFO, skill=file.name)


def _diverged(structure: Structure, divergence: Divergence, more: str) -> Diagnostic:
    name = structure.name(divergence.skill)
    tool = structure.table.tools[divergence.tool].name
    first = _way_place(structure, divergence, divergence.first)
    place = _way_place(structure, divergence, divergence.other)
    fields = ", ".join(f"`{name}`" for name in divergence.fields)
    message = (
        f"the ways by which {quoted(tool)} comes into {quoted(name)} disagree on {fields}{more}; the more cautious "
        f"value holds; say in `overrides:` of {quoted(name)} what is meant."
    )
    hint = f"settle it in `overrides:` of {quoted(name)}"
    related = (Related(first, "the way that comes first"),)
    return OVERRIDE_DIVERGENCE.at(place, message, hint=hint, skill=name, tool=tool, related=related)


def _way_place(structure: Structure, divergence: Divergence, way: int) -> Place:
    skill = divergence.skill
    file, ways = structure.files[skill], structure.ways[skill]
    if way < len(ways):
        return file.place(file.includes[ways[way][0]].span)
    return file.place(structure.listings[skill].spans[divergence.tool])
