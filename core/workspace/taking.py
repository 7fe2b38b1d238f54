"""Skills as they are now, in the form in which they are registered."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Protocol

from core.protocol import SkillFailure
from core.registry.snapshot import Definitions, Snapshot, snapshot_of
from core.resolve.catalogue import Catalogue
from core.resolve.tools import MCP_PREFIX
from core.resolve.views import FlatSkill, McpDefinition, SkillStatus
from core.workspace.secrets import Confidence


class Loaded(Protocol):
    """A workspace that has been loaded."""

    root: Path
    catalogue: Catalogue


class Taker:
    """Takes snapshots from the catalogue that a workspace has at this moment; runs nothing."""

    def __init__(self, workspace: Loaded) -> None:
        self._definitions = Definitions(workspace.root)
        self._catalogue = workspace.catalogue
        self._hide = Confidence(workspace.catalogue).kept

    def flat(self, name: str) -> FlatSkill | None:
        """Return the flattened set of a skill; None where no file defines it."""
        return None if self._catalogue.skill(name) is None else self._catalogue.flatten(name)

    def snapshot(self, flat: FlatSkill) -> Snapshot | None:
        """Return what there is of a skill, also of one that resolves in part; None where its file gives no model."""
        file = self._catalogue.file(flat.name)
        if file is None:
            return None
        return snapshot_of(flat, file.model, self._servers(flat), self._definitions, self._hide)

    def resolved(self, name: str) -> Snapshot:
        """Return the whole of a skill.

        Raises:
            SkillFailure: no file defines it, or it does not resolve.
        """
        flat = self._catalogue.flatten(name)
        found = self.snapshot(flat) if flat.status is SkillStatus.RESOLVED else None
        if found is None:
            raise SkillFailure(flat.errors[0])
        return found

    def _servers(self, flat: FlatSkill) -> tuple[McpDefinition, ...]:
        if not flat.undiscovered_servers and not any(
            label.startswith(MCP_PREFIX) for label in flat.metadata.source_types
        ):
            return ()
        from core.workspace.running import below

        users = self._users
        found = {d.key: d for skill in below(self._catalogue, [flat.name]) for d in users.get(skill, ())}
        return tuple(found[key] for key in sorted(found))

    @cached_property
    def _users(self) -> dict[str, list[McpDefinition]]:
        """The servers of each skill itself."""
        users: dict[str, list[McpDefinition]] = {}
        for entry in self._catalogue.servers():
            for skill in entry.skills:
                users.setdefault(skill, []).append(McpDefinition(entry.key, entry.decl, entry.source, ""))
        return users
