"""What adapters share whose tools run in a worker process: the stages are the program's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.model.discovery import DiscoveredTool
from core.protocol import SkillFailure
from core.resolve.views import ToolDefinition
from core.sources.identity import ExecutionIdentity
from core.sources.interface import AdapterSettings, Executed, Invocation, Program


class WorkerAdapter:
    """Base of the adapters for built-in and custom tools."""

    def __init__(self, settings: AdapterSettings) -> None:
        self.root = settings.root

    def program(self, call: Invocation) -> Program:
        """Return what the worker runs for this call.

        Raises:
            SkillFailure: the tool can't be made ready.
        """
        raise NotImplementedError

    def identities(
        self,
        definition: ToolDefinition,
        arguments: Mapping[str, object],
        isolation: str,
    ) -> tuple[ExecutionIdentity, ...]:
        """Return what must be approved; nothing by default."""
        return ()

    def isolation(self, definition: ToolDefinition) -> str | None:
        """Return None: the worker's sentence holds."""
        return None

    def discover(self, call: Invocation) -> DiscoveredTool:
        """Return what the tool's declaration says."""
        record = call.record
        return DiscoveredTool(
            record.name,
            record.description,
            record.capability,
            input_schema=record.input_schema,
            output_schema=record.output_schema,
        )

    def activate(self, call: Invocation) -> None:
        """Start the worker, load the program and run its activation."""
        call.worker.start(self.program(call))
        call.worker.run("activate")

    def execute(self, call: Invocation) -> Executed:
        """Run the tool on the arguments of the call."""
        return call.worker.run("execute", call.arguments)

    def deactivate(self, call: Invocation) -> None:
        """Run the program's deactivation if it is still there, and end every process."""
        try:
            if call.worker.alive:
                call.worker.run("deactivate")
        except SkillFailure as failure:
            call.log("explorer", f"deactivation failed: {failure.error.message}\n")
        finally:
            call.worker.stop()

    def revoke(self, digests: Collection[str]) -> None:
        """Nothing is kept between calls."""

    def running(self) -> frozenset[str]:
        """Return nothing: nothing is kept between calls."""
        return frozenset()

    def close(self) -> None:
        """Nothing is kept between calls."""
