"""Tools of all four sources are one kind of thing to whoever calls them (ADR-030, tool source unification)."""

from __future__ import annotations

import inspect
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from office import SKILL, Office, error_of

from core.model import ToolRecord
from core.protocol import SkillResult
from core.resolve.views import FlatSkill
from core.runtime.call import CallOutcome, Stage
from core.sources.adapters import ADAPTERS, make_adapter
from core.sources.interface import Adapter, AdapterSettings
from core.workspace import Workspace

TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "builtin": ("builtin/read_file", {"path": "note.txt"}),
    "custom": ("local/echo", {"a": 1}),
    "mcp": ("desk/echo", {"a": 1}),
    "agent_skill": ("agent_skill/deploy", {}),
}
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}
each_source = pytest.mark.parametrize("source", TOOLS)


@pytest.fixture
def workspace(office: Office) -> Workspace:
    """A skill with a tool of each source, its server discovered."""
    office.write("note.txt", "a note")
    office.write("agents/deploy/SKILL.md", "---\nname: deploy\ndescription: Deploys.\n---\n1. Push.\n2. Watch.\n")
    tool = "name: local/echo\ndescription: Echoes.\nsource: custom\ncapability: {read_only: true}\n"
    office.write("tools/echo.yaml", f"{tool}input_schema: {json.dumps(SCHEMA)}\ncode: |\n  return arguments\n")
    office.lists({"echo": {"annotations": {"readOnlyHint": True}, "description": "Echoes.", "inputSchema": SCHEMA}})
    sources: dict[str, Any] = {
        "tools": ["builtin/read_file", "local/echo"],
        "mcp_servers": [office.server()],
        "agent_skill_folders": ["agents/deploy"],
    }
    office.skill(**sources)
    careful = {name: {"human_approval_required": True} for name, _ in TOOLS.values()}
    office.skill("local/careful", includes=[{"name": SKILL, "overrides": careful}])
    opened = office.open()
    opened.discover(approve=office.approve)
    return opened


def flat(workspace: Workspace, skill: str = SKILL) -> FlatSkill:
    return workspace.catalogue.flatten(skill)


def record(workspace: Workspace, source: str) -> ToolRecord:
    return next(r for r in flat(workspace).records if r.name == TOOLS[source][0])


def call(office: Office, workspace: Workspace, source: str, **options: Any) -> CallOutcome:
    tool, arguments = TOOLS[source]
    return office.call(workspace, tool, options.pop("arguments", arguments), **options)


def test_the_skill_has_a_tool_of_each_source(workspace: Workspace) -> None:
    assert [r.name for r in flat(workspace).records] == [name for name, _ in TOOLS.values()]
    assert [r.source for r in flat(workspace).records] == ["builtin", "custom", "mcp:desk", "agent_skill"]


@each_source
def test_a_record_has_the_same_interface(workspace: Workspace, source: str) -> None:
    one, other = record(workspace, source), record(workspace, "builtin")
    assert type(one) is ToolRecord
    assert one.as_dict().keys() == other.as_dict().keys()
    assert one.as_dict()["capability"].keys() == other.as_dict()["capability"].keys()
    assert {type(v) for v in one.as_dict().values()} <= {str, bool, dict, list, int, type(None)}
    assert (one.status, one.from_skill, one.direct, one.capability.read_only) == ("ready", SKILL, True, True)
    assert one.description


@each_source
def test_why_a_tool_is_there_is_answered_in_the_same_way(workspace: Workspace, source: str) -> None:
    found = workspace.catalogue.why("local/careful", TOOLS[source][0])
    assert found.paths == (("local/careful", SKILL),)
    assert found.flags.keys() == workspace.catalogue.why("local/careful", TOOLS["builtin"][0]).flags.keys()
    assert found.flags["human_approval_required"].path == "skills/careful.yaml"


@each_source
def test_a_call_passes_the_same_stages_in_the_same_order(office: Office, workspace: Workspace, source: str) -> None:
    outcome = call(office, workspace, source)
    assert outcome.stages == (Stage.CHECK, Stage.DISCOVER, Stage.ACTIVATE, Stage.EXECUTE, Stage.DEACTIVATE)
    heard = [event.text for event in outcome.log if event.kind == "stage"]
    assert heard == ["check", "discover", "activate", "execute", "deactivate"]


@each_source
def test_a_result_has_the_same_shape(office: Office, workspace: Workspace, source: str) -> None:
    outcome = call(office, workspace, source)
    result = outcome.result
    assert type(result) is SkillResult
    assert (result.skill_name, result.tool_name, result.success) == (SKILL, TOOLS[source][0], True)
    assert (result.error, result.resource_changes) == (None, [])
    assert result.output_data is not None
    assert result.duration_ms >= 0
    assert json.loads(json.dumps(result.model_dump(mode="json")))["success"] is True
    assert outcome.isolation


@each_source
def test_a_second_call_gives_the_same(office: Office, workspace: Workspace, source: str) -> None:
    first, second = (call(office, workspace, source).result for _ in range(2))
    assert first.output_data == second.output_data


REFUSALS: dict[str, tuple[dict[str, Any], str, str]] = {
    "without the yes that an override asks for": (
        {"skill": "local/careful", "confirmed": False},
        "permission_denied",
        "human_approval_required",
    ),
    "with arguments that are no mapping": ({"arguments": [1]}, "validation_error", ""),
    "with a name that is no text": ({"arguments": {1: 1}}, "validation_error", ""),
}


@each_source
@pytest.mark.parametrize(("options", "kind", "flag"), REFUSALS.values(), ids=REFUSALS)
def test_a_call_is_refused_in_the_same_words_before_anything_runs(
    office: Office, workspace: Workspace, source: str, options: dict[str, Any], kind: str, flag: str
) -> None:
    outcome = call(office, workspace, source, **options)
    assert str(error_of(outcome).error_type) == kind
    assert outcome.result.error.details.get("flag", "") == flag  # type: ignore[union-attr]
    assert outcome.stages == (Stage.CHECK,)


@each_source
def test_a_cancelled_call_executes_nothing_and_says_so(office: Office, workspace: Workspace, source: str) -> None:
    cancel = threading.Event()
    cancel.set()
    outcome = call(office, workspace, source, cancel=cancel)
    assert error_of(outcome).details["cancelled"] is True
    assert str(error_of(outcome).error_type) == "tool_execution_failure"
    assert Stage.EXECUTE not in outcome.stages
    assert outcome.stages[-1] is Stage.DEACTIVATE


@each_source
def test_a_tool_can_be_cancelled_from_what_is_heard_of_it(office: Office, workspace: Workspace, source: str) -> None:
    """Whatever the source, the caller may give up as soon as a stage begins."""
    cancel = threading.Event()
    outcome = call(office, workspace, source, cancel=cancel, hear=lambda event: cancel.set())
    assert error_of(outcome).details["cancelled"] is True


@each_source
def test_a_call_of_a_closed_workspace_is_refused(office: Office, workspace: Workspace, source: str) -> None:
    runtime = workspace.runtime
    runtime.close()
    tool, arguments = TOOLS[source]
    outcome = runtime.invoke(flat(workspace), SKILL, tool, arguments)
    assert error_of(outcome).message == "the workspace was closed"


@each_source
def test_every_call_is_in_the_history(office: Office, workspace: Workspace, source: str) -> None:
    call(office, workspace, source)
    [kept] = workspace.history.calls()
    assert (kept.skill, kept.tool, kept.arguments) == (SKILL, *TOOLS[source])
    assert kept.schema == workspace.input_schema_digest(SKILL, TOOLS[source][0])
    assert kept.result.success


@pytest.mark.parametrize("kind", ADAPTERS, ids=lambda kind: kind.__name__)
def test_an_adapter_offers_the_interface_and_its_signatures(kind: Any, office: Office) -> None:
    adapter = make_adapter(kind, AdapterSettings(office.root, office.state))
    for name, wanted in inspect.getmembers(Adapter, inspect.isfunction):
        if not name.startswith("_"):
            assert _parameters(getattr(type(adapter), name)) == _parameters(wanted), name
    adapter.close()
    adapter.close()


def _parameters(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(function).parameters)
