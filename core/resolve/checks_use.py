"""Who uses what: actors of unknown skills, skills that nobody uses, tools that no skill lists."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from core.diagnostics import Diagnostic
from core.diagnostics.rules.resolution import UNKNOWN_SKILL, UNREACHABLE_TOOL, UNUSED
from core.language.declarations import ActorDecl
from core.resolve.analysis import Analysis
from core.resolve.faults import did_you_mean, quoted, renaming
from core.resolve.structure import Structure


def check_use(analysis: Analysis) -> Iterator[Diagnostic]:
    """Report what actors name in vain, and, where there are actors, what none of them can reach.

    While a skill or actor file can't be read nobody knows who uses what, so the latter waits.
    """
    structure = analysis.structure
    actors = structure.index.declarations.actors
    for actor in actors:
        yield from _unknown_skills(structure, actor)
    if actors and not structure.index.has_broken("skill", "actor"):
        yield from _unused_skills(structure, actors)
        yield from _unlisted_tools(structure)


def _unknown_skills(structure: Structure, actor: ActorDecl) -> Iterator[Diagnostic]:
    for name, span in actor.skills:
        index = structure.index
        if name in index.skills or index.broken_skill(name) is not None:
            continue
        place = actor.source.place(span)
        near = index.near_skills.to(name)
        hint = did_you_mean(near)
        message = f"the actor {quoted(actor.name)} is given {quoted(name)}, which no file defines"
        yield UNKNOWN_SKILL.at(
            place,
            message,
            hint=hint or "write the skill, or delete the entry",
            skill=name,
            fix=renaming(place, name, near),
        )


def _unused_skills(structure: Structure, actors: list[ActorDecl]) -> Iterator[Diagnostic]:
    used = {name for actor in actors for name, _ in actor.skills}
    for file in structure.files:
        used.update(include.name for include in file.includes if include.name != file.name)
    used |= _perhaps_meant(structure, actors, used)
    for file in structure.files:
        if file.name not in used:
            message = f"no actor is given {quoted(file.name)} and no skill includes it"
            hint = "give it to an actor, include it, or delete it"
            yield UNUSED.at(file.place(file.name_span), message, hint=hint, skill=file.name)


def _perhaps_meant(structure: Structure, actors: list[ActorDecl], used: set[str]) -> set[str]:
    """Return the skills that a name which means none may have been meant for: that fault is told already."""
    index = structure.index
    words = {word for actor in actors for word in actor.meant}
    words |= {name for file in structure.files for name, _ in file.dropped}
    words |= {name for name in used if name not in index.skills}
    meant = {near for word in words for near in (word, *index.near_skills.to(word))}
    patterns = [word for word in words if "*" in word or "?" in word]
    return meant | {file.name for file in structure.files if any(fnmatchcase(file.name, p) for p in patterns)}


def _unlisted_tools(structure: Structure) -> Iterator[Diagnostic]:
    """Report tool files that no skill lists; one in a skill that nobody uses is told by that skill's finding."""
    known = structure.table.by_name
    words = {fault.name for listing in structure.listings for fault in listing.faults}
    meant = {near for word in words for near in structure.index.near_tools.to(word)}
    for name, files in structure.index.tool_files.items():
        if len(files) == 1 and name not in known and name not in meant:
            tool = files[0].tool
            message = f"no skill lists {quoted(name)}, so no actor can reach it"
            place = files[0].source.place(tool.span)
            yield UNREACHABLE_TOOL.at(place, message, hint="list it under `tools:` of a skill", tool=name)
