"""The one interface of all sources of tools (ADR-030, tool source unification).

Every adapter has the same four stages; a caller never asks which source it talks to. ``core.runtime`` runs the
stages in order and guarantees the last one; adapters know nothing of scratch copies, gates or approvals.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from core.model import ToolRecord
from core.model.discovery import DiscoveredTool
from core.protocol import SkillError, SkillErrorType, SkillFailure
from core.resolve.views import ToolDefinition
from core.sources.identity import ExecutionIdentity
from core.sources.memory import Memory, ProcessMemory

__all__ = [
    "Adapter",
    "AdapterSettings",
    "Executed",
    "ExecutionIdentity",
    "Invocation",
    "Program",
    "ToolFailed",
    "Worker",
]


@dataclass(frozen=True, slots=True)
class Program:
    """What a worker process runs: ``loader`` names the module whose ``load(data)`` gives a function for each stage.

    ``data`` is JSON; the worker adds ``root``, the folder that the tool works in. The loader is imported inside the
    worker, so it uses the standard library alone. ``visible`` are paths outside the workspace that it must read.
    """

    loader: str
    data: dict[str, Any]
    visible: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Executed:
    """What the execute stage gave; ``duration_ms`` None means that the runtime's own clock counts."""

    output: Any
    duration_ms: float | None = None


class ToolFailed(SkillFailure):
    """A failed stage; ``output`` is what the tool gave all the same and is still shown."""

    def __init__(self, error: SkillError, output: Any = None, duration_ms: float | None = None) -> None:
        super().__init__(error)
        self.output = output
        self.duration_ms = duration_ms


class Worker(Protocol):
    """A process of its own for one program, with scratch copy, limits and confinement chosen by the runtime."""

    @property
    def alive(self) -> bool:
        """Whether a program is loaded and can still be asked for a stage."""
        ...

    def start(self, program: Program) -> None:
        """Start the process and load ``program``, once; later calls do nothing.

        Raises:
            SkillFailure: the copy was refused, the process did not start, or the program did not load.
        """
        ...

    def run(self, stage: str, arguments: Mapping[str, Any] | None = None) -> Executed:
        """Run the program's function for ``stage``; a program without one gives None.

        Raises:
            SkillFailure: it raised, ended early, took too long, gave no JSON, or the call was cancelled.
        """
        ...

    def stop(self) -> None:
        """End every process of the worker; safe to call twice, never raises."""
        ...


@dataclass(slots=True)
class Invocation:
    """One call as an adapter sees it.

    ``timeout_s`` bounds the execute stage. ``cancel`` is set when the caller gives up: a stage then ends soon, by
    a failure with ``details.cancelled``. ``log(stream, text)`` and ``progress(data)`` may be called from any
    thread. An adapter whose tools run elsewhere leaves ``worker`` alone. ``approved`` are the digests of what may
    run: what has changed since must not, whatever else says so.
    """

    skill: str
    record: ToolRecord
    definition: ToolDefinition
    arguments: dict[str, Any]
    timeout_s: float
    worker: Worker
    cancel: threading.Event = field(default_factory=threading.Event)
    log: Callable[[str, str], None] = lambda _stream, _text: None
    progress: Callable[[dict[str, Any]], None] = lambda _data: None
    isolation: str = ""
    approved: frozenset[str] = frozenset()

    def failure(self, kind: SkillErrorType, message: str, *, output: Any = None, **details: Any) -> ToolFailed:
        """Return the exception for a failed stage, to be raised; ``details`` must be JSON."""
        return ToolFailed(
            SkillError(
                error_type=kind, message=message, details=details, skill_name=self.skill, tool_name=self.record.name
            ),
            output,
        )


@dataclass(frozen=True, slots=True)
class AdapterSettings:
    """What every adapter is made with: the workspace, the folder for the program's own state, and who hears of changes.

    ``changed`` is told the key of a server's declaration when the server lists other tools than before; it may be
    called from any thread, and must be quick. ``memory`` keeps what is worth knowing in the next run.
    """

    root: Path
    state: Path
    changed: Callable[[str], None] = lambda _key: None
    memory: Memory = field(default_factory=ProcessMemory)


class Adapter(Protocol):
    """One source of tools; made once for a workspace, used from several threads at a time.

    Stages come in the order discover, activate, execute, deactivate. They raise ``SkillFailure`` (best by
    ``Invocation.failure``) for whatever the tool or its server does; anything else is a fault of the adapter.
    """

    def identities(
        self, definition: ToolDefinition, arguments: Mapping[str, Any], isolation: str
    ) -> tuple[ExecutionIdentity, ...]:
        """Return what must be approved before ``discover``; nothing runs here. ``isolation`` is the worker's.

        It is asked again after an approval, and the call goes on only when the digests are still the same.
        """
        ...

    def isolation(self, definition: ToolDefinition) -> str | None:
        """Return in a sentence where the tool's effects take place; None: in the worker, whose sentence holds."""
        ...

    def discover(self, call: Invocation) -> DiscoveredTool:
        """Return what the source says of the tool now; ``problem`` is set when it can't be called."""
        ...

    def activate(self, call: Invocation) -> None:
        """Make the tool ready; what is costly to make may be kept for later calls."""
        ...

    def execute(self, call: Invocation) -> Executed:
        """Carry the call out and return its output, a JSON value."""
        ...

    def deactivate(self, call: Invocation) -> None:
        """Give back what the call took; also called when a stage before failed or was never reached."""
        ...

    def revoke(self, digests: Collection[str]) -> None:
        """End at once what is kept for later calls under these approvals; calls themselves are ended by the runtime."""
        ...

    def running(self) -> frozenset[str]:
        """Return the digests under which something is kept running for later calls."""
        ...

    def close(self) -> None:
        """End everything that is kept for later calls; safe to call twice."""
        ...
