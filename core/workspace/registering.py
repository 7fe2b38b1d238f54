"""The skill registry as a workspace uses it: entering what resolves, and holding entries against the files."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.model.discovery import DiscoveredServer
from core.protocol import SkillError, SkillErrorType, SkillFailure
from core.registry.drift import NO_DRIFT, Drift, drift_of
from core.registry.skills import Entered, Registered, RegistryStatus, SkillRegistry
from core.registry.snapshot import digest_of, text_of
from core.resolve.views import SkillStatus
from core.text import display, nearest
from core.workspace.live_servers import Host, LiveServers
from core.workspace.taking import Taker

if TYPE_CHECKING:
    from core.resolve.catalogue import Catalogue
    from core.resolve.views import McpDefinition
    from core.workspace.running import Approve, DiscoveryProgress

GONE = "no file defines it any longer"
UNREADABLE = "what is registered can't be read; registering it again replaces it"
NOT_ASKED = "was not asked, so what is registered of its tools is not checked"


class RegistryHost(Host, Protocol):
    """What a workspace is to its registry."""

    root: Path
    state: Path


@dataclass(frozen=True, slots=True)
class Standing:
    """How an entry stands against the workspace; ``reason`` says why it is stale or gone."""

    entry: Registered
    status: RegistryStatus
    drift: Drift = NO_DRIFT
    reason: str | None = None
    resolved: bool = True

    @property
    def differs(self) -> bool:
        """Whether the workspace gives something else, or nothing whole any longer."""
        return bool(self.drift) or not self.resolved


@dataclass(frozen=True, slots=True)
class Registering:
    """What came of registering: what was entered, and why each of the others could not be."""

    entered: tuple[Entered, ...] = ()
    failed: tuple[SkillError, ...] = ()


class Registrations:
    """The registered skills of one workspace. Every method but ``ask`` runs nothing.

    Raises:
        core.registry.database.Unusable: by every method, where the registry can't be read or written.
    """

    def __init__(self, host: RegistryHost, servers: LiveServers) -> None:
        self._host = host
        self._servers = servers
        self._answers: dict[str, DiscoveredServer] = {}
        self.store = SkillRegistry(host.state, host.root)

    def register(self, names: Iterable[str]) -> Registering:
        """Enter each of ``names`` that resolves, each by itself; what could not be entered stays as it was."""
        taker, entered, failed = Taker(self._host), [], []
        for name in dict.fromkeys(names):
            try:
                entered.append(self.store.register(name, taker.resolved(name)))
            except SkillFailure as failure:
                failed.append(failure.error)
            except ValueError as error:
                failed.append(not_entered(name, str(error)))
        return Registering(tuple(entered), tuple(failed))

    def standings(self, names: Iterable[str] = ()) -> tuple[Standing, ...]:
        """Return how ``names``, or all that is registered, stand against the workspace as it was loaded.

        Raises:
            SkillFailure: one is not registered (``skill_not_found``), with the nearest that are.
        """
        taker = Taker(self._host)
        return tuple(self._standing(entry, taker) for entry in self.entries(names))

    def entries(self, names: Iterable[str] = ()) -> tuple[Registered, ...]:
        """Return the entries of ``names``, or all, by name.

        Raises:
            SkillFailure: one is not registered (``skill_not_found``), with the nearest that are.
        """
        found = {entry.name: entry for entry in self.store.entries()}
        wanted = dict.fromkeys(names) or found
        for name in wanted:
            if name not in found:
                raise SkillFailure(self.not_registered(name, found))
        return tuple(found[name] for name in wanted)

    def remove(self, names: Iterable[str]) -> tuple[list[str], list[SkillError]]:
        """Forget ``names``; return which were registered, and for each of the others that it was not."""
        registered = [entry.name for entry in self.store.entries()]
        wanted = dict.fromkeys(names)
        there = [name for name in wanted if name in registered]
        self.store.remove(there)
        return there, [self.not_registered(name, registered) for name in wanted if name not in registered]

    def ask(
        self,
        names: Iterable[str],
        approve: Approve | None = None,
        progress: DiscoveryProgress | None = None,
        cancel: threading.Event | None = None,
    ) -> dict[str, DiscoveredServer]:
        """Ask the MCP servers of ``names`` that resolve, each once and under the same rules as ``discover``. Blocks."""
        catalogue = self._host.catalogue
        resolved = [name for name in names if _is_resolved(catalogue, name)]
        servers = _servers_of(catalogue, resolved)
        answers = self._servers.ask(servers, approve, progress, cancel) if servers else {}
        self._answers |= answers
        return answers

    def answer(self, skill: str, label: str) -> DiscoveredServer | None:
        """Return what the server called ``label`` of ``skill`` said when it was asked here, if that was no listing."""
        for key, definition in _servers_of(self._host.catalogue, [skill]).items():
            answer = self._answers.get(key)
            if definition.server.label == label and answer is not None and answer.error is not None:
                return answer
        return None

    def not_registered(self, name: str, registered: Iterable[str]) -> SkillError:
        """Return the error for a skill that is not registered, with the nearest that are, or how it would be."""
        near = nearest(name, registered)
        shown = display(name, 200)
        hint = f"did you mean `{display(near[0], 200)}`?" if near else "`skill-explorer registry list` lists what is"
        if self._host.catalogue.skill(name) is not None:
            hint = f"`skill-explorer register {shown}` registers it"
        return SkillError(
            error_type=SkillErrorType.SKILL_NOT_FOUND,
            message=f"`{shown}` is not registered; {hint}",
            details={"nearest": near},
            skill_name=name,
        )

    def _standing(self, entry: Registered, taker: Taker) -> Standing:
        name = entry.name
        flat = taker.flat(name)
        if flat is None:
            return Standing(entry, RegistryStatus.GONE, self._all_removed(name), GONE, resolved=False)
        whole = flat.status is SkillStatus.RESOLVED
        current = taker.snapshot(flat) if flat.status is not SkillStatus.UNRESOLVED else None
        if whole and current is not None and digest_of(text_of(current)) == entry.digest:
            return Standing(entry, RegistryStatus.CURRENT)
        registered = self.store.snapshot(name)
        if registered is None:
            return Standing(entry, RegistryStatus.STALE, reason=UNREADABLE)
        drift = drift_of(registered, current) if current is not None else NO_DRIFT
        if not whole:
            return Standing(entry, RegistryStatus.STALE, drift, flat.errors[0].message, resolved=False)
        reason = "; ".join(self.silence(name, label) for label in drift.unchecked) or None
        stale = RegistryStatus.STALE if reason else RegistryStatus.CURRENT
        return Standing(entry, RegistryStatus.DRIFTED if drift else stale, drift, reason)

    def silence(self, skill: str, label: str) -> str:
        """Return in words why nothing is known of the server called ``label`` of ``skill``."""
        answer = self.answer(skill, label)
        separator = " " if answer is None else ": "
        return f"MCP server `{display(label, 200)}`{separator}{NOT_ASKED if answer is None else answer.error}"

    def _all_removed(self, name: str) -> Drift:
        registered = self.store.snapshot(name)
        return Drift(removed=tuple(tool.name for tool in registered.tools)) if registered else NO_DRIFT


def _servers_of(catalogue: Catalogue, skills: list[str]) -> dict[str, McpDefinition]:
    from core.workspace.running import servers_of

    return servers_of(catalogue, skills)


def _is_resolved(catalogue: Catalogue, name: str) -> bool:
    row = catalogue.skill(name)
    return row is not None and row.status is SkillStatus.RESOLVED


def not_entered(name: str, message: str) -> SkillError:
    """Return why the skill ``name`` could not be entered."""
    return SkillError(error_type=SkillErrorType.RESOLUTION_FAILURE, message=message, skill_name=name)
