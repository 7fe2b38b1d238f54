"""One call while it runs: the four stages in order, the last one whatever happens, and the result."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from core.model import ToolRecord
from core.model.discovery import DiscoveredTool
from core.protocol import SkillError, SkillErrorType, SkillFailure, SkillResult, map_tool_error
from core.resolve.views import ToolDefinition
from core.runtime import errors
from core.runtime.call import CallOptions, CallOutcome, FileDiff, Stage
from core.runtime.changes import KeptChanges
from core.runtime.confinement import WorksOn
from core.runtime.journal import Journal
from core.runtime.line import LineLost
from core.runtime.orders import Setup, place_of
from core.runtime.validation import check_arguments, check_output
from core.runtime.worker_process import WorkerProcess
from core.sources.interface import Adapter, Executed, Invocation, ToolFailed
from core.text import plural

MAX_TIMEOUT_S = 7 * 86_400
T = TypeVar("T")


class Running:
    """The state of one call between its stages."""

    def __init__(
        self,
        skill: str,
        record: ToolRecord,
        definition: ToolDefinition,
        adapter: Adapter,
        setup: Setup,
        options: CallOptions,
        journal: Journal,
        cancel: threading.Event,
        approved: frozenset[str],
    ) -> None:
        seconds = float(min(options.timeout_s or record.timeout, MAX_TIMEOUT_S))
        reads = setup.grant.works_on in (WorksOn.READ_ONLY_COPY, WorksOn.SEALED)
        self._setup = setup
        self._adapter = adapter
        self._options = options
        self._journal = journal
        folder = str(setup.scratch / uuid.uuid4().hex)
        self._place = place_of(setup, folder)
        self._errors = errors.Call(skill, record.name, (self._place, str(setup.root)), reads, seconds)
        self._worker = WorkerProcess(setup, folder, self._errors, cancel, journal.log)
        self._call = Invocation(
            skill,
            record,
            definition,
            {},
            seconds,
            self._worker,
            cancel,
            journal.log,
            journal.progress,
            journal.isolation,
            approved,
        )
        self._error: SkillError | None = None
        self._output: Any = None
        self._duration_ms = 0.0

    def run(self, arguments: dict[str, Any]) -> CallOutcome:
        """Run the stages and return what came of them."""
        self._call.arguments = arguments
        try:
            try:
                self._stages()
            finally:
                self._stage(Stage.DEACTIVATE, lambda: self._adapter.deactivate(self._call), last=True)
                self._worker.stop()
            return self._outcome()
        finally:
            self._worker.release()

    def _stages(self) -> None:
        found = self._stage(Stage.DISCOVER, lambda: self._adapter.discover(self._call))
        if found is None or not self._fits(found):
            return
        self._stage(Stage.ACTIVATE, lambda: self._adapter.activate(self._call))
        if self._error is not None:
            return
        start = time.monotonic()
        executed = self._stage(Stage.EXECUTE, lambda: self._adapter.execute(self._call))
        self._duration_ms = self._duration_ms or (time.monotonic() - start) * 1000
        if executed is not None:
            self._take(executed)
            schema = self._call.record.output_schema or found.output_schema
            self._error = check_output(self._call.skill, self._call.record.name, schema, executed.output)

    def _stage(self, stage: Stage, work: Callable[[], T], *, last: bool = False) -> T | None:
        """Run one stage; a failure becomes the call's error unless there is one already."""
        if not last and self._call.cancel.is_set():
            self._error = self._errors.error(SkillErrorType.TOOL_EXECUTION_FAILURE, "cancelled", cancelled=True)
            return None
        self._journal.stage(stage)
        try:
            return work()
        except SkillFailure as failure:
            error = failure.error
            if isinstance(failure, ToolFailed) and stage is Stage.EXECUTE:
                self._output = failure.output
                self._duration_ms = failure.duration_ms or 0.0
        except LineLost as lost:
            error = self._errors.error(SkillErrorType.TOOL_EXECUTION_FAILURE, str(lost))
        except Exception as fault:  # noqa: BLE001 - the boundary: an adapter's fault ends its call, not the program
            error = map_tool_error(fault, self._call.skill, self._call.record.name)
        if last:
            self._journal.log("explorer", f"deactivation failed: {error.message}")
        self._error = self._error or (None if last else error)
        return None

    def _fits(self, found: DiscoveredTool) -> bool:
        """Whether the tool can be called and takes these arguments, by what its source says now."""
        if found.problem is not None:
            self._error = self._errors.error(SkillErrorType.TOOL_ACTIVATION_FAILURE, found.problem)
        elif self._call.record.input_schema is None and not self._options.unchecked:
            self._error = check_arguments(
                self._call.skill, self._call.record.name, found.input_schema, self._call.arguments
            )
        return self._error is None

    def _take(self, executed: Executed) -> None:
        self._output = executed.output
        if executed.duration_ms is not None:
            self._duration_ms = executed.duration_ms

    def _outcome(self) -> CallOutcome:
        report = self._worker.report or {}
        if self._worker.overlaid:
            self._journal.isolation = self._setup.confinement.sentence(self._setup.grant, overlaid=True)
        found = report.get("changes", [])
        if report.get("more"):
            self._journal.log("explorer", f"{plural(report['more'], 'more changed file')} not listed")
        if report.get("unlisted"):
            many = plural(report["unlisted"], "folder")
            self._journal.log("explorer", f"{many} could not be looked into in full; what is there counts as unchanged")
        kept = None
        if found and self._setup.grant.works_on is WorksOn.READ_ONLY_COPY:
            paths = [errors.plain(change["path"]) for change in found]
            self._error = errors.denied_write(self._errors, paths)
        elif found and self._setup.grant.works_on is WorksOn.COPY:
            kept = self._keep(report)
        result = SkillResult(
            skill_name=self._call.skill,
            tool_name=self._call.record.name,
            success=self._error is None,
            output_data=self._output,
            error=self._error,
            duration_ms=self._duration_ms,
            resource_changes=[{**change, "path": errors.plain(change["path"])} for change in found],
        )
        outcome = self._journal.outcome(result, [_diff(d) for d in report.get("diffs", [])], kept)
        return replace(outcome, overlaid=self._worker.overlaid)

    def _keep(self, report: dict[str, Any]) -> KeptChanges | None:
        try:
            return KeptChanges(self._setup.root, report, self._setup.scratch, self._setup.exclude)
        except OSError as error:
            self._journal.log("explorer", f"the changes can't be kept: {error.strerror}")
            return None


def _diff(told: dict[str, str]) -> FileDiff:
    return FileDiff(errors.plain(told["path"]), told["change"], errors.plain(told["diff"]))
