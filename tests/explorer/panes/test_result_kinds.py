"""The kinds of results and errors that tools and servers give, each readable as what it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pane_fakes import error, outcome, record

from core.protocol import SkillErrorType
from core.runtime.call import CallEvent
from explorer.presenters.json_line import json_line
from explorer.presenters.result import error_page, headline
from explorer.services.calls import CallRequest, command_line
from explorer.services.json_rows import JsonTree
from explorer.services.runs import Run

FAILED = SkillErrorType.TOOL_EXECUTION_FAILURE


def lines(value: Any) -> list[str]:
    return [json_line(line, 100).plain for line in JsonTree(value).lines]


def page(kind: SkillErrorType, message: str, log: tuple[CallEvent, ...] = (), **details: Any) -> str:
    found = error_page(outcome(failed=error(kind, message, **details), log=log), 100)
    return "\n".join(line.content.plain for line in found.lines)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "  null"),
        (True, "  true"),
        (9007199254740993, "  9007199254740993"),
        (0.1, "  0.1"),
        ("", '  ""'),
        ([], "  [] 0"),
        ({}, "  {} 0"),
        ("null", '  "null"'),
    ],
)
def test_scalars_and_empty_containers_can_be_told_apart(value: Any, shown: str) -> None:
    assert lines({"v": value})[1] == f"    v{shown}"


def test_a_list_of_blocks_shows_texts_and_names_pictures_by_kind_type_and_size() -> None:
    blocks = [
        {"type": "text", "text": "first\nsecond"},
        {"type": "image", "mimeType": "image/png", "data": "A" * 4096},
        {"type": "audio", "mimeType": "audio/[/wav]", "data": "A" * 4},
    ]
    shown = "\n".join(lines(blocks))
    assert "image · image/png · 3.0 KiB" in shown
    assert "audio · audio/[/wav] · 3 bytes" in shown


@pytest.mark.parametrize(
    ("details", "says"),
    [
        ({"needs": "approval", "hint": "skill-explorer invoke a b --trust"}, "ctrl+r in the form runs it again"),
        ({"needs": "confirmation", "hint": "confirm the call, or add --yes"}, "say yes there"),
        ({"undiscovered_servers": ["x"], "hint": "`skill-explorer tools a --discover` asks"}, "d asks the servers"),
    ],
)
def test_on_the_screen_a_remedy_is_a_key_and_no_command(details: dict[str, Any], says: str) -> None:
    hint = details["hint"]
    said = page(SkillErrorType.PERMISSION_DENIED, f"it is new; `{hint}` approves it", **details)
    assert says in said
    assert "it is new" in said
    assert "--" not in said.partition("remedy")[2]
    assert details.get("needs") is None or "--" not in said


def test_what_a_server_reports_keeps_its_code_and_data() -> None:
    said = page(FAILED, "bad", code=-32602, data={"hint": "see docs"}, server="notes")
    assert "the server" in said
    assert "-32602" in said
    assert '{"hint": "see docs"}' in said


def test_what_a_tool_reports_through_its_server_is_the_servers_word() -> None:
    assert "the server" in page(FAILED, "no such issue", is_error=True)


def test_a_dead_server_shows_its_exit_status_and_last_words() -> None:
    said = page(
        SkillErrorType.TOOL_ACTIVATION_FAILURE, "it ended", exit_code=3, stderr=["Traceback", "No module: nope"]
    )
    assert "3" in said.split("exit status")[1].split("\n")[0]
    assert "No module: nope" in said


def test_what_a_tool_raised_names_the_exception_and_where_it_came_from() -> None:
    said = page(FAILED, "boom", raised_by="tool", exception="KeyError", traceback=["a.py:1 in run", "a.py:9 in inner"])
    assert "the tool: it raised this itself" in said
    assert "KeyError" in said
    assert "a.py:9 in inner" in said


def test_a_time_out_names_the_limit() -> None:
    assert "5" in page(FAILED, "the tool took longer than 5 s", timeout_s=5).split("limit in s")[1]


def test_a_refusal_names_the_remedy() -> None:
    said = page(SkillErrorType.PERMISSION_DENIED, "`a/b` is read-only", hint="take the override back")
    assert "not allowed" in said
    assert "take the override back" in said


def test_many_faults_are_counted_and_a_long_log_is_cut_to_its_end() -> None:
    faults = [{"path": f"$.f{n}", "message": "wrong"} for n in range(40)]
    log = tuple(CallEvent("log", f"line {n}", {"stream": "stdout"}) for n in range(100))
    said = page(SkillErrorType.VALIDATION_ERROR, "wrong", log=log, side="input", errors=faults)
    assert "$.f4" in said
    assert "and 35 more" in said
    assert "6 of 100 lines" in said
    assert "line 99" in said
    assert "line 50" not in said


@pytest.mark.parametrize("details", [{"errors": "x"}, {"errors": [1]}, {"stderr": 5}, {"path": 3}, {"traceback": {}}])
def test_details_of_an_unexpected_shape_break_nothing(details: dict[str, Any]) -> None:
    assert "odd" in page(FAILED, "odd", **details)


def test_the_headline_says_how_long_and_what_changed() -> None:
    request = CallRequest("a/b", record("a/t", writes=True), {})
    done = outcome("x")
    changed = done.result.model_copy(update={"duration_ms": 1234.0, "resource_changes": [{"path": "a"}, {"path": "b"}]})
    run = Run(2, request, outcome("x").__class__(changed))
    assert headline(run).plain == "✓ succeeded · 1.2 s · 2 files changed · on a copy · run 2"
    overlaid = replace(run, outcome=replace(run.outcome, overlaid=True))
    assert headline(overlaid).plain == "✓ succeeded · 1.2 s · 2 files changed · on an overlay · run 2"


def test_a_command_line_quotes_for_the_shell_and_survives_names_that_look_like_options() -> None:
    request = CallRequest("-a/b", record("-a/t", unsafe=True), {"q": "it's \u202e\x7f é"}, real=True, timeout_s=5)
    assert command_line(request, "/w s") == (
        "skill-explorer invoke -w '/w s' --input '{\"q\": \"it'\"'\"'s \\u202e\\u007f é\"}' "
        "--real --timeout 5 --yes -- -a/b -a/t"
    )


def test_a_failed_call_with_an_output_shows_both_the_output_and_the_details() -> None:
    failed = error(FAILED, "no such issue", is_error=True, server="notes")
    said = error_page(outcome({"issue": 7}, failed=failed), 100)
    assert any('{"is_error": true, "server": "notes"}' in line.content.plain for line in said.lines)
    alone = error_page(outcome(failed=failed), 100)
    assert not any("is_error" in line.content.plain for line in alone.lines)
