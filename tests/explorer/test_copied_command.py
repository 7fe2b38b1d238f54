"""The command that is copied makes the same call when a shell runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.text import safe_text
from core.workspace import Workspace
from explorer.services.calls import CallRequest, command_line
from explorer.services.tool_to_try import record_of

TOOL = """
name: -a/-echo
description: Gives back what it was given.
source: custom
capability: {read_only: true}
input_schema: {type: object}
code: |
  def run(**given):
      return given
"""
NASTY = [
    {"q": 'it\'s "quoted" `date` $(date) $HOME ! # ~ * ? [x] {a,b} \\ \\n'},
    {"--input": "-x", "-w": "@/etc/hostname", "@file": "@"},
    {"lines": "one\ntwo\r\n\ttab", "esc": "\x1b[2J\x00\x7f\u202e"},
    {"漢字": "👩‍👩‍👧 é Ω", "": "", " ": None},
    {"big": 9007199254740993, "huge": -(10**30), "float": 5e-324, "zero": 0, "no": False},
    {"deep": [[[{"a": [{"b": []}]}]]]},
]


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Path]:
    root = tmp_path_factory.mktemp('a folder\'s "name"')
    (root / "tools").mkdir()
    (root / "skills").mkdir()
    (root / "tools/echo.yaml").write_text(TOOL, "utf-8")
    (root / "skills/a.yaml").write_text("name: -a/-b\ndescription: A.\ntools: [-a/-echo]\n", "utf-8")
    state = tmp_path_factory.mktemp("state")
    program = state / "bin" / "skill-explorer"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nwhile [ "$1" != --input ]; do shift; done\nprintf %s "$2"\n', "utf-8")
    program.chmod(0o755)
    workspace = Workspace(root, state=state)
    workspace.load()
    workspace.resolve()
    workspace.record_approvals(list(workspace.identities("-a/-b", "-a/-echo")))
    return workspace, state


def in_a_shell(line: str, programs: Path) -> subprocess.CompletedProcess[bytes]:
    """Run ``line`` in a shell that looks for programs in ``programs`` first."""
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    return subprocess.run(["sh", "-c", line], env=environment, capture_output=True, timeout=60, check=False)


def command(workspace: Workspace, arguments: Any) -> str:
    record = record_of(workspace, "-a/-b", "-a/-echo")
    assert record is not None
    return command_line(CallRequest("-a/-b", record, arguments), str(workspace.root), workspace.state)


@pytest.mark.parametrize("arguments", NASTY, ids=range(len(NASTY)))
def test_a_shell_passes_on_every_argument_unchanged(echo: tuple[Workspace, Path], arguments: Any) -> None:
    workspace, _ = echo
    line = command(workspace, arguments)
    done = in_a_shell(line.replace("invoke ", "invoke --format json ", 1), Path(sys.executable).parent)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["output_data"] == arguments


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(), JSON, max_size=3))
def test_any_arguments_are_one_word_of_the_line_that_says_the_same_json(
    echo: tuple[Workspace, Path], arguments: Any
) -> None:
    line = command(echo[0], arguments)
    assert safe_text(line) == line
    said = in_a_shell(line, echo[1] / "bin").stdout
    assert json.loads(said) == arguments
