"""Looking up what a call needs to know before it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model import ToolRecord
    from core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ToolToTry:
    """A tool of a skill. ``isolation`` says in words how a call is kept apart; without a record ``reason`` says why."""

    skill: str
    name: str
    record: ToolRecord | None = None
    isolation: str = ""
    reason: str = ""


def look_up(workspace: Workspace, skill: str, tool: str, *, real: bool) -> ToolToTry:
    """Return the tool; blocks, as the first call finds out by trying how tools can be confined here."""
    from core.protocol import SkillFailure
    from core.runtime.call import CallOptions

    try:
        flat = workspace.catalogue.flatten(skill)
    except SkillFailure as failure:
        return ToolToTry(skill, tool, reason=failure.error.message)
    for record, definition in zip(flat.records, flat.definitions, strict=True):
        if record.name == tool:
            isolation = workspace.runtime.isolation(record, definition, CallOptions(real=real))
            return ToolToTry(skill, tool, record, isolation)
    return ToolToTry(skill, tool, reason=f"{skill} has no tool {tool}")
