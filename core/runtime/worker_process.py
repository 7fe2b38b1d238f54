"""A worker as adapters see it: one supervised process for one call, its stages, its end and what it changed."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from core.protocol import SkillErrorType
from core.runtime import errors
from core.runtime.confinement import Mechanism
from core.runtime.hiding import hide_environment
from core.runtime.line import Line, LineLost
from core.runtime.orders import Setup, place_of, start_order
from core.runtime.worker.frames import MAX_DEPTH
from core.sources.interface import Executed, Program, ToolFailed
from core.text import plural

_LOAD_S = 60.0
_HOOK_S = 10.0
_PATIENCE_S = 15.0
_POLL_S = 0.05
_SUSPICIOUS = re.compile(rb"\\u[dD][89a-fA-F]|[eE]\+?[0-9]{3}|[0-9]{300}")


class WorkerProcess:
    """Implements ``core.sources.interface.Worker``; used from one thread, ``cancel`` may be set from another."""

    def __init__(
        self,
        setup: Setup,
        folder: str,
        call: errors.Call,
        cancel: threading.Event,
        log: Callable[[str, str], None],
    ) -> None:
        self._setup = setup
        self._call = call
        self._cancel = cancel
        self._log = log
        self._line: Line | None = None
        self._cancel_sent = False
        self._folder = folder
        self.report: dict[str, Any] | None = None
        self._started = self._loaded = False
        self.overlaid = False

    @property
    def alive(self) -> bool:
        """Whether a program is loaded and can still be asked for a stage."""
        return self._loaded and self._line is not None and self.report is None

    def start(self, program: Program) -> None:
        """Start supervisor and shim and load ``program``, once."""
        if self._started:
            return
        self._started = True
        if self._setup.confinement.mechanism is Mechanism.LIMITS:
            hide_environment()
        self._make_scratch()
        self._line = Line()
        self._line.send(start_order(self._setup, self._folder, program, self._call.timeout_s))
        message, _ = self._wait_for("started", _LOAD_S + _PATIENCE_S)
        if message["overlaid"]:
            self.overlaid, self._call = True, replace(self._call, overlaid=True)
        for note in message["notes"]:
            self._log("explorer", errors.plain(note) + "\n")
        if not message["adopts"]:
            self._log("explorer", "processes that the tool detaches can't be found on this system\n")
        data = {**program.data, "root": place_of(self._setup, self._folder)}
        self._ask({"stage": "load", "loader": program.loader, "data": data}, _LOAD_S)
        self._loaded = True

    def _make_scratch(self) -> None:
        folder = self._setup.scratch
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            message = f"the state folder {folder.parent} cannot be used ({error.strerror}); name another with --state"
            raise self._failed(SkillErrorType.TOOL_ACTIVATION_FAILURE, message) from error

    def run(self, stage: str, arguments: Mapping[str, Any] | None = None) -> Executed:
        """Run one stage of the loaded program."""
        seconds = self._call.timeout_s if stage == "execute" else min(_HOOK_S, self._call.timeout_s)
        return self._ask({"stage": stage, "arguments": dict(arguments or {})}, seconds)

    def stop(self) -> None:
        """End every process and hear the report; the copy stays until ``release``."""
        if self._line is None or self.report is not None:
            return
        try:
            self._line.send({"op": "finish"})
            self._wait_for("ended", _PATIENCE_S)
        except (ToolFailed, LineLost):
            pass
        self.report = self.report or {}

    def release(self) -> None:
        """Let the supervisor remove the copy and go."""
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def _ask(self, request: dict[str, Any], seconds: float) -> Executed:
        if self._line is None or self.report is not None:
            raise self._failed(SkillErrorType.TOOL_EXECUTION_FAILURE, "the tool's process has already ended")
        self._line.send({"op": "stage", "deadline_s": seconds, "request": request})
        message, payload = self._wait_for("reply", seconds + _PATIENCE_S)
        took = float(message["ms"])
        if message["too_deep"]:
            text = f"the tool returned data that nests deeper than {MAX_DEPTH} levels"
            raise self._failed(SkillErrorType.TOOL_EXECUTION_FAILURE, text, took)
        return self._answer(request["stage"], payload or b"", took)

    def _answer(self, stage: str, payload: bytes, took: float) -> Executed:
        try:
            reply = json.loads(payload, parse_constant=_no_constant)
            if _SUSPICIOUS.search(payload):  # half characters, or numbers that have become infinite
                json.dumps(reply, ensure_ascii=False, allow_nan=False).encode()
            if reply["ok"] is True:
                return Executed(reply["output"], took)
            failure = reply["error"]
            error = errors.raised(self._call, stage, failure if isinstance(failure, dict) else {})
        except (ValueError, RecursionError, KeyError, TypeError) as problem:
            text = f"the tool's answer is no JSON that can be shown ({type(problem).__name__})"
            raise self._failed(SkillErrorType.TOOL_EXECUTION_FAILURE, text, took) from None
        raise ToolFailed(error, duration_ms=took)

    def _failed(self, kind: SkillErrorType, message: str, took: float | None = None) -> ToolFailed:
        return ToolFailed(self._call.error(kind, message), duration_ms=took)

    def _wait_for(self, wanted: str, seconds: float) -> tuple[dict[str, Any], bytes | None]:
        """Return the next message of the kind ``wanted``; logs are passed on meanwhile, and an early end raises."""
        assert self._line is not None
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._pass_cancel_on()
            heard = self._line.hear(_POLL_S)
            if heard is None:
                continue
            message, payload = heard
            if message["m"] == "log":
                self._log(message["stream"], message["text"])
            elif message["m"] == wanted:
                if wanted == "ended":
                    self._note_end(message)
                return message, payload
            elif message["m"] in ("ended", "refused"):
                self._note_end(message)
                raise ToolFailed(self._early_end(message), duration_ms=message.get("ms"))
        raise LineLost("the supervisor of the call does not answer")

    def _pass_cancel_on(self) -> None:
        if self._cancel.is_set() and not self._cancel_sent and self._line is not None:
            self._cancel_sent = True
            self._line.send({"op": "cancel"})

    def _note_end(self, message: dict[str, Any]) -> None:
        self.report = message
        for stream, count in message.get("dropped", {}).items():
            self._log("explorer", f"{stream}: {plural(count, 'more byte')} dropped\n")
        left = message.get("leftover", 0)
        if left and message.get("why") != "cancel":
            self._log("explorer", f"processes that the tool left behind and that were ended: {left}\n")
        if message.get("clean") is False:
            self._log("explorer", "some processes of the tool could not be ended\n")

    def _early_end(self, message: dict[str, Any]) -> Any:
        if message["m"] == "ended":
            sandboxed = self._setup.confinement.mechanism is Mechanism.BUBBLEWRAP
            return errors.ended(self._call, message, in_sandbox=sandboxed)
        if message["why"] == "cancel":
            return self._call.error(SkillErrorType.TOOL_EXECUTION_FAILURE, "cancelled", cancelled=True)
        text = errors.plain(message["text"])
        return self._call.error(SkillErrorType.TOOL_ACTIVATION_FAILURE, text, why=message["why"])


def _no_constant(name: str) -> None:
    raise ValueError(name)
