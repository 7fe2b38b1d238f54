"""Refreshing the registry: registered skills are resolved anew, and their MCP servers asked for their tools.

Nothing is removed by it. Of a server that was not approved, or gave no listing, what is registered is kept. Of the
registered skills that were not named, those follow that include a named one, or hold a tool that turned out different;
servers of their own are not asked.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from core.model.discovery import DiscoveredServer
from core.protocol import SkillError, SkillFailure
from core.registry.drift import NO_DRIFT, Drift
from core.text import display
from core.workspace.live_servers import failure_of
from core.workspace.registering import Registrations, RegistryHost, not_entered
from core.workspace.taking import Taker

if TYPE_CHECKING:
    from core.workspace.running import Approve, DiscoveryProgress

_REMOVED = "it was taken out of the registry while it was refreshed"


class Bucket(StrEnum):
    """What became of a skill: failed outranks skipped, which says that a part could not be looked at."""

    REFRESHED = "refreshed"
    UNCHANGED = "unchanged"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one skill; ``drift`` is what is registered otherwise than before, in whatever bucket it is.

    ``follows`` says for a skill that was not named why it was looked at.
    """

    name: str
    bucket: Bucket
    drift: Drift = NO_DRIFT
    reason: str | None = None
    error: SkillError | None = None
    follows: str | None = None


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The outcomes in the order of the names, those that follow last, and what each server that was asked said."""

    outcomes: tuple[Outcome, ...] = ()
    servers: tuple[DiscoveredServer, ...] = ()

    def of(self, bucket: Bucket) -> tuple[Outcome, ...]:
        """Return the outcomes of one bucket."""
        return tuple(outcome for outcome in self.outcomes if outcome.bucket is bucket)

    @property
    def complete(self) -> bool:
        """Whether nothing failed, and all that was named was looked at whole."""
        return not any(
            outcome.bucket is Bucket.FAILED or (outcome.bucket is Bucket.SKIPPED and outcome.follows is None)
            for outcome in self.outcomes
        )


def refresh(
    host: RegistryHost,
    registrations: Registrations,
    names: Iterable[str] = (),
    approve: Approve | None = None,
    progress: DiscoveryProgress | None = None,
    cancel: threading.Event | None = None,
) -> Refreshed:
    """Refresh ``names``, or all that is registered, and what follows from them. Blocks while servers answer.

    Raises:
        core.registry.database.Unusable: the registry can't be read or written; what was entered before stays.
    """
    registered = [entry.name for entry in registrations.store.entries()]
    wanted = list(dict.fromkeys(names)) or registered
    here = [name for name in wanted if name in registered]
    answers = registrations.ask(here, approve, progress, cancel)
    work = _Refresh(registrations, Taker(host))
    outcomes = [
        work.one(name) if name in here else _failed(registrations.not_registered(name, registered)) for name in wanted
    ]
    changed = {tool for outcome in outcomes for tool in _touched(outcome.drift)}
    others = ((name, _follows(host, name, here, changed)) for name in registered if name not in here)
    outcomes += [work.one(name, follows) for name, follows in others if follows is not None]
    return Refreshed(tuple(outcomes), tuple(answers.values()))


@dataclass(slots=True)
class _Refresh:
    registrations: Registrations
    taker: Taker

    def one(self, name: str, follows: str | None = None) -> Outcome:
        """Enter what one skill is now, as far as that is known."""
        try:
            snapshot = self.taker.resolved(name)
            silent = snapshot.unknown_servers
            entered = self.registrations.store.refresh(name, snapshot, whole=not silent)
        except SkillFailure as error:
            return _failed(error.error, follows)
        except ValueError as error:
            return _failed(not_entered(name, str(error)), follows)
        if entered is None:
            return _failed(not_entered(name, _REMOVED), follows)
        if silent:
            return self._partly(name, entered.drift, silent, follows)
        bucket = Bucket.REFRESHED if entered.drift or entered.new else Bucket.UNCHANGED
        return Outcome(name, bucket, entered.drift, None, None, follows)

    def _partly(self, name: str, drift: Drift, silent: list[str], follows: str | None) -> Outcome:
        """Return the outcome of a skill some of whose servers are unknown: failed if one of them was asked in vain."""
        from core.workspace.running import CANCELLED, NOT_APPROVED

        answers = [answer for label in silent if (answer := self.registrations.answer(name, label)) is not None]
        vain = [answer for answer in answers if answer.error not in (NOT_APPROVED, CANCELLED)]
        told = next(iter(vain or answers), None)
        return Outcome(
            name,
            Bucket.FAILED if vain else Bucket.SKIPPED,
            drift,
            "; ".join(self.registrations.silence(name, label) for label in silent),
            failure_of(told, name) if told is not None else None,
            follows,
        )


def _failed(error: SkillError, follows: str | None = None) -> Outcome:
    return Outcome(error.skill_name, Bucket.FAILED, NO_DRIFT, error.message, error, follows)


def _touched(drift: Drift) -> set[str]:
    return {*drift.added, *drift.removed, *(one.tool for one in drift.changed if one.tool is not None)}


def _follows(host: RegistryHost, name: str, named: list[str], changed: set[str]) -> str | None:
    """Return why a registered skill follows what was refreshed; None where nothing of it is concerned."""
    from core.workspace.running import below

    catalogue = host.catalogue
    if catalogue.skill(name) is None:
        return None
    included = below(catalogue, [name]) & set(named)
    if included:
        return f"it includes `{display(min(included), 200)}`"
    if not changed:
        return None
    shared = sorted(changed & {record.name for record in catalogue.flatten(name).records})
    return f"it has the tool `{display(shared[0], 200)}`" if shared else None
