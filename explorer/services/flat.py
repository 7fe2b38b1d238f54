"""Asking the catalogue, where the answer may be that there is none.

The core's models are imported here, when first asked, and by the loader's thread: the first frame does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.language.declarations import SkillFile
    from core.model import ToolRecord
    from core.protocol import SkillError
    from core.resolve.views import ActorView, FlatSkill, SkillRow, WhyTool
    from core.workspace import Workspace


def flat_of(workspace: Workspace, skill: str) -> FlatSkill | None:
    """Return the flattened skill, partial ones too; None when there is no such skill.

    One whose file has just become unreadable is as it was: to be shown, never to be called.
    """
    from core.protocol import SkillFailure

    good = workspace.last_good.get(skill)
    try:
        return good.flat if good else workspace.catalogue.flatten(skill)
    except SkillFailure:
        return None


def row_of(workspace: Workspace, skill: str) -> SkillRow | None:
    """Return the row of a skill, as ``flat_of`` its set."""
    good = workspace.last_good.get(skill)
    return good.row if good else workspace.catalogue.skill(skill)


def rows_of(workspace: Workspace) -> list[SkillRow]:
    """Return the rows of all skills by name, as ``row_of`` each."""
    if not workspace.last_good:
        return list(workspace.catalogue.skills())
    rows = {row.name: row for row in workspace.catalogue.skills()}
    rows |= {name: good.row for name, good in workspace.last_good.items() if good.row is not None}
    return [rows[name] for name in sorted(rows)]


def renamed(workspace: Workspace, skill: str, path: str | None) -> str | None:
    """Return what the file at ``path`` calls its skill now that ``skill`` is gone; None if it isn't, or both are."""
    if path is None or row_of(workspace, skill) is not None:
        return None
    return next((row.name for row in rows_of(workspace) if row.place.path == path), None)


def file_of(workspace: Workspace, skill: str) -> SkillFile | None:
    """Return the file that defines a skill, as ``flat_of`` its set."""
    good = workspace.last_good.get(skill)
    return good.file if good else workspace.catalogue.file(skill)


def errors_of(workspace: Workspace, skill: str) -> tuple[SkillError, ...]:
    """Return why the skill does not resolve; nothing when it does."""
    from core.protocol import SkillFailure

    good = workspace.last_good.get(skill)
    try:
        return good.errors if good else workspace.catalogue.errors(skill)
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
