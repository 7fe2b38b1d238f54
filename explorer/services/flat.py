"""Asking the catalogue, where the answer may be that there is none.

The core's models are imported here, when first asked, and by the loader's thread: the first frame does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model import ToolRecord
    from core.protocol import SkillError
    from core.resolve.views import ActorView, FlatSkill, WhyTool
    from core.workspace import Workspace


def flat_of(workspace: Workspace, skill: str) -> FlatSkill | None:
    """Return the flattened skill, partial ones too; None when there is no such skill."""
    from core.protocol import SkillFailure

    try:
        return workspace.catalogue.flatten(skill)
    except SkillFailure:
        return None


def errors_of(workspace: Workspace, skill: str) -> tuple[SkillError, ...]:
    """Return why the skill does not resolve; nothing when it does."""
    from core.protocol import SkillFailure

    try:
        return workspace.catalogue.flatten(skill).errors
    except SkillFailure as failure:
        return (failure.error,)


def actor_of(workspace: Workspace, name: str) -> ActorView | None:
    """Return the actor; None when there is none of that name."""
    from core.protocol import SkillFailure

    try:
        return workspace.catalogue.actor(name)
    except SkillFailure:
        return None


def why_of(workspace: Workspace, skill: str, tool: str) -> WhyTool | None:
    """Return why the tool is in the skill; None when it is not, or there is no such skill."""
    from core.protocol import SkillFailure

    try:
        return workspace.catalogue.why(skill, tool)
    except SkillFailure:
        return None


def actors_with(workspace: Workspace, skill: str, tool: str) -> tuple[str, ...]:
    """Return the actors that get the tool; none when it is gone."""
    from core.protocol import SkillFailure

    try:
        return workspace.catalogue.actors_with(skill, tool)
    except SkillFailure:
        return ()


def direct_records(workspace: Workspace, skill: str) -> list[ToolRecord]:
    """Return the records of the tools that the skill lists itself; of a large set only those are made."""
    from core.resolve.flatten import ToolSet

    flat = flat_of(workspace, skill)
    if flat is None:
        return []
    if isinstance(flat.records, ToolSet):
        return list(flat.records.direct)
    return [record for record in flat.records if record.direct]


def position_of(flat: FlatSkill, tool: str) -> int | None:
    """Return where the tool called ``tool`` stands in the set; makes no record."""
    from core.resolve.flatten import ToolSet

    if isinstance(flat.records, ToolSet):
        return flat.records.find(tool)
    return next((at for at, record in enumerate(flat.records) if record.name == tool), None)
