"""A call as a workspace makes it: the server is asked first where nobody knows the tool yet, and the call is kept."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from core.model import ToolStatus
from core.protocol import SkillError, SkillFailure, SkillResult
from core.registry.history import History, schema_digest
from core.resolve.catalogue import Catalogue
from core.resolve.views import FlatSkill, SkillStatus
from core.runtime.call import CallOptions, CallOutcome, EventSink, ExecutionIdentity, Stage
from core.runtime.journal import Journal
from core.workspace.live_servers import Host, LiveServers
from core.workspace.running import servers_to_ask
from core.workspace.secrets import Confidence


class CallHost(Host, Protocol):
    """What a workspace is to its calls."""

    @property
    def history(self) -> History:
        """The earlier calls."""
        ...


class Calling:
    """Calls tools of one workspace."""

    def __init__(self, host: CallHost, servers: LiveServers) -> None:
        self._host = host
        self._servers = servers

    def invoke(
        self,
        skill: str,
        tool: str,
        arguments: Any,
        options: CallOptions | None,
        events: EventSink | None,
        cancel: threading.Event | None,
    ) -> CallOutcome:
        """Call one tool and keep the call in the history; one that only asks for a yes is none."""
        options = _asking_once(options or CallOptions())
        guard = Confidence(self._host.catalogue)
        outcome = self._call(skill, tool, arguments, options, guard.listener(events), cancel)
        outcome = guard.kept_outcome(outcome)
        if _only_asks(outcome.result):
            return outcome
        return replace(outcome, number=self._keep(outcome.result, skill, tool, guard.kept(arguments), options))

    def confirmation(self, skill: str, tool: str) -> str | None:
        """Return why a call needs an explicit yes, or None."""
        return self._host.runtime.confirmation(self._callable(skill, tool), tool)

    def identities(
        self, skill: str, tool: str, arguments: Mapping[str, Any] | None, options: CallOptions | None
    ) -> tuple[ExecutionIdentity, ...]:
        """Return what a call would run that has no approval yet."""
        host, flat = self._host, self._callable(skill, tool)
        servers = servers_to_ask(host.catalogue, flat, tool)
        if not servers:
            return host.runtime.identities(flat, tool, arguments, options)
        return self._servers.waiting(servers.values())

    def _call(
        self,
        skill: str,
        tool: str,
        arguments: Any,
        options: CallOptions,
        events: EventSink | None,
        cancel: threading.Event | None,
    ) -> CallOutcome:
        try:
            flat = self._callable(skill, tool)
            servers = servers_to_ask(self._host.catalogue, flat, tool)
            if servers:
                journal = Journal(events)
                journal.stage(Stage.DISCOVER)
                error = self._servers.ask_for_call(skill, tool, servers, options, cancel)
                if error is not None:
                    return journal.failed(error)
                flat = self._callable(skill, tool)
        except SkillFailure as failure:
            return _failed(skill, tool, failure.error)
        return self._host.runtime.invoke(flat, skill, tool, arguments, options, events, cancel)

    def _callable(self, skill: str, tool: str) -> FlatSkill:
        flat = self._host.catalogue.flatten(skill)
        if flat.status is SkillStatus.UNRESOLVED:
            raise SkillFailure(flat.errors[0].model_copy(update={"tool_name": tool}))
        return flat

    def _keep(self, result: SkillResult, skill: str, tool: str, arguments: Any, options: CallOptions) -> int | None:
        host = self._host
        schema = schema_of(host.catalogue, skill, tool) or ""
        return host.history.add(skill, tool, arguments, schema, options.real, result)


def schema_of(catalogue: Catalogue, skill: str, tool: str) -> str | None:
    """Return the digest of the input schema of ``tool``; None where nobody knows it."""
    try:
        flat = catalogue.flatten(skill)
    except SkillFailure:
        return None
    record = next((record for record in flat.records if record.name == tool), None)
    return schema_digest(record.input_schema) if record and record.status is not ToolStatus.UNDISCOVERED else None


def _asking_once(options: CallOptions) -> CallOptions:
    """Return ``options`` that ask for each identity once in the course of one call, and remember a yes."""
    approve, approved = options.approve, set[str]()
    if approve is None:
        return options

    def ask(identity: ExecutionIdentity) -> bool:
        if identity.digest not in approved and approve(identity):
            approved.add(identity.digest)
        return identity.digest in approved

    return replace(options, approve=ask)


def _only_asks(result: SkillResult) -> bool:
    return result.error is not None and result.error.details.get("needs") == "confirmation"


def _failed(skill: str, tool: str, error: SkillError) -> CallOutcome:
    told = error.model_copy(update={"tool_name": tool})
    return CallOutcome(SkillResult(skill_name=skill, tool_name=tool, success=False, error=told))
