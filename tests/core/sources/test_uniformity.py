"""Tools of all four sources have one shape and one life (ADR-030, compliance: source uniformity)."""

from __future__ import annotations

import os
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
    bench.write("agent_skills/greet/references/tone.md", "Be kind.")
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
    assert output["resources"] == ["references/tone.md"]
    assert output["steps"] == ["Say hello."]
    assert "Nothing runs" in outcome.isolation


@pytest.mark.parametrize("source", ["builtin", "custom", "agent_skill"])
def test_a_record_says_what_its_tool_takes_before_anything_is_asked(four_sources: Any, source: str) -> None:
    record = next(r for r in four_sources.flat(four_sources.more).records if r.name == SOURCES[source][0])
    assert record.input_schema["type"] == "object"


def test_an_agent_skill_takes_nothing_but_the_name_of_one_of_its_files(four_sources: Any) -> None:
    refused = four_sources.call("agent_skill/greet", {"name": "Ada"}, skill=four_sources.more).result
    assert (refused.error.error_type, refused.output_data) == ("validation_error", None)
    record = next(r for r in four_sources.flat(four_sources.more).records if r.source == "agent_skill")
    assert record.input_schema["properties"]["file"]["enum"] == ["references/tone.md"]
    assert record.output_schema["required"] == ["instructions", "steps", "resources", "allowed_tools", "tokens"]


def test_an_agent_skill_without_files_takes_no_argument(bench: Any) -> None:
    bench.write("agent_skills/bare/SKILL.md", "---\nname: bare\ndescription: Bare.\n---\nGo.\n")
    record = next(r for r in bench.flat("agent_skill_folders: [agent_skills/bare]\n").records if "bare" in r.name)
    assert record.input_schema == {"type": "object", "additionalProperties": False}


def test_a_file_of_an_agent_skill_is_given_on_request(four_sources: Any) -> None:
    wanted = {"file": "references/tone.md"}
    output = four_sources.call("agent_skill/greet", wanted, skill=four_sources.more).result.output_data
    assert output["file"] == {"path": "references/tone.md", "content": "Be kind.", "tokens": 2}
    assert output["steps"] == ["Say hello."]


@pytest.mark.parametrize("path", ["../../a.txt", "/etc/hostname", "SKILL.md", 7])
def test_a_file_that_is_none_of_the_agent_skills_is_never_given(four_sources: Any, path: Any) -> None:
    wanted = {"file": path}
    result = four_sources.call("agent_skill/greet", wanted, skill=four_sources.more, unchecked=True).result
    assert "has no file" in result.error.message


def test_a_file_of_an_agent_skill_that_is_no_text_says_so(four_sources: Any) -> None:
    (four_sources.root / "agent_skills/greet/references/tone.md").write_bytes(b"\xff\xfe\x00")
    wanted = {"file": "references/tone.md"}
    error = four_sources.call("agent_skill/greet", wanted, skill=four_sources.more).result.error
    assert "references/tone.md can't be given: the file is not UTF-8" in error.message


def test_a_file_whose_name_is_no_text_keeps_no_other_file_from_being_given(four_sources: Any) -> None:
    folder = os.fsencode(four_sources.root / "agent_skills/greet/references")
    os.close(os.open(folder + b"/\xff.md", os.O_WRONLY | os.O_CREAT))
    wanted = {"file": "references/tone.md"}
    output = four_sources.call("agent_skill/greet", wanted, skill=four_sources.more).result.output_data
    assert output["file"]["content"] == "Be kind."


def test_a_default_call_asks_for_nothing_and_confirms_nothing() -> None:
    options = CallOptions()
    assert (options.approve, options.confirmed, options.real, options.unchecked) == (None, False, False, False)
