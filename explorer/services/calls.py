"""One call from the Try pane: it runs in a thread, asks before anything unapproved runs, and can be stopped."""

from __future__ import annotations

import json
import shlex
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.protocol import SkillResult, map_tool_error
from core.runtime.call import CallEvent, CallOptions, CallOutcome, ExecutionIdentity
from core.text import safe_text
from explorer.messages import Consent
from explorer.services.forms.exact import dump

if TYPE_CHECKING:
    from core.model import ToolRecord
    from core.workspace import Workspace

MOST_EVENTS = 20_000
_TURN_S = 0.1

Ask = Callable[[ExecutionIdentity, bool], Future[Consent]]


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
    def reasons(self) -> tuple[str, ...]:
        """Why an explicit yes is needed for this one call; none when it isn't."""
        gate = self.record.gate_capability
        found = []
        if gate.unsafe:
            found.append("the tool is marked as unsafe")
        if gate.human_approval_required:
            found.append("the tool requires approval each time it is called")
        if self.real and gate.counts_as_writing:
            found.append("it may change files of the real workspace, not of a copy")
        return tuple(found)


@dataclass
class RunningCall:
    """A call under way. ``heard`` is filled by the thread and emptied by the screen; neither waits for the other."""

    request: CallRequest
    ask: Ask
    clock: Callable[[], float] = time.monotonic
    cancel: threading.Event = field(default_factory=threading.Event)
    heard: deque[CallEvent] = field(default_factory=lambda: deque(maxlen=MOST_EVENTS))
    approved: list[ExecutionIdentity] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.started = self.clock()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.started

    def run(self, workspace: Workspace) -> CallOutcome:
        """Do it, in the calling thread. Whatever goes wrong comes back as a failed result."""
        request = self.request
        try:
            if request.reasons and self._answer(confirmation(request), True) is Consent.CANCEL:
                return _failed(request, PermissionError("not run: the confirmation was declined"))
            return workspace.invoke(
                request.skill, request.record.name, request.arguments, self._options(), self.heard.append, self.cancel
            )
        except Exception as error:  # noqa: BLE001 - the one boundary between a call and the screen
            return _failed(request, error)

    def _options(self) -> CallOptions:
        request = self.request
        return CallOptions(
            real=request.real,
            confirmed=bool(request.reasons),
            approve=self._approve,
            timeout_s=request.timeout_s,
            unchecked=request.unchecked,
        )

    def _approve(self, identity: ExecutionIdentity) -> bool:
        answer = self._answer(identity, False)
        if answer is Consent.APPROVE:
            self.approved.append(identity)
        return answer is not Consent.CANCEL

    def _answer(self, identity: ExecutionIdentity, confirm_only: bool) -> Consent:
        """Wait for the user's answer; a cancelled call has its answer."""
        answer = self.ask(identity, confirm_only)
        while not self.cancel.is_set():
            try:
                return answer.result(_TURN_S)
            except TimeoutError:
                continue
        return Consent.CANCEL


def confirmation(request: CallRequest) -> ExecutionIdentity:
    """Return what the dialog shows for a call that needs an explicit yes each time."""
    where = "the real workspace" if request.real else "a copy of the workspace"
    details = (("skill", request.skill), ("works on", where), ("arguments", dump(request.arguments)))
    place = request.record.provenance.get("unsafe") or request.record.provenance.get("writes")
    path, line = (place.path or request.record.source, place.line or 1) if place else (request.record.source, 1)
    return ExecutionIdentity("", "one call", request.record.name, path, line, details, warnings=request.reasons)


def _failed(request: CallRequest, error: Exception) -> CallOutcome:
    found = map_tool_error(error, request.skill, request.record.name)
    result = SkillResult(skill_name=request.skill, tool_name=request.record.name, success=False, error=found)
    return CallOutcome(result)


def command_line(request: CallRequest, root: str) -> str:
    """Return the command that makes the same call from a shell; invisible characters are written as JSON escapes."""
    text = dump(request.arguments, indent=None)
    if safe_text(text) != text:
        text = json.dumps(request.arguments).replace("\x7f", "\\u007f")
    words = ["skill-explorer", "invoke", "-w", root, "--input", text]
    if request.real:
        words.append("--real")
    if request.timeout_s is not None:
        words += ["--timeout", str(request.timeout_s)]
    if request.reasons:
        words.append("--yes")
    dashes = ["--"] if request.skill.startswith("-") or request.record.name.startswith("-") else []
    return shlex.join([*words, *dashes, request.skill, request.record.name])
