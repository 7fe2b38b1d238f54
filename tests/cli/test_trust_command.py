"""``trust``: what would run, approved as it is now, and taken back."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from desk_workspace import DeskWorkspace

from explorer.cli import main

Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def desk(tmp_path: Path) -> DeskWorkspace:
    return DeskWorkspace(tmp_path)


def states(ask: Ask, desk: DeskWorkspace) -> dict[str, str]:
    status, found = ask("trust", "--list", *desk.options)
    assert status == 0
    return {item["source"]: item["state"] for item in found["items"]}


def test_listing_shows_everything_that_would_run_and_runs_nothing(desk: DeskWorkspace, ask: Ask) -> None:
    status, found = ask("trust", "--list", *desk.options)
    assert status == 0
    assert [(i["kind"], i["source"], i["path"], i["state"]) for i in found["items"]] == [
        ("mcp-stdio", "MCP server desk", "skills/office.yaml", "new"),
        ("custom", "tool local/risky", "tools/risky.yaml", "new"),
        ("custom", "tool local/twice", "tools/twice.yaml", "new"),
    ]
    assert all(len(item["digest"]) == 64 and item["line"] >= 1 for item in found["items"])
    assert {"label": "argument 1", "value": str(desk.root)} not in found["items"][0]["runs"]
    assert [run["label"] for run in found["items"][0]["runs"]][:2] == ["workspace", "program"]
    assert found["items"][1]["code"].startswith("open('made'")
    assert desk.starts_made == 0
    assert not (desk.state / "approvals.json").exists()


def test_a_yes_approves_what_is_listed_as_it_is_now(desk: DeskWorkspace, ask: Ask) -> None:
    status, found = ask("trust", "--yes", *desk.options)
    assert (status, {item["state"] for item in found["items"]}) == (0, {"approved"})
    assert ask("invoke", "local/office", "desk/echo", *desk.options)[0] == 0
    assert ask("invoke", "local/office", "local/twice", "--set", "n=1", *desk.options)[0] == 0


def test_off_a_terminal_nothing_is_approved_without_a_yes(
    desk: DeskWorkspace, run_program: Callable[..., subprocess.CompletedProcess[str]], ask: Ask
) -> None:
    done = run_program("trust", *desk.options)
    assert done.returncode == 2
    assert "nothing was approved: there is no terminal to ask on; --yes approves what --list shows" in done.stderr
    assert all(word in done.stdout for word in ("open('made'", "argument 1", "tool local/twice", "MCP server desk"))
    as_json = run_program("trust", "--format", "json", *desk.options)
    assert (as_json.returncode, len(json.loads(as_json.stdout)["items"])) == (2, 3)
    assert set(states(ask, desk).values()) == {"new"}


def test_what_changes_is_listed_as_changed_and_nothing_else_is(desk: DeskWorkspace, ask: Ask) -> None:
    ask("trust", "--yes", *desk.options)
    tool = desk.root / "tools/twice.yaml"
    tool.write_text(tool.read_text("utf-8").replace("2 *", "3 *"), "utf-8")
    assert states(ask, desk) == {
        "MCP server desk": "approved",
        "tool local/risky": "approved",
        "tool local/twice": "changed",
    }


def test_an_approval_is_taken_back_by_the_beginning_of_its_digest(desk: DeskWorkspace, ask: Ask) -> None:
    _, found = ask("trust", "--yes", *desk.options)
    digest = next(i["digest"] for i in found["items"] if i["source"] == "tool local/twice")
    status, gone = ask("trust", "--revoke", digest[:12], *desk.options)
    assert (status, [a["source"] for a in gone["revoked"]]) == (0, ["tool local/twice"])
    assert states(ask, desk) == {
        "MCP server desk": "approved",
        "tool local/risky": "approved",
        "tool local/twice": "new",
    }


def test_what_is_taken_back_is_counted_in_words(
    desk: DeskWorkspace, ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    _, found = ask("trust", "--yes", *desk.options)
    digest = found["items"][0]["digest"]
    for word, said in ((digest, "1 approval revoked"), ("all", "2 approvals revoked")):
        assert main(["trust", "--revoke", word, *desk.options]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == said


def test_all_approvals_are_taken_back(desk: DeskWorkspace, ask: Ask) -> None:
    ask("trust", "--yes", *desk.options)
    status, gone = ask("trust", "--revoke", "all", *desk.options)
    assert (status, len(gone["revoked"])) == (0, 3)
    assert set(states(ask, desk).values()) == {"new"}


def test_all_are_those_of_this_workspace_unless_all_workspaces_are_meant(
    desk: DeskWorkspace, ask: Ask, make_workspace: Any
) -> None:
    ask("trust", "--yes", *desk.options)
    other = (str(make_workspace({"skills/a.yaml": "name: local/a\ndescription: A.\n"}, "other")), "--state")
    status, gone = ask("trust", "--revoke", "all", *other, str(desk.state))
    assert (status, gone) == (0, {"revoked": [], "unknown": []})
    assert set(states(ask, desk).values()) == {"approved"}
    _, gone = ask("trust", "--revoke", "all", "--all-workspaces", *other, str(desk.state))
    assert len(gone["revoked"]) == 3
    assert main(["trust", "--all-workspaces", *desk.options]) == 2


def test_a_digest_that_nothing_has_is_told_and_the_others_are_taken_back(
    desk: DeskWorkspace, ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    _, found = ask("trust", "--yes", *desk.options)
    digest = found["items"][0]["digest"]
    unknown = "000000" if not digest.startswith("000000") else "111111"
    assert main(["trust", "--revoke", unknown, *desk.options]) == 1
    said = capsys.readouterr()
    assert f"no approval begins with {unknown}" in said.err
    assert said.out == ""
    status, gone = ask("trust", "--revoke", unknown, "--revoke", digest, *desk.options)
    assert (status, [a["digest"] for a in gone["revoked"]]) == (1, [digest])
    assert gone["unknown"] == [unknown]


def test_the_shell_has_no_place_in_a_file(desk: DeskWorkspace, ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write("skills/shell.yaml", "name: local/shell\ndescription: S.\ntools: [builtin/shell_execute]\n")
    _, listed = ask("trust", "--list", *desk.options)
    shells = [(item["path"], item["line"]) for item in listed["items"] if item["kind"] == "shell"]
    assert shells == [(None, None)]
    call = ["local/shell", "builtin/shell_execute", "--set", "command=true", "--yes"]
    _, refused = ask("invoke", *call, *desk.options)
    assert (refused["error"]["details"]["path"], refused["error"]["details"]["line"]) == (None, None)
    assert "None" not in refused["error"]["message"]
    assert main(["trust", "--list", *desk.options]) == 0
    assert "None" not in capsys.readouterr().out


@pytest.mark.parametrize("word", ["", "abc", "xyzxyz", "ABCDEF"])
def test_a_word_that_could_mean_anything_takes_nothing_back(desk: DeskWorkspace, ask: Ask, word: str) -> None:
    ask("trust", "--yes", *desk.options)
    assert main(["trust", "--revoke", word, *desk.options]) == 2
    assert set(states(ask, desk).values()) == {"approved"}


def test_stored_approvals_of_earlier_states_and_other_workspaces_are_listed_and_can_be_taken_back(
    desk: DeskWorkspace, ask: Ask, make_workspace: Any
) -> None:
    ask("trust", "--yes", *desk.options)
    other = make_workspace({"skills/a.yaml": "name: local/a\ndescription: A.\n"}, "other")
    _, found = ask("trust", str(other), "--list", "--state", str(desk.state))
    assert (found["items"], {o["workspace"] for o in found["others"]}) == ([], {str(desk.root)})
    for stored in found["others"]:
        ask("trust", str(other), "--revoke", stored["digest"], "--state", str(desk.state))
    assert set(states(ask, desk).values()) == {"new"}


def test_a_state_folder_inside_the_workspace_is_refused(
    desk: DeskWorkspace, ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = ("-w", str(desk.root), "--state", str(desk.root / "state"))
    assert main(["trust", "--yes", *inside]) == 2
    said = capsys.readouterr().err
    assert "nothing was approved: the state folder lies inside the workspace" in said
    status, found = ask("trust", "--list", *inside)
    assert (status, {item["state"] for item in found["items"]}) == (0, {"new"})


def test_a_damaged_store_is_told_and_approves_nothing(
    desk: DeskWorkspace, ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    ask("trust", "--yes", *desk.options)
    (desk.state / "approvals.json").write_text("{", "utf-8")
    assert main(["trust", "--list", *desk.options, "--format", "json"]) == 0
    said = capsys.readouterr()
    assert {item["state"] for item in json.loads(said.out)["items"]} == {"new"}
    assert "nothing counts as approved" in said.err


def test_servers_of_one_name_are_refused_and_trusted_all_at_once(
    desk: DeskWorkspace, ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    upper = desk.skill("local/upper", "desk", more="includes: [{name: local/office}]\n")
    desk.write("skills/upper.yaml", upper.replace('"env": {', '"env": {"FLOOR": "2", '))
    call = ("invoke", "local/upper", "desk/nowhere", *desk.options)

    status, result = ask(*call)
    error = result["error"]
    assert (status, error["details"]["needs"], len(error["details"]["digests"])) == (1, "approval", 2)
    assert (
        "(skills/office.yaml:4) is not approved to run and MCP server desk (skills/upper.yaml:4) is" in error["message"]
    )
    assert "approves all of it for one call" in error["message"]
    assert desk.starts_made == 0

    assert main([*call, "--trust"]) == 1
    assert capsys.readouterr().err.count("trusted for this run: mcp-stdio MCP server desk") == 2
    assert desk.starts_made == 2
