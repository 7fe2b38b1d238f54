"""The runs of this session, tool by tool, and the arguments that were last in each form."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.runtime.call import CallOutcome
from explorer.services.calls import CallRequest, RunningCall
from explorer.services.form_model import FormModel
from explorer.services.json_rows import dump_any
from explorer.services.new_file import write_new

if TYPE_CHECKING:
    from core.model import ToolRecord
    from explorer.services.tool_to_try import ToolToTry

MOST_RUNS = 20


@dataclass(frozen=True, slots=True)
class Run:
    """One finished call, with its number in the history. ``carried`` changes are in the real workspace."""

    number: int
    request: CallRequest
    outcome: CallOutcome
    carried: int = 0

    def carried_over(self, count: int) -> Run:
        """Return the run with ``count`` changes carried over to the real workspace, which is done once."""
        return replace(self, outcome=replace(self.outcome, changes=None), carried=count)


@dataclass
class TryState:
    """What the Try pane keeps for one tool of one skill; ``past`` are runs of earlier sessions."""

    skill: str
    record: ToolRecord
    model: FormModel
    real: bool = False
    timeout_s: int | None = None
    runs: list[Run] = field(default_factory=list)
    past: tuple[Run, ...] = ()
    call: RunningCall | None = None

    def finished(self, request: CallRequest, outcome: CallOutcome) -> Run:
        """Keep a finished call; only its changes can still be applied, those of earlier ones are dropped."""
        for run in self.runs:
            if run.outcome.changes is not None:
                run.outcome.changes.discard()
        before = [*self.past, *self.runs]
        following = before[-1].number + 1 if before else 1
        run = Run(max(following, outcome.number or 0), request, outcome)
        self.runs = [*self.runs[1 - MOST_RUNS :], run]
        return run

    def earlier(self, run: Run) -> list[Run]:
        """Return the runs before ``run``, oldest first."""
        return [other for other in (*self.past, *self.runs) if other.number < run.number]


class TryStates:
    """The states of all tools that were looked at; a tool whose schema has changed starts over."""

    def __init__(self) -> None:
        self._states: dict[tuple[str, str], TryState] = {}

    def open(self, found: ToolToTry) -> TryState | None:
        """Return the state of a tool, made at its first use; None when there is no such tool.

        Its arguments stay as long as its schema does: those of the form, at first those of the last call.
        """
        record = found.record
        if record is None:
            return None
        state = self._states.get((found.skill, record.name))
        if state is None:
            state = TryState(found.skill, record, FormModel(record.input_schema), past=_past_runs(found, record))
            self._states[found.skill, record.name] = state
            if found.last is not None and not state.model.load(dump_any(found.last.arguments)):
                state.model.reset()
        elif _differs(state.record.input_schema, record.input_schema):
            state.model = FormModel(record.input_schema)
        state.record = record
        return state

    def known(self, skill: str, tool: str) -> TryState | None:
        """Return the state of a tool that was looked at."""
        return self._states.get((skill, tool))

    def is_real(self, skill: str, tool: str) -> bool:
        """Whether the real workspace was chosen for a tool."""
        state = self._states.get((skill, tool))
        return state is not None and state.real

    def discard(self) -> None:
        """Drop what runs have kept in copies, and stop what still runs."""
        for state in self._states.values():
            if state.call is not None:
                state.call.cancel.set()
            for run in state.runs:
                if run.outcome.changes is not None:
                    run.outcome.changes.discard()


def _past_runs(found: ToolToTry, record: ToolRecord) -> tuple[Run, ...]:
    requests = [CallRequest(call.skill, record, call.arguments, call.real) for call in found.past]
    pairs = zip(requests, found.past, strict=True)
    return tuple(Run(call.id, request, CallOutcome(call.result)) for request, call in pairs)


def _differs(old: Any, new: Any) -> bool:
    return old is not new and json.dumps(old, sort_keys=True, default=str) != json.dumps(
        new, sort_keys=True, default=str
    )


def output_text(run: Run) -> str:
    """Return the output as text, for comparing and saving: a text as it is, anything else as JSON."""
    data = run.outcome.result.output_data
    if data is None and run.outcome.result.error is not None:
        return dump_any(run.outcome.result.error.model_dump(mode="json"))
    return data if isinstance(data, str) else dump_any(data)


def save(text: str, run: Run, folder: Path) -> Path:
    """Write ``text`` to a new file in ``folder``, named after tool and run, for the user's eyes alone.

    Nothing is ever replaced; raises OSError.
    """
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in run.request.record.name.split("/")[-1])[:60]
    suffix = "txt" if isinstance(run.outcome.result.output_data, str) else "json"
    return write_new(text, folder, name, suffix, run.number)
