"""Who uses what: actors of unknown skills, skills that nobody uses, tools that no skill lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from core.diagnostics import Diagnostic
from core.diagnostics.rules.resolution import UNKNOWN_SKILL, UNREACHABLE_TOOL, UNUSED
from core.language.declarations import ActorDecl, SkillFile
from core.resolve.analysis import Analysis
from core.resolve.faults import did_you_mean, quoted, renaming
from core.resolve.structure import Structure


@dataclass(slots=True)
class Uses:
    """The names that some skill but its own includes, with the files they were taken from, and who is not used.

    ``findings`` are by the identity of the file, which is kept beside.
    """

    included: set[str] = field(default_factory=set)
    files: list[SkillFile] = field(default_factory=list)
    findings: dict[int, tuple[SkillFile, Diagnostic]] = field(default_factory=dict)


def check_use(analysis: Analysis) -> Iterator[Diagnostic]:
    """Report what actors name in vain, and, where there are actors, the tools that none of them can reach."""
    structure = analysis.structure
    for actor in structure.index.declarations.actors:
        yield from _unknown_skills(structure, actor)
    if _knows_uses(structure):
        yield from _unlisted_tools(structure)


def _knows_uses(structure: Structure) -> bool:
    """Whether there are actors, and no skill or actor file that can't be read, so that it is known who uses what."""
    return bool(structure.index.declarations.actors) and not structure.index.has_broken("skill", "actor")


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


def unused(structure: Structure, before: Uses) -> Uses:
    """Return the findings of skills that nobody uses; those of the same files are taken from ``before``."""
    if not _knows_uses(structure):
        return Uses()
    actors = structure.index.declarations.actors
    found = Uses(_included(structure, before), structure.files)
    used = found.included.union(name for actor in actors for name, _ in actor.skills)
    used |= _perhaps_meant(structure, actors, used)
    lonely = (file for file in structure.files if file.name not in used)
    found.findings = {id(file): before.findings.get(id(file)) or (file, _nobody_uses(file)) for file in lonely}
    return found


def _included(structure: Structure, before: Uses) -> set[str]:
    if len(before.files) == len(structure.files):
        changed = [(old, new) for old, new in zip(before.files, structure.files, strict=True) if old is not new]
        if all(old.name == new.name and _others(old) == _others(new) for old, new in changed):
            return before.included
    return {include.name for file in structure.files for include in file.includes if include.name != file.name}


def _others(file: SkillFile) -> set[str]:
    return {include.name for include in file.includes if include.name != file.name}


def _nobody_uses(file: SkillFile) -> Diagnostic:
    message = f"no actor is given {quoted(file.name)} and no skill includes it"
    hint = "give it to an actor, include it, or delete it"
    return UNUSED.at(file.place(file.name_span), message, hint=hint, skill=file.name)


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
    words = {fault.name for number in structure.noted for fault in structure.listings[number].faults}
    meant = {near for word in words for near in structure.index.near_tools.to(word)}
    for name, files in structure.index.tool_files.items():
        if len(files) == 1 and name not in known and name not in meant:
            tool = files[0].tool
            message = f"no skill lists {quoted(name)}, so no actor can reach it"
            place = files[0].source.place(tool.span)
            yield UNREACHABLE_TOOL.at(place, message, hint="list it under `tools:` of a skill", tool=name)
