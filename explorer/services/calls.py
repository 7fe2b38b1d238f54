"""One call from the Try pane: it runs in a thread, asks before anything unapproved runs, and can be stopped."""

from __future__ import annotations

import shlex
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.protocol import SkillFailure, SkillResult, map_tool_error
from core.runtime.call import CallEvent, CallOptions, CallOutcome, ExecutionIdentity, Stage
from core.workspace.state import state_folder
from explorer.messages import Consent
from explorer.services.consents import waited_for
from explorer.services.forms.exact import dump

if TYPE_CHECKING:
    from core.model import ToolRecord
    from core.workspace import Workspace

MOST_EVENTS = 20_000

Ask = Callable[[ExecutionIdentity, bool, ExecutionIdentity | None], Future[Consent]]


def has_copy(record: ToolRecord) -> bool:
    """Whether calls of a tool work on a copy unless told otherwise.

    Servers and Agent Skills have none; a tool that only reads can change neither.
    """
    elsewhere = record.source.startswith("mcp:") or record.source == "agent_skill"
    return not elsewhere and not record.gate_capability.counts_as_reading


@dataclass(frozen=True, slots=True)
class CallRequest:
    """What is called, with what, where and for how long."""

    skill: str
    record: ToolRecord
    arguments: Any
    real: bool = False
    unchecked: bool = False
    timeout_s: int | None = None

    @property
    def has_copy(self) -> bool:
        """Whether there is a choice between a copy and the real workspace."""
        return has_copy(self.record)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why this call needs an explicit yes before the gate is even asked; none when it doesn't."""
        if self.real and self.has_copy and self.record.gate_capability.counts_as_writing:
            return ("it may change files of the real workspace, not of a copy",)
        return ()


@dataclass
class RunningCall:
    """A call under way. ``heard`` is filled by the thread and emptied by the screen; neither waits for the other."""

    request: CallRequest
    ask: Ask
    clock: Callable[[], float] = time.monotonic
    cancel: threading.Event = field(default_factory=threading.Event)
    heard: deque[CallEvent] = field(default_factory=lambda: deque(maxlen=MOST_EVENTS))

    def __post_init__(self) -> None:
        self.started = self.clock()
        self.waits = self.executes = False
        self._allowed: set[str] = set()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the tool began to work; before that, since the start or the user's last answer."""
        return self.clock() - self.started

    def _hear(self, event: CallEvent) -> None:
        if event.kind == "stage" and event.text == Stage.EXECUTE:
            self.started, self.executes = self.clock(), True
        self.heard.append(event)

    def run(self, workspace: Workspace) -> CallOutcome:
        """Do it, in the calling thread. Whatever goes wrong comes back as a failed result.

        Where the call needs an explicit yes, the user is asked first, at once with what else is to be approved; where
        only the call itself finds that out, a yes calls once more.
        """
        try:
            reasons = self._reasons(workspace)
            if reasons and not self._confirmed(workspace, reasons):
                return _declined(self.request)
            outcome = self._invoke(workspace, confirmed=bool(reasons))
            late = _wants_confirmation(outcome)
            if not late or not self._confirmed(workspace, late):
                return outcome
            return self._invoke(workspace, confirmed=True)
        except Exception as error:  # noqa: BLE001 - the one boundary between a call and the screen
            return _failed(self.request, error)

    def _reasons(self, workspace: Workspace) -> tuple[str, ...]:
        """Return why the call needs an explicit yes, as far as that is known beforehand."""
        request = self.request
        try:
            asked = workspace.confirmation(request.skill, request.record.name)
        except SkillFailure:  # the call itself says what is wrong, and is kept in the history
            asked = None
        return (*request.reasons, *((asked,) if asked else ()))

    def _invoke(self, workspace: Workspace, *, confirmed: bool) -> CallOutcome:
        request = self.request
        approve = partial(self._approve, workspace)
        options = CallOptions(request.real, confirmed, approve, request.timeout_s, request.unchecked)
        return workspace.invoke(request.skill, request.record.name, request.arguments, options, self._hear, self.cancel)

    def _confirmed(self, workspace: Workspace, reasons: tuple[str, ...]) -> bool:
        """Ask for the yes to this call; what is to be approved for it is shown in the same dialog."""
        request, call = self.request, confirmation(self.request, reasons)
        arguments = request.arguments if isinstance(request.arguments, dict) else None
        options = CallOptions(request.real)
        waiting = workspace.identities(request.skill, request.record.name, arguments, options)
        if not waiting:
            return self._answer(call, True) is not Consent.CANCEL
        return self._approve(workspace, waiting[0], call)

    def _approve(
        self, workspace: Workspace, identity: ExecutionIdentity, call: ExecutionIdentity | None = None
    ) -> bool:
        if identity.digest in self._allowed:
            return True
        answer = self._answer(identity, False, call)
        if answer is Consent.APPROVE:
            self._remember(workspace, identity)
        if answer is not Consent.CANCEL:
            self._allowed.add(identity.digest)
        return answer is not Consent.CANCEL

    def _remember(self, workspace: Workspace, identity: ExecutionIdentity) -> None:
        """Keep the approval; where that fails it holds for this call, and the log says so."""
        try:
            workspace.record_approvals([identity])
        except OSError as error:
            said = f"the approval holds for this call alone: {error}"
            self.heard.append(CallEvent("log", said, {"stream": "explorer"}))

    def _answer(
        self, identity: ExecutionIdentity, confirm_only: bool, call: ExecutionIdentity | None = None
    ) -> Consent:
        """Wait for the user's answer; a cancelled call has its answer."""
        self.waits = True
        try:
            return waited_for(self.ask(identity, confirm_only, call), self.cancel, Consent.CANCEL)
        finally:
            self.started, self.waits = self.clock(), False


def confirmation(request: CallRequest, reasons: tuple[str, ...]) -> ExecutionIdentity:
    """Return what the dialog shows for a call that needs an explicit yes each time."""
    where = "the real workspace" if request.real else "a copy of the workspace"
    details = (("skill", request.skill), ("works on", where), ("arguments", dump(request.arguments)))
    place = request.record.provenance.get("unsafe") or request.record.provenance.get("writes")
    path, line = (place.path or request.record.source, place.line or 1) if place else (request.record.source, 1)
    return ExecutionIdentity("", "one call", request.record.name, path, line, details, warnings=reasons)


def _wants_confirmation(outcome: CallOutcome) -> tuple[str, ...]:
    """The gate says why; nothing when it doesn't ask."""
    error = outcome.result.error
    return (error.message,) if error is not None and error.details.get("needs") == "confirmation" else ()


def _declined(request: CallRequest) -> CallOutcome:
    return _failed(request, PermissionError("not run: the confirmation was declined"))


def _failed(request: CallRequest, error: Exception) -> CallOutcome:
    found = map_tool_error(error, request.skill, request.record.name)
    result = SkillResult(skill_name=request.skill, tool_name=request.record.name, success=False, error=found)
    return CallOutcome(result)


def command_line(request: CallRequest, root: str, state: Path | None = None) -> str:
    """Return the command that makes the same call from a shell; ``state`` where it is not the user's usual one."""
    words = ["skill-explorer", "invoke", "-w", root, "--input", dump(request.arguments, indent=None)]
    if state is not None and state != state_folder():
        words += ["--state", str(state)]
    if request.real:
        words.append("--real")
    if request.timeout_s is not None:
        words += ["--timeout", str(request.timeout_s)]
    gate = request.record.gate_capability
    if gate.unsafe or gate.human_approval_required:
        words.append("--yes")
    dashes = ["--"] if request.skill.startswith("-") or request.record.name.startswith("-") else []
    return shlex.join([*words, *dashes, request.skill, request.record.name])
