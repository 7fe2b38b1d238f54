"""What every call has, whatever its tool: names, arguments, schemas, and a result that never raises."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.runtime import journal, validation
from core.runtime.call import CallOptions
from core.runtime.validation import check_arguments, check_output

SCHEMA = """
    input_schema:
      type: object
      properties: {a: {type: number}, b: {type: object, properties: {c: {type: array, items: {type: integer}}}}}
      required: [a]
      additionalProperties: false
    output_schema: {type: object, properties: {sum: {type: number}}, required: [sum]}
"""


def test_an_unknown_skill_is_not_found_and_names_the_nearest(bench: Any) -> None:
    runtime = bench.runtime()
    outcome = runtime.invoke(None, "local/gti-ops", "local/t", {}, known_skills=["local/git-ops", "team/docs"])
    runtime.close()
    error = outcome.result.error
    assert (str(error.error_type), error.skill_name, error.tool_name) == ("skill_not_found", "local/gti-ops", "local/t")
    assert error.details["nearest"] == ["local/git-ops"]
    assert "did you mean `local/git-ops`?" in error.message


def test_the_time_that_an_answer_takes_is_not_the_calls(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    away_s = 0.0

    def thinks(_: object) -> bool:
        nonlocal away_s
        away_s += 1_000
        return True

    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + away_s)
    monkeypatch.setattr(journal, "time", clock)
    outcome = bench.call(bench.tool("return 1"), approve=thinks)
    assert (outcome.result.output_data, away_s) == (1, 1_000)
    assert max(event.at_ms for event in outcome.log) < 1_000_000


def test_an_unknown_tool_is_a_resolution_failure_that_names_the_nearest(bench: Any) -> None:
    error = bench.call("builtin/reed_file").result.error
    assert str(error.error_type) == "resolution_failure"
    assert error.details["nearest"][0] == "builtin/read_file"


@pytest.mark.parametrize("name", ["builtin/file-read", "builtin/read-file", "builtin/read_file"])
def test_a_built_in_is_called_by_any_of_its_names(bench: Any, name: str) -> None:
    bench.write("a.txt", "x")
    result = bench.call(name, {"path": "a.txt"}).result
    assert (result.tool_name, result.output_data["content"]) == ("builtin/read_file", "x")


def test_wrong_arguments_are_refused_with_every_path_and_nothing_runs(bench: Any) -> None:
    tool = bench.tool("raise RuntimeError", more=SCHEMA)
    outcome = bench.call(tool, {"a": "six", "b": {"c": [1, "x"]}, "d": 1})
    error = outcome.result.error
    assert str(error.error_type) == "validation_error"
    assert {e["path"] for e in error.details["errors"]} == {"$", "$.a", "$.b.c[1]"}
    assert (error.details["side"], outcome.stages) == ("input", ("check",))


def test_arguments_can_be_sent_unchecked(bench: Any) -> None:
    tool = bench.tool("return {'sum': str(arguments)}", more=SCHEMA.replace("{sum: {type: number}}", "{sum: {}}"))
    assert bench.call(tool, {"a": "six"}, unchecked=True).result.output_data == {"sum": "{'a': 'six'}"}


@pytest.mark.parametrize("arguments", [[1], "text", {1: 2}, {"a": float("nan")}, {"a": "\udc80"}, {"a": {1, 2}}])
@pytest.mark.parametrize("unchecked", [True, False])
def test_what_is_no_json_object_is_never_sent(bench: Any, arguments: Any, unchecked: bool) -> None:
    error = bench.call(bench.tool("return 1"), arguments, unchecked=unchecked).result.error
    assert str(error.error_type) == "validation_error"


def test_arguments_that_nest_too_deep_are_refused(bench: Any) -> None:
    deep: Any = 1
    for _ in range(5000):
        deep = [deep]
    error = bench.call(bench.tool("return 1"), {"a": deep}).result.error
    assert str(error.error_type) == "validation_error"


def test_an_output_that_its_schema_rejects_is_a_failure_that_still_shows_it(bench: Any) -> None:
    tool = bench.tool("return {'sum': 'none'}", more=SCHEMA)
    result = bench.call(tool, {"a": 1}).result
    assert (result.success, result.output_data) == (False, {"sum": "none"})
    assert (str(result.error.error_type), result.error.details["side"]) == ("validation_error", "output")
    assert result.error.details["errors"][0]["path"] == "$.sum"


def test_a_schema_whose_alternatives_multiply_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "_PATIENCE_S", 1)
    levels = {f"l{n}": {"anyOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(30)}
    schema = {"$ref": "#/$defs/l0", "$defs": {**levels, "l30": {"type": "string"}}}
    error = check_output("local/s", "local/t", schema, 5)
    assert error is not None
    assert "took longer than 1 s" in error.message


def test_a_schema_with_references_is_checked_in_full() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}
    assert check_arguments("local/s", "local/t", schema, {"a": 1}) is None
    error = check_arguments("local/s", "local/t", schema, {"a": "x"})
    assert error is not None
    assert error.details["errors"][0]["path"] == "$.a"


@pytest.mark.parametrize("reference", ["file:///etc/passwd", "http://127.0.0.1:9/x.json"])
def test_a_schema_that_refers_elsewhere_fetches_nothing_and_is_refused(reference: str) -> None:
    error = check_arguments(
        "local/s", "local/t", {"type": "object", "properties": {"a": {"$ref": reference}}}, {"a": 1}
    )
    assert error is not None
    assert "can't be used" in error.message


def test_a_time_limit_of_the_call_comes_before_the_tools_own(bench: Any) -> None:
    error = bench.run("while True: pass", timeout=300, timeout_s=1).result.error
    assert error.details["timeout_s"] == 1


def test_several_calls_run_at_a_time_without_disturbing_each_other(bench: Any) -> None:
    tool = bench.tool(
        "def run(n):\n    open('mine', 'w').write(str(n))\n    return open('mine').read()", flags="{writes: true}"
    )
    flat, runtime = bench.flat(), bench.runtime()
    results: dict[int, Any] = {}

    def call(n: int) -> None:
        outcome = runtime.invoke(flat, "local/bench", tool, {"n": n}, CallOptions(approve=lambda _: True))
        results[n] = outcome.result.output_data

    threads = [threading.Thread(target=call, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    runtime.close()
    assert results == {n: str(n) for n in range(4)}


def test_a_result_is_one_json_document_whatever_happens(bench: Any) -> None:
    bench.write("caf\udce9".encode("utf-8", "surrogateescape").decode("utf-8", "replace"), "")
    code = "import os\nopen(b'odd-\\xff', 'w').close()\nprint('\\udc80')\nreturn 1"
    result = bench.run(code, flags="{writes: true}").result
    assert result.resource_changes[0]["path"] == "odd-\\udcff"
    assert result.model_dump_json()


def test_a_state_folder_that_cannot_be_made_is_named_with_the_remedy(bench: Any, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    bench.state = tmp_path / "taken" / "state"
    error = bench.run("return 1").result.error
    assert str(error.error_type) == "tool_activation_failure"
    assert str(bench.state) in error.message
    assert "--state" in error.message
