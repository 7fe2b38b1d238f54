"""The merged tools of an actor, and which of its skills give each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.services.flat import actor_of, flat_of

if TYPE_CHECKING:
    from core.model import ToolRecord
    from core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ActorTools:
    """What an actor reaches. ``given_by`` names the skills of the actor that hold a tool, in their order."""

    records: Sequence[ToolRecord]
    given_by: Mapping[str, tuple[str, ...]]
    undiscovered: tuple[str, ...]


def actor_tools(workspace: Workspace, name: str) -> ActorTools | None:
    """Return the tools of the actor ``name``, each once; None when there is none of that name."""
    actor = actor_of(workspace, name)
    if actor is None:
        return None
    given: dict[str, tuple[str, ...]] = {}
    servers: dict[str, None] = {}
    for skill, _status in actor.skills:
        flat = flat_of(workspace, skill)
        if flat is None or flat.status == "unresolved":
            continue
        servers |= dict.fromkeys(flat.undiscovered_servers)
        for record in flat.records:
            given[record.name] = (*given.get(record.name, ()), skill)
    return ActorTools(actor.records, given, tuple(servers))
