"""``trust`` asks on a terminal, after it has shown all of what would run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pty_driver import running

TREE = {
    "tools/t.yaml": "name: local/t\ndescription: T.\nsource: custom\ncode: \"return '\\e[31mred'\"\n",
    "skills/s.yaml": (
        "name: local/s\ndescription: S.\ntools: [local/t]\nmcp_servers:\n"
        '  - {name: srv, command: "sh", args: ["-c", "echo one two"], env: {PYTHONPATH: lib, KEY: planted-secret}}\n'
    ),
}


@pytest.mark.parametrize(("answer", "state"), [("y\r", "approved"), ("n\r", "new"), ("\r", "new")])
def test_everything_is_shown_and_only_a_yes_approves(make_workspace, tmp_path: Path, answer: str, state: str) -> None:
    arguments = ("trust", str(make_workspace(TREE)), "--state", str(tmp_path / "state"))
    with running(*arguments, size=(160, 50)) as terminal:
        terminal.until("Approve these 2 as they are now? [y/N]")
        shown = terminal.text
        terminal.type(answer)
        assert terminal.ended() == 0
        written = terminal.written
    assert "argument 2: echo one two" in shown
    assert "changes which program or library runs: PYTHONPATH" in shown
    assert "return '\u241b[31mred'" in shown
    assert b"\x1b[31mred" not in written
    assert b"planted-secret" not in written
    assert [line.split()[0] for line in terminal.text.splitlines() if "s.yaml:" in line or "t.yaml:" in line][-2:] == [
        state,
        state,
    ]


def test_nothing_is_asked_when_all_is_approved(make_workspace, tmp_path: Path, run_program) -> None:
    where = (str(make_workspace(TREE)), "--state", str(tmp_path / "state"))
    assert run_program("trust", *where, "--yes").returncode == 0
    done = run_program("trust", *where, "--format", "json")
    assert done.returncode == 0
    assert {item["state"] for item in json.loads(done.stdout)["items"]} == {"approved"}
