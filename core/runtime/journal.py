"""What is heard during one call, passed on as it comes and kept, within limits, for the outcome."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from core.protocol import SkillError, SkillResult
from core.runtime.call import CallEvent, CallOutcome, EventSink, FileDiff, ScratchChanges, Stage

MAX_EVENTS = 20_000


class Journal:
    """The events of one call. Methods may be called from any thread."""

    def __init__(self, sink: EventSink | None) -> None:
        self._sink = sink
        self._start = time.monotonic()
        self._log: list[CallEvent] = []
        self._stages: list[Stage] = []
        self._dropped = 0
        self._lock = threading.Lock()
        self.isolation = ""
        self.stage(Stage.CHECK)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Leave out of all later times what passes meanwhile: the user thinks, the call doesn't run."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self._start += time.monotonic() - begun

    def stage(self, stage: Stage) -> None:
        """Note that ``stage`` begins."""
        self._stages.append(stage)
        self._note("stage", str(stage), {})

    def log(self, stream: str, text: str) -> None:
        """Note what was printed: ``stream`` is ``stdout``, ``stderr``, or ``explorer`` for our own words."""
        self._note("log", text.removesuffix("\n"), {"stream": stream})

    def progress(self, data: dict[str, Any]) -> None:
        """Note how far the call has come."""
        self._note("progress", str(data.get("message") or ""), data)

    def _note(self, kind: str, text: str, data: dict[str, Any]) -> None:
        event = CallEvent(kind, text, data, (time.monotonic() - self._start) * 1000)
        with self._lock:
            if len(self._log) < MAX_EVENTS:
                self._log.append(event)
            else:
                self._dropped += 1
        if self._sink is not None:
            self._sink(event)

    def failed(self, error: SkillError) -> CallOutcome:
        """Return the outcome of a call that was refused."""
        tool = error.tool_name or ""
        return self.outcome(SkillResult(skill_name=error.skill_name, tool_name=tool, success=False, error=error))

    def outcome(
        self, result: SkillResult, diffs: Sequence[FileDiff] = (), changes: ScratchChanges | None = None
    ) -> CallOutcome:
        """Return ``result`` with all that was heard."""
        with self._lock:
            log = tuple(self._log)
            if self._dropped:
                told = f"{self._dropped:,} more events are not kept"
                log += (CallEvent("log", told, {"stream": "explorer"}, log[-1].at_ms),)
        return CallOutcome(result, log, tuple(diffs), self.isolation, tuple(self._stages), changes)
