"""No command runs, connects or writes anything of its own accord on a workspace that nobody trusts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hostile import Hostile, build, snapshot
from places import ROOT

from explorer.cli.group import COMMANDS

COMMAND_LINES: dict[str, list[list[str]]] = {
    "open": [],  # needs a terminal: tests/explorer/test_nothing_runs_on_screen.py
    "check": [["check"], *(["check", "--format", form] for form in ("json", "sarif", "github"))],
    "list": [["list"]],
    "show": [["show", "local/tools"], ["show", "local/servers"], ["show", "local/nobody"]],
    "tools": [["tools", "local/tools"], ["tools", "local/servers", "--discover"]],
    "why": [["why", "local/tools", "listed/one"], ["why", "local/tools", "local/top"]],
    "graph": [["graph"], *(["graph", "local/tools", "--format", form] for form in ("mermaid", "dot"))],
    "invoke": [
        ["invoke", "local/tools", tool, "--yes"]
        for tool in ("local/top", "local/file", "local/module", "listed/one", "plain/any", "url/any", "link/any")
    ]
    + [["invoke", "local/tools", "builtin/shell_execute", "--set", "command=touch x", "--yes"]],
    "actor": [["actor", "local/actor"]],
    "register": [["register", "local/tools", "local/servers", "local/nobody"]],
    "registry": [
        *(["registry", word] for word in ("list", "diff")),
        ["registry", "list", "--discover"],
        ["registry", "show", "local/servers"],
        ["registry", "remove", "local/tools"],
    ],
    "refresh": [["refresh"], ["refresh", "local/servers"]],
    "trust": [["trust", "--list"], ["trust", "--revoke", "all"]],
    "history": [["history"], ["history", "--replay", "1", "--yes"]],
    "schema": [["schema", "skill"]],
    "new": [],  # writes the one file that it is asked for, and reads no workspace
    "explain": [["explain", "mcp/literal-secret"]],
}

FRIENDLY = {
    "tools/t.yaml": "name: local/t\ndescription: T.\nsource: custom\ncode: 'x'\n",
    "skills/s.yaml": "name: local/s\ndescription: S.\ntools: [local/t]\n",
}


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    return build(tmp_path)


def environment(hostile: Hostile) -> dict[str, str]:
    """Return the environment of a careless user: the workspace first in every search path that there is."""
    path = f":.:{hostile.root}:{os.environ['PATH']}"
    secrets = {"GITHUB_TOKEN": "ghp_planted", "AWS_SECRET_ACCESS_KEY": "aws_planted"}
    return {**os.environ, **secrets, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)}


def run(hostile: Hostile, state: Path, lines: list[list[str]]) -> tuple[list[dict[str, Any]], str]:
    """Run the commands one after the other in one audited process; return the events and all that was printed."""
    report = state.parent / "report"
    done = subprocess.run(
        [sys.executable, "-P", str(ROOT / "tests/audit.py"), str(report), str(hostile.root), "--"],
        input="\n".join(json.dumps([*line, "--state", str(state)]) for line in lines),
        capture_output=True,
        text=True,
        timeout=300,
        cwd=hostile.root,
        env=environment(hostile),
        check=True,
    )
    return [json.loads(line) for line in report.read_text("utf-8").splitlines()], done.stdout + done.stderr


def all_lines() -> list[list[str]]:
    lines = [line for name in COMMANDS for line in COMMAND_LINES[name]]
    forms = [[*line, "--format", "json"] for line in lines if "--format" not in line]
    return [*lines, *forms]


def beside(events: list[dict[str, Any]], *folders: Path) -> list[dict[str, Any]]:
    """Return the writes that did not go below ``folders``, nor nowhere."""
    allowed = tuple(f"{os.path.realpath(folder)}{os.sep}" for folder in folders)
    fine = (os.devnull, *(str(folder) for folder in folders))
    return [e for e in events if e["kind"] == "write" and not e["what"].startswith(allowed) and e["what"] not in fine]


def test_every_command_is_tried(hostile: Hostile) -> None:
    assert COMMAND_LINES.keys() == COMMANDS.keys()


def test_no_command_starts_a_process_connects_or_writes_outside_the_state_folder(
    hostile: Hostile, tmp_path: Path, run_program: Any, make_workspace: Any
) -> None:
    state = tmp_path / "state"
    friendly = make_workspace(FRIENDLY, "friendly")
    run_program("trust", str(friendly), "--list", "--state", str(state))  # finds out how tools are confined here
    outside = [tmp_path, Path(os.environ["HOME"])]
    left_out = [state, tmp_path / "report"]
    before = snapshot(outside, left_out)

    events, said = run(hostile, state, all_lines())

    assert [e for e in events if e["kind"] in ("process", "network", "code")] == []
    assert beside(events, state) == []
    assert snapshot(outside, left_out) == before
    assert not hostile.canary.exists()
    assert "Traceback" not in said
    assert "unexpected error" not in said
    assert "planted" not in said


def test_what_is_written_and_started_would_be_noticed(hostile: Hostile, tmp_path: Path) -> None:
    events, _ = run(hostile, tmp_path / "state", [["new", "tool", "local/fresh"]])

    assert str(hostile.root / "tools/fresh.yaml") in [event["what"] for event in beside(events, tmp_path / "state")]


def test_finding_out_how_tools_are_confined_gives_nothing_of_the_workspace_to_a_process(
    hostile: Hostile, tmp_path: Path
) -> None:
    """The one thing that is started without an approval: the program's own trial of bubblewrap and Landlock."""
    events, _ = run(hostile, tmp_path / "state", [["trust", "--list"]])

    started = [event["what"] for event in events if event["kind"] == "process"]
    assert started
    assert [what for what in started if str(hostile.root) in what] == []
    assert not hostile.canary.exists()


def test_a_file_that_declares_the_workspace_trusted_is_only_data(hostile: Hostile, ask: Any, tmp_path: Path) -> None:
    status, found = ask("trust", str(hostile.root), "--list", "--state", str(tmp_path / "state"))

    assert status == 0
    assert {item["state"] for item in found["items"]} == {"new"}
