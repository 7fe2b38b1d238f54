"""What only shows beside the other Agent Skills: one inside another, and two of one name."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize

from core.diagnostics import Diagnostic, Place, Related
from core.diagnostics.rules import agent_skill_body as rules
from core.language.declarations import AgentSkillDecl
from core.language.tree import NO_SPAN
from core.text import display


def check_relations(skills: Iterable[AgentSkillDecl]) -> list[Diagnostic]:
    """Report each skill inside the folder of another, and each that has the name of one before it by path."""
    ordered = sorted(skills, key=lambda skill: skill.path.split("/"))
    folders = {skill.path for skill in ordered}
    first: dict[str, AgentSkillDecl] = {}
    found: list[Diagnostic] = []
    for skill in ordered:
        if outer := _outer(skill.path, folders):
            found.append(_nested(skill, outer))
        if skill.name_span != NO_SPAN:
            other = first.setdefault(normalize("NFKC", skill.name), skill)
            if other is not skill:
                found.append(_duplicate(skill, other))
    return found


def _outer(path: str, folders: set[str]) -> str | None:
    """Return the nearest folder of a skill around ``path``."""
    if path == ".":
        return None
    while "/" in path:
        path = path.rpartition("/")[0]
        if path in folders:
            return path
    return "." if "." in folders else None


def _nested(skill: AgentSkillDecl, outer: str) -> Diagnostic:
    where = "the workspace's own skill" if outer == "." else f"the skill in `{display(outer, 80)}`"
    message = f"this skill lies inside {where}; some clients take it for a resource of that"
    return rules.DISCOVERY_NESTED.at(Place(skill.source.path), message, hint="move it beside the outer skill")


def _duplicate(skill: AgentSkillDecl, other: AgentSkillDecl) -> Diagnostic:
    message = f"the skill in `{display(other.path, 80)}` has the name `{display(skill.name, 80)}` too"
    return rules.DISCOVERY_DUPLICATE_NAME.at(
        skill.source.place(skill.name_span),
        message,
        hint="rename one of them",
        related=(Related(other.source.place(other.name_span), "the other skill of this name"),),
    )
