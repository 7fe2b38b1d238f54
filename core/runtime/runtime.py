"""ToolRuntime: one call of one tool, from the gate to the result (resolution, part 4)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from core.model import ToolRecord
from core.model.builtins import canonical_builtin
from core.protocol import SkillError, SkillErrorType
from core.resolve.views import BuiltinDefinition, FlatSkill, ToolDefinition
from core.runtime.active import Active, ActiveCalls
from core.runtime.call import CallOptions, CallOutcome, EventSink, ExecutionIdentity
from core.runtime.confinement import Confinement, Grant, WorksOn
from core.runtime.gate import refusal
from core.runtime.identity import ApprovalStore, NoApprovals, approved_digests, unapproved
from core.runtime.journal import Journal
from core.runtime.orders import Limits, Setup
from core.runtime.probing import find_confinement
from core.runtime.running import Running
from core.runtime.validation import check_arguments, unusable
from core.sources.adapters import make_adapter
from core.sources.interface import Adapter, AdapterSettings
from core.sources.memory import Memory, ProcessMemory
from core.text import nearest


class ToolRuntime:
    """Calls the tools of one workspace; safe to use from several threads.

    Args:
        root: the workspace.
        state: the user's state folder; copies of the workspace are made below it.
        approvals: what may run without asking; by default nothing.
        confinement: how tools are confined; by default the best that works here, found at the first call.
        limits: what one process of a tool may use.
        changed: told, from any thread, the key of a server that lists other tools than before.
        memory: what adapters remember from run to run; by default nothing outlasts the runtime.
    """

    def __init__(
        self,
        root: Path,
        *,
        state: Path,
        approvals: ApprovalStore | None = None,
        confinement: Confinement | None = None,
        limits: Limits | None = None,
        changed: Callable[[str], None] = lambda _key: None,
        memory: Memory | None = None,
    ) -> None:
        self._root = root.absolute()
        self._state = state.absolute()
        self._approvals = approvals or NoApprovals()
        self._confinement = confinement
        self._limits = limits or Limits()
        self._settings = AdapterSettings(self._root, self._state, changed, memory or ProcessMemory())
        self._adapters: dict[type[ToolDefinition], Adapter] = {}
        self._active = ActiveCalls()
        self._lock = threading.Lock()

    def invoke(
        self,
        flat: FlatSkill | None,
        skill_name: str,
        tool_name: str,
        arguments: Any,
        options: CallOptions | None = None,
        events: EventSink | None = None,
        cancel: threading.Event | None = None,
        known_skills: Iterable[str] = (),
    ) -> CallOutcome:
        """Call ``tool_name``; blocks, and never raises for what a tool or a workspace does.

        ``flat`` is the resolved skill, None for one that does not exist. ``cancel`` may be set at any time.
        """
        options = options or CallOptions()
        cancel = cancel or threading.Event()
        journal = Journal(events)
        found = find_tool(flat, skill_name, tool_name, known_skills)
        if isinstance(found, SkillError):
            return journal.failed(found)
        assert flat is not None
        record, definition = found
        active = self._active.enter(cancel)
        if active is None:
            return journal.failed(_closed(skill_name, record.name))
        try:
            return active.told(self._call(flat, record, definition, arguments, options, journal, active))
        finally:
            self._active.leave(active)

    def confirmation(self, flat: FlatSkill, tool_name: str) -> str | None:
        """Return why a call of ``tool_name`` needs an explicit yes; None where it needs none, or none would help."""
        found = find_tool(flat, flat.name, tool_name)
        refused = found if isinstance(found, SkillError) else refusal(flat, found[0], CallOptions())
        asks = refused is not None and refused.details.get("needs") == "confirmation"
        return refused.message if refused is not None and asks else None

    def identities(
        self,
        flat: FlatSkill,
        tool_name: str,
        arguments: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> tuple[ExecutionIdentity, ...]:
        """Return what a call of ``tool_name`` would run that has no approval yet; nothing runs."""
        found = find_tool(flat, flat.name, tool_name)
        if isinstance(found, SkillError):
            return ()
        record, definition = found
        isolation = self.isolation(record, definition, options or CallOptions())
        adapter = self.adapter(definition)
        return unapproved(lambda: adapter.identities(definition, arguments or {}, isolation), self._approvals)

    def isolation(self, record: ToolRecord, definition: ToolDefinition, options: CallOptions) -> str:
        """Return in words which isolation a call would have."""
        own = self.adapter(definition).isolation(definition)
        return own or self.confinement.sentence(self._grant(record, definition, options))

    @property
    def confinement(self) -> Confinement:
        """How tools are confined here; found by trying at the first use."""
        with self._lock:
            if self._confinement is None:
                self._confinement = find_confinement(self._root, self._state)
            return self._confinement

    def adapter(self, definition: ToolDefinition) -> Adapter:
        """Return the adapter that serves ``definition``, made at its first use."""
        kind = type(definition)
        with self._lock:
            if kind not in self._adapters:
                self._adapters[kind] = make_adapter(kind, self._settings)
            return self._adapters[kind]

    def revoke(self, digests: Collection[str]) -> None:
        """Cancel the calls that run under these approvals, and end what is kept under them for later calls."""
        self._active.revoke(digests)
        with self._lock:
            adapters = list(self._adapters.values())
        for adapter in adapters:
            adapter.revoke(digests)

    def running(self) -> frozenset[str]:
        """Return the digests under which calls run now, or something is kept running for later ones."""
        with self._lock:
            adapters = list(self._adapters.values())
        return self._active.running().union(*(adapter.running() for adapter in adapters))

    def close(self) -> None:
        """Cancel every call, wait for their ends, and end what is kept for later calls; safe to call twice."""
        self._active.close()
        with self._lock:
            adapters = list(self._adapters.values())
            self._adapters.clear()
        for adapter in adapters:
            adapter.close()

    def _call(
        self,
        flat: FlatSkill,
        record: ToolRecord,
        definition: ToolDefinition,
        arguments: Any,
        options: CallOptions,
        journal: Journal,
        active: Active,
    ) -> CallOutcome:
        refused = refusal(flat, record, options)
        if refused is not None:
            return journal.failed(refused)
        adapter = self.adapter(definition)
        journal.isolation = isolation = self.isolation(record, definition, options)
        given = arguments if isinstance(arguments, dict) else {}

        def identities() -> tuple[ExecutionIdentity, ...]:
            """Note what is needed before it is looked up, so that no revocation slips in between."""
            found = adapter.identities(definition, given, isolation)
            active.digests.update(identity.digest for identity in found)
            return found

        with journal.aside():
            approved = approved_digests(flat.name, record.name, identities, self._approvals, options)
        if isinstance(approved, SkillError):
            return journal.failed(approved)
        refused = self._unfit(flat, record, arguments, options)
        if refused is not None:
            return journal.failed(refused)
        if record.problem is not None:
            journal.log("explorer", f"{record.name}: {record.problem}")
        setup = self._setup(record, definition, options)
        running = Running(flat.name, record, definition, adapter, setup, options, journal, active.cancel, approved)
        return running.run(arguments)

    def _setup(self, record: ToolRecord, definition: ToolDefinition, options: CallOptions) -> Setup:
        """Return how a worker would be started; nothing is tried out for a tool that needs none."""
        scratch, exclude = self._state / "scratch", (str(self._state),)
        if self.adapter(definition).isolation(definition) is not None:
            return Setup(self._root, scratch, Grant(WorksOn.READ), Confinement(), self._limits, exclude)
        grant = self._grant(record, definition, options)
        return Setup(self._root, scratch, grant, self.confinement, self._limits, exclude)

    def _unfit(self, flat: FlatSkill, record: ToolRecord, arguments: Any, options: CallOptions) -> SkillError | None:
        if not options.unchecked or unusable(arguments) is not None:
            return check_arguments(flat.name, record.name, record.input_schema, arguments)
        return None

    def _grant(self, record: ToolRecord, definition: ToolDefinition, options: CallOptions) -> Grant:
        """Return what the call is given: as little as the tool's flags allow."""
        network = bool(record.gate_capability.side_effects)
        if not record.gate_capability.counts_as_reading:
            return Grant(WorksOn.REAL if options.real else WorksOn.COPY, network)
        if self.confinement.seals():
            return Grant(WorksOn.SEALED, network)
        own = isinstance(definition, BuiltinDefinition)
        return Grant(WorksOn.READ if own else WorksOn.READ_ONLY_COPY, network)


def find_tool(
    flat: FlatSkill | None, skill_name: str, tool_name: str, known_skills: Iterable[str] = ()
) -> tuple[ToolRecord, ToolDefinition] | SkillError:
    """Return the record and definition of ``tool_name``, or the error with the nearest names."""
    if flat is None:
        near = nearest(skill_name, known_skills)
        return SkillError(
            error_type=SkillErrorType.SKILL_NOT_FOUND,
            message=f"there is no skill `{skill_name}`{_meant(near)}",
            details={"nearest": near},
            skill_name=skill_name,
            tool_name=tool_name,
        )
    wanted = {tool_name, canonical_builtin(tool_name)}
    for record, definition in zip(flat.records, flat.definitions, strict=True):
        if record.name in wanted:
            return record, definition
    near = nearest(tool_name, [record.name for record in flat.records])
    return SkillError(
        error_type=SkillErrorType.RESOLUTION_FAILURE,
        message=f"`{skill_name}` has no tool `{tool_name}`{_meant(near)}",
        details={"nearest": near, **_unknown(flat)},
        skill_name=skill_name,
        tool_name=tool_name,
    )


def _unknown(flat: FlatSkill) -> dict[str, Any]:
    """Return whose tools may be meant too, since nobody has listed them yet."""
    if not flat.undiscovered_servers:
        return {}
    hint = f"not all tools are known: `skill-explorer tools {flat.name} --discover` asks the servers"
    return {"undiscovered_servers": list(flat.undiscovered_servers), "hint": hint}


def _meant(near: list[str]) -> str:
    return f"; did you mean `{near[0]}`?" if near else ""


def _closed(skill: str, tool: str) -> SkillError:
    return SkillError(
        error_type=SkillErrorType.TOOL_EXECUTION_FAILURE,
        message="the workspace was closed",
        details={"cancelled": True},
        skill_name=skill,
        tool_name=tool,
    )
