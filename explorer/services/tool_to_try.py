"""Looking up what a call needs to know before it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model import ToolRecord
    from core.registry.history import PastCall
    from core.workspace import Workspace

MOST_PAST = 10


@dataclass(frozen=True, slots=True)
class ToolToTry:
    """A tool of a skill. ``isolation`` says in words how a call is kept apart; without a record ``reason`` says why.

    ``past`` are earlier calls, oldest first, ``last`` the newest that was made for the schema of now.
    """

    skill: str
    name: str
    record: ToolRecord | None = None
    isolation: str = ""
    reason: str = ""
    past: tuple[PastCall, ...] = ()
    last: PastCall | None = None


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
            found = workspace.history.calls(skill, tool, MOST_PAST)
            digest = workspace.input_schema_digest(skill, tool)
            last = next((call for call in found if call.schema == digest), None)
            return ToolToTry(skill, tool, record, isolation, past=tuple(reversed(found)), last=last)
    return ToolToTry(skill, tool, reason=f"{skill} has no tool {tool}")


def record_of(workspace: Workspace, skill: str, tool: str) -> ToolRecord | None:
    """Return the record of a tool as its skill has it now; None when it has none."""
    from core.protocol import SkillFailure

    try:
        records = workspace.catalogue.flatten(skill).records
    except SkillFailure:
        return None
    return next((record for record in records if record.name == tool), None)
