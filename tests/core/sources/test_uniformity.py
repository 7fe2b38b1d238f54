"""Tools of all four sources have one shape and one life (ADR-030, compliance: source uniformity)."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from core.protocol import SkillResult
from core.resolve.views import FlatSkill
from core.runtime.call import CallOptions, CallOutcome
from core.sources.adapters import ADAPTERS, make_adapter
from core.sources.interface import AdapterSettings

SERVER = Path(__file__).parent / "mcp/servers/wellbehaved.py"
SOURCES: dict[str, tuple[str, dict[str, Any], Any]] = {
    "builtin": ("builtin/read_file", {"path": "a.txt"}, {"path": "a.txt", "content": "x", "size": 1}),
    "custom": ("local/probe", {"a": 1}, {"a": 1}),
    "mcp": ("desk/add", {"a": 1, "b": 2}, {"total": 3}),
    "agent_skill": ("agent_skill/greet", {}, None),
}
STAGES = ("check", "discover", "activate", "execute", "deactivate")


@pytest.fixture
def four_sources(bench: Any) -> Any:
    """A skill with one tool from each source."""
    bench.write("a.txt", "x")
    bench.tool("return arguments", more="input_schema: {type: object, properties: {a: {type: integer}}}\n")
    bench.write(
        "agent_skills/greet/SKILL.md",
        """\
        ---
        name: greet
        description: Greets somebody. Use when somebody comes in.
        ---
        # Steps
        1. Say hello.
        """,
    )
    bench.more = (
        f"mcp_servers:\n  - {{name: desk, command: {sys.executable}, args: ['{SERVER}', stdio], tools: [add]}}\n"
        "agent_skill_folders: [agent_skills/greet]\n"
    )
    return bench


def call(bench: Any, source: str, **options: Any) -> CallOutcome:
    tool, arguments, _ = SOURCES[source]
    outcome: CallOutcome = bench.call(tool, arguments, skill=bench.more, **options)
    return outcome


def test_records_of_all_sources_have_the_same_fields(four_sources: Any) -> None:
    flat: FlatSkill = four_sources.flat(four_sources.more)
    records = {record.name: record.as_dict() for record in flat.records}
    shapes = [records[name] for name, _, _ in SOURCES.values()]
    assert all(shape.keys() == shapes[0].keys() for shape in shapes)
    assert all(shape["capability"].keys() == shapes[0]["capability"].keys() for shape in shapes)


@pytest.mark.parametrize("source", SOURCES)
def test_a_call_goes_through_the_same_stages_whatever_the_source(four_sources: Any, source: str) -> None:
    outcome = call(four_sources, source)
    assert outcome.result.error is None
    assert (outcome.stages, bool(outcome.isolation)) == (STAGES, True)
    expected = SOURCES[source][2]
    assert expected is None or outcome.result.output_data == expected
    assert isinstance(outcome.result, SkillResult)
    assert outcome.result.duration_ms > 0
    assert [e.text for e in outcome.log if e.kind == "stage"] == list(STAGES)


@pytest.mark.parametrize("source", SOURCES)
def test_a_call_that_is_cancelled_beforehand_never_succeeds(four_sources: Any, source: str) -> None:
    cancel = threading.Event()
    cancel.set()
    result = call(four_sources, source, cancel=cancel).result
    assert (result.success, result.error.details.get("cancelled")) == (False, True)


@pytest.mark.parametrize("kind", ADAPTERS, ids=lambda kind: kind.__name__)
def test_every_adapter_has_the_four_stages_and_can_be_closed_twice(kind: Any, tmp_path: Path) -> None:
    adapter = make_adapter(kind, AdapterSettings(tmp_path, tmp_path / "state"))
    assert all(callable(getattr(adapter, stage)) for stage in ("discover", "activate", "execute", "deactivate"))
    adapter.close()
    adapter.close()


@pytest.mark.parametrize("source", ["custom", "mcp"])
def test_foreign_code_of_any_source_needs_an_approval(four_sources: Any, source: str) -> None:
    error = call(four_sources, source, approve=None).result.error
    assert (str(error.error_type), error.details["needs"]) == ("permission_denied", "approval")


@pytest.mark.parametrize("source", ["builtin", "agent_skill"])
def test_what_runs_no_foreign_code_needs_none(four_sources: Any, source: str) -> None:
    assert call(four_sources, source, approve=None).result.success


def test_an_agent_skill_gives_what_a_model_would_be_given(four_sources: Any) -> None:
    outcome = call(four_sources, "agent_skill")
    output = outcome.result.output_data
    assert set(output) == {"instructions", "steps", "resources", "allowed_tools", "tokens"}
    assert output["steps"] == ["Say hello."]
    assert "Nothing runs" in outcome.isolation


def test_a_default_call_asks_for_nothing_and_confirms_nothing() -> None:
    options = CallOptions()
    assert (options.approve, options.confirmed, options.real, options.unchecked) == (None, False, False, False)
