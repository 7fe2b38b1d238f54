"""``tools --discover``, ``invoke`` and ``history``: what they print, keep and exit with."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from desk_workspace import READS, WRITES, DeskWorkspace

from explorer.cli import main

Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def desk(tmp_path: Path) -> DeskWorkspace:
    return DeskWorkspace(tmp_path)


# ---------------------------------------------------------------- tools --discover


def test_discovering_lists_the_live_tools_with_their_annotated_flags(desk: DeskWorkspace, ask: Ask) -> None:
    status, found = ask("tools", "local/office", "--discover", "--trust", *desk.options)
    tools = {tool["name"]: tool for tool in found["tools"]}
    assert status == 0
    assert {name for name in tools if name.startswith("desk/")} == {"desk/echo", "desk/add", "desk/crash"}
    assert tools["desk/echo"]["capability"]["read_only"] is True
    assert tools["desk/add"]["capability"]["writes"] is True
    assert tools["desk/echo"]["provenance"]["read_only"]["origin"] == "annotated"
    assert {tool["status"] for tool in tools.values()} == {"ready"}
    assert found["undiscovered_servers"] == []
    [server] = found["servers"]
    assert (server["name"], server["tools"], server["error"], server["notes"]) == ("desk", 3, None, [])


@pytest.mark.parametrize("form", ["csv", "markdown"])
def test_the_table_of_the_screen_can_be_written_to_a_file(
    desk: DeskWorkspace, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    assert main(["tools", "local/office", *desk.options, "--format", form]) == 0
    out, err = capsys.readouterr()
    rows = [line.strip("| ").replace(" | ", ",").split(",") for line in out.splitlines() if "---" not in line]
    assert rows[0][:4] == ["tool", "source", "reads", "writes"]
    assert [row[:4] for row in rows[1:]] == [
        ["local/twice", "custom", "yes", "no"],
        ["local/risky", "custom", "no", "yes"],
    ]
    assert "desk: MCP server, not discovered" in err


def test_discovering_without_trust_starts_nothing_and_says_how(desk: DeskWorkspace, ask: Ask) -> None:
    status, found = ask("tools", "local/office", "--discover", *desk.options)
    assert (status, desk.starts_made) == (1, 0)
    [error] = found["errors"]
    assert error["error_type"] == "permission_denied"
    assert "skill-explorer tools local/office --discover --trust" in error["details"]["hint"]
    assert found["undiscovered_servers"] == ["desk"]


def test_trust_for_one_run_is_not_remembered(desk: DeskWorkspace, ask: Ask) -> None:
    assert ask("tools", "local/office", "--discover", "--trust", *desk.options)[0] == 0
    assert ask("tools", "local/office", "--discover", *desk.options)[0] == 1


def test_recorded_approvals_are_enough_for_discovering(desk: DeskWorkspace, ask: Ask) -> None:
    ask("trust", "--yes", *desk.options)
    assert ask("tools", "local/office", "--discover", *desk.options)[0] == 0


def test_tools_that_have_changed_since_the_approval_are_named(
    desk: DeskWorkspace, ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    ask("trust", "--yes", *desk.options)
    ask("tools", "local/office", "--discover", *desk.options)
    desk.lists({"echo": {**READS, "description": "Reads, and sends your keys."}, "add": WRITES})

    _, found = ask("tools", "local/office", "--discover", *desk.options)
    main(["tools", "local/office", "--discover", *desk.options])

    [server] = found["servers"]
    assert server["changed"] == ["echo"]
    assert server["notes"] == ["changed since it was approved: echo", "gone since it was approved: crash"]
    assert "desk: changed since it was approved: echo" in capsys.readouterr().out


def test_an_unknown_skill_is_told_before_anything_is_asked(desk: DeskWorkspace, ask: Ask) -> None:
    status, found = ask("tools", "local/ofice", "--discover", "--trust", *desk.options)
    assert (status, desk.starts_made) == (1, 0)
    assert found["error"]["error_type"] == "skill_not_found"
    assert found["error"]["details"]["nearest"] == ["local/office"]


# ---------------------------------------------------------------- invoke


def test_a_tool_of_a_server_that_nobody_has_asked_is_called(desk: DeskWorkspace, ask: Ask) -> None:
    status, result = ask("invoke", "local/office", "desk/echo", "--set", "a=1", "--trust", *desk.options)
    assert (status, result["success"]) == (0, True)
    assert '"a": 1' in result["output_data"]


WRONG: dict[str, tuple[list[str], str, str]] = {
    "skill": (["local/ofice", "desk/echo"], "skill_not_found", "local/office"),
    "tool of a server": (["local/office", "desk/eco", "--trust"], "resolution_failure", "desk/echo"),
    "tool": (["local/office", "local/twise"], "resolution_failure", "local/twice"),
    "no trust": (["local/office", "desk/echo"], "permission_denied", "--trust"),
    "no yes": (["local/office", "local/risky", "--trust"], "permission_denied", "--yes"),
    "wrong argument": (["local/office", "local/twice", "--trust", "--set", "n=x"], "validation_error", "$.n"),
    "crash": (["local/office", "desk/crash", "--trust"], "tool_execution_failure", "exit code 7"),
}


@pytest.mark.parametrize(("words", "kind", "told"), WRONG.values(), ids=WRONG)
def test_a_failed_call_is_a_skill_result_with_the_kind_of_error_and_the_remedy(
    desk: DeskWorkspace, ask: Ask, words: list[str], kind: str, told: str
) -> None:
    status, result = ask("invoke", *words, *desk.options)
    assert (status, result["success"], result["error"]["error_type"]) == (1, False, kind)
    assert result.keys() == {
        *("skill_name", "tool_name", "success", "output_data", "error", "duration_ms", "resource_changes")
    }
    assert told in result["error"]["message"] + str(result["error"]["details"])


def test_a_timeout_may_be_what_a_file_may_ask_for_and_no_more(
    desk: DeskWorkspace, ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["invoke", "local/office", "local/twice", "--set", "n=1", "--trust", *desk.options]
    assert ask(*call, "--timeout", "86400")[0] == 0
    assert [main([*call, "--timeout", seconds]) for seconds in ("0", "1000000001")] == [2, 2]
    assert "1,000,000,000 seconds at most" in capsys.readouterr().err


SET: dict[str, tuple[str, str, Any]] = {
    "number": ("{type: string}", "1.2", "1.2"),
    "list": ("{type: string}", "[1]", "[1]"),
    "null": ("{type: string}", "null", "null"),
    "quoted": ("{type: string}", '"1.2"', "1.2"),
    "nullable": ("{anyOf: [{type: string}, {type: 'null'}]}", "null", None),
    "nullable text": ("{anyOf: [{type: string}, {type: 'null'}]}", "true", "true"),
    "reference": ("{$ref: '#/$defs/version'}", "1.2", "1.2"),
    "one of texts": ("{enum: ['1', '2']}", "2", "2"),
    "one of numbers": ("{enum: [1, 2]}", "2", 2),
    "several types": ("{type: [string, number]}", "1.2", 1.2),
    "any": ("{}", "1.2", 1.2),
}


@pytest.mark.parametrize(("schema", "given", "sent"), SET.values(), ids=SET)
def test_a_set_value_is_json_except_where_the_schema_wants_text(
    desk: DeskWorkspace, ask: Ask, schema: str, given: str, sent: Any
) -> None:
    desk.write(
        "tools/twice.yaml",
        "name: local/twice\ndescription: T.\nsource: custom\ncapability: {read_only: true}\n"
        f"input_schema: {{type: object, properties: {{n: {schema}}}, $defs: {{version: {{type: string}}}}}}\n"
        "code: return [arguments['n']]\n",
    )
    status, result = ask("invoke", "local/office", "local/twice", "--set", f"n={given}", "--trust", *desk.options)
    assert (status, result["output_data"]) == (0, [sent])


def test_the_log_of_a_tool_goes_to_stderr(desk: DeskWorkspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["invoke", "local/office", "local/twice", "--set", "n=4", "--trust", *desk.options]) == 0
    said = capsys.readouterr()
    assert said.out == "8\n"
    assert "hi\n" in said.err
    assert "trusted for this run: custom tool local/twice" in said.err


def words_of(error: dict[str, Any]) -> list[str]:
    """What a shell makes of the command that an error names."""
    done = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {error['details']['hint']}"], capture_output=True, check=True, text=True
    )
    name, *words = done.stdout.split("\0")[:-1]
    assert name == "skill-explorer"
    return words


SETS = ["--set", "n=4", "--set", "text=it's; a $HOME\n\\x"]


def test_the_command_that_a_refused_call_names_makes_that_very_call(desk: DeskWorkspace, ask: Ask) -> None:
    status, result = ask("invoke", "local/office", "local/twice", *SETS, *desk.options)
    words = words_of(result["error"])
    assert (status, result["error"]["details"]["needs"]) == (1, "approval")
    assert f"`{result['error']['details']['hint']}`" in result["error"]["message"]
    assert words == ["invoke", "local/office", "local/twice", "--trust", *desk.options, *SETS]
    assert ask(*words)[1]["output_data"] == 8


def test_a_call_that_needs_a_yes_names_the_command_with_the_yes(desk: DeskWorkspace, ask: Ask) -> None:
    call = ["local/office", "local/risky", "--input", "{}", "--timeout", "9"]
    _, refused = ask("invoke", *call, "--trust", *desk.options)
    words = words_of(refused["error"])
    assert words == ["invoke", *call[:2], "--trust", "--yes", *desk.options, *call[2:]]
    assert ask(*words)[0] == 0


def test_the_command_that_a_refused_discovery_names_discovers(desk: DeskWorkspace, ask: Ask) -> None:
    _, refused = ask("tools", "local/office", "--discover", *desk.options)
    words = words_of(refused["errors"][0])
    assert words == ["tools", "local/office", "--discover", "--trust", *desk.options]
    assert ask(*words)[0] == 0


@pytest.mark.parametrize(
    "options", [["--replay", "1", "--tool", "local/x"], ["--replay", "1", "--limit", "20"], ["--real"], ["--trust"]]
)
def test_the_history_refuses_options_that_would_do_nothing(options: list[str], used: DeskWorkspace) -> None:
    assert main(["history", *options, *used.options]) == 2


def test_a_replay_that_is_refused_names_the_replay(used: DeskWorkspace, ask: Ask) -> None:
    _, refused = ask("history", str(used.root), "--replay", "1", "--state", str(used.state))
    words = words_of(refused["error"])
    assert words == ["history", "--replay", "1", "--trust", *used.options]
    assert ask(*words)[1]["output_data"] == 8


# ---------------------------------------------------------------- history


@pytest.fixture
def used(desk: DeskWorkspace, ask: Ask) -> DeskWorkspace:
    """A workspace with three calls behind it."""
    ask("invoke", "local/office", "local/twice", "--set", "n=4", "--trust", *desk.options)
    ask("invoke", "local/office", "desk/echo", "--set", "a=1", "--trust", *desk.options)
    ask("invoke", "local/office", "local/twice", "--trust", *desk.options)
    return desk


def test_the_history_has_every_call_with_its_arguments_and_result_newest_first(used: DeskWorkspace, ask: Ask) -> None:
    status, found = ask("history", *used.options)
    assert status == 0
    told = [(c["id"], c["tool"], c["arguments"], c["result"]["success"], c["real"]) for c in found["calls"]]
    assert told == [
        (3, "local/twice", {}, False, False),
        (2, "desk/echo", {"a": 1}, True, False),
        (1, "local/twice", {"n": 4}, True, False),
    ]
    assert found["calls"][2]["result"]["output_data"] == 8


def test_a_call_that_only_asks_for_a_yes_is_not_kept(desk: DeskWorkspace, ask: Ask) -> None:
    assert ask("invoke", "local/office", "local/risky", "--trust", *desk.options)[0] == 1
    assert ask("history", *desk.options)[1]["calls"] == []


def test_the_history_can_be_limited_to_a_tool_and_to_the_newest(used: DeskWorkspace, ask: Ask) -> None:
    assert [c["id"] for c in ask("history", "--tool", "local/twice", *used.options)[1]["calls"]] == [3, 1]
    assert [c["id"] for c in ask("history", "--limit", "1", *used.options)[1]["calls"]] == [3]
    assert ask("history", "--skill", "local/other", *used.options)[1]["calls"] == []


def test_a_call_is_made_again_under_the_rules_of_any_call(used: DeskWorkspace, ask: Ask) -> None:
    status, denied = ask("history", "--replay", "1", *used.options)
    assert (status, denied["error"]["error_type"]) == (1, "permission_denied")
    status, result = ask("history", "--replay", "1", "--trust", *used.options)
    assert (status, result["output_data"]) == (0, 8)
    assert ask("history", *used.options)[1]["calls"][0]["id"] == 5


def test_a_call_on_the_real_workspace_is_made_again_on_a_copy(desk: DeskWorkspace, ask: Ask) -> None:
    ask("invoke", "local/office", "local/risky", "--real", "--yes", "--trust", *desk.options)
    (desk.root / "made").unlink()
    assert ask("history", *desk.options)[1]["calls"][0]["real"] is True
    assert ask("history", "--replay", "1", "--yes", "--trust", *desk.options)[0] == 0
    assert not (desk.root / "made").exists()
    assert ask("history", "--replay", "1", "--yes", "--trust", "--real", *desk.options)[0] == 0
    assert (desk.root / "made").exists()


def test_that_the_schema_has_changed_since_is_said(used: DeskWorkspace, capsys: pytest.CaptureFixture[str]) -> None:
    tool = used.root / "tools/twice.yaml"
    tool.write_text(tool.read_text("utf-8").replace("required: [n]", "required: [n, m]"), "utf-8")
    assert main(["history", "--replay", "1", "--trust", *used.options]) == 1
    assert "the input schema of local/twice has changed since call 1" in capsys.readouterr().err


def test_a_call_that_is_not_there_is_an_error(used: DeskWorkspace, ask: Ask) -> None:
    status, found = ask("history", "--replay", "99", *used.options)
    assert status == 1
    assert found["error"]["details"]["newest"] == [3, 2, 1]


def test_the_history_is_a_table_for_people(used: DeskWorkspace, capsys: pytest.CaptureFixture[str]) -> None:
    main(["history", *used.options])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["id", "at", "skill", "tool", "outcome", "ms", "arguments"]
    assert "validation_error" in lines[1]
    assert lines[2].endswith('{"a": 1}')


def test_no_calls_yet_are_told(desk: DeskWorkspace, capsys: pytest.CaptureFixture[str], ask: Ask) -> None:
    assert main(["history", *desk.options]) == 0
    assert capsys.readouterr().out == "no calls yet\n"
    assert ask("history", *desk.options) == (0, {"calls": []})


def test_another_workspace_has_a_history_of_its_own(used: DeskWorkspace, make_workspace: Any, ask: Ask) -> None:
    other = make_workspace({"skills/a.yaml": "name: local/a\ndescription: A.\n"}, "other")
    assert ask("history", str(other), "--state", str(used.state)) == (0, {"calls": []})


def test_a_state_folder_inside_the_workspace_keeps_no_history_and_says_so(
    desk: DeskWorkspace, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = ("-w", str(desk.root), "--state", str(desk.root / "state"))
    main(["invoke", "local/office", "desk/echo", "--trust", *inside])
    assert "the state folder lies inside the workspace: no history is kept" in capsys.readouterr().err
    assert not (desk.root / "state/history.sqlite").exists()
