"""Actors: the sets of their skills merged into one surface (ADR-030, Actor Binding)."""

from __future__ import annotations

from core.language.declarations import ActorDecl
from core.protocol import SkillError, SkillFailure
from core.resolve.errors import errors_of, not_found, unreadable
from core.resolve.structure import Structure
from core.resolve.views import SkillStatus


def status_of(structure: Structure, name: str) -> SkillStatus:
    """Return how far the skill ``name`` resolves; one that isn't there doesn't."""
    number = structure.index.skill(name)
    return SkillStatus.UNRESOLVED if number is None else structure.status[number]


def usable_skills(structure: Structure, actor: ActorDecl) -> list[int]:
    """Return the skills whose tools the actor gets, whole or in part, each once in listed order."""
    numbers = [structure.index.skill(name) for name, _ in actor.skills]
    unique = dict.fromkeys(number for number in numbers if number is not None)
    return [number for number in unique if structure.status[number] is not SkillStatus.UNRESOLVED]


def errors_for(structure: Structure, actor: ActorDecl) -> tuple[SkillError, ...]:
    """Return why skills of the actor are missing or not whole."""
    found: list[SkillError] = []
    for name in dict.fromkeys(name for name, _ in actor.skills):
        found.extend(skill_errors(structure, name))
    return tuple(found)


def skill_errors(structure: Structure, name: str) -> tuple[SkillError, ...]:
    """Return why the skill ``name`` doesn't resolve, be it defined, unreadable or unknown."""
    numbers = structure.index.skills.get(name, ())
    if numbers:
        return errors_of(structure, numbers[0])
    broken = structure.index.broken_skill(name)
    failure: SkillFailure = not_found(name, structure.index)
    return (unreadable(name, broken.path) if broken else failure.error,)
