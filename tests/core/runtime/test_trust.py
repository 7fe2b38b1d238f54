"""Nothing of a workspace runs before exactly that was approved (resolution, part 5)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.runtime.call import ExecutionIdentity
from core.runtime.confinement import Confinement

CODE = "def run(): return open('marker').read()"


class Store:
    """Remembers digests, as the approvals of a state folder do."""

    def __init__(self, *digests: str) -> None:
        self.digests = set(digests)

    def allows(self, identity: ExecutionIdentity) -> bool:
        return identity.digest in self.digests

    def compared(self, identity: ExecutionIdentity) -> ExecutionIdentity:
        return replace(identity, changed=("- old", "+ new")) if self.digests else identity


@pytest.mark.parametrize("approve", [None, lambda _: False], ids=["nobody to ask", "no"])
def test_custom_code_without_an_approval_is_denied_with_the_command_that_would_approve_it(
    bench: Any, approve: Any
) -> None:
    error = bench.run(CODE, approve=approve).result.error
    assert str(error.error_type) == "permission_denied"
    assert "skill-explorer invoke local/bench local/probe --trust" in error.message
    assert error.details["hint"] == "skill-explorer invoke local/bench local/probe --trust"


def test_what_is_asked_for_shows_everything_that_decides_what_runs(bench: Any) -> None:
    bench.write("marker", "x")
    bench.run(CODE)
    [asked] = bench.asked
    assert (asked.kind, asked.path, asked.code.strip()) == ("custom", "tools/probe.yaml", CODE)
    labels = dict(asked.details)
    assert labels["workspace"] == str(bench.root)
    assert labels["isolation"] == bench.call("local/probe").isolation
    assert {"interpreter", "environment", "working folder"} <= labels.keys()


def test_what_is_asked_for_names_every_variable_that_a_tool_is_given(bench: Any) -> None:
    given = bench.run("import os\nreturn sorted(os.environ)").result.output_data
    named = dict(bench.asked[0].details)["environment"].split(", ")
    assert set(given) - {"LC_CTYPE", "PWD"} == set(named)


def test_a_stored_approval_lets_the_same_code_run_without_asking(bench: Any) -> None:
    bench.write("marker", "x")
    bench.run(CODE)
    bench.approvals = Store(bench.asked[0].digest)
    assert bench.call("local/probe", approve=None).result.output_data == "x"


def digest(bench: Any) -> str:
    flat = bench.flat()
    runtime = bench.runtime()
    [identity] = runtime.identities(flat, "local/probe")
    runtime.close()
    return str(identity.digest)


def moved(bench: Any) -> None:
    bench.root = bench.root.rename(bench.root.with_name("elsewhere"))


CHANGES = {
    "code": lambda bench: bench.tool("return 2"),
    "declared flags": lambda bench: bench.tool("return 1", flags="{writes: true}"),
    "workspace": moved,
    "isolation": lambda bench: setattr(bench, "confinement", Confinement()),
    "hook": lambda bench: bench.tool("return 1", more="lifecycle: {activate: 'print(1)'}\n"),
    "entry point": lambda bench: bench.tool(None, more="entry_point: lib/a.py:go\n"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_any_change_of_what_runs_changes_the_digest(bench: Any, change: Any) -> None:
    bench.write("lib/a.py", "def go(): return 1")
    bench.tool("return 1")
    before = digest(bench)
    assert digest(bench) == before
    change(bench)
    assert digest(bench) != before


FILE_CHANGES = {
    "the file": ("lib/a.py", "def go(): return 2"),
    "a file beside it": ("lib/b.py", "x = 2"),
    "a new file beside it": ("lib/c.py", ""),
    "a file below it": ("lib/deep/er/d.py", ""),
}


@pytest.mark.parametrize(("path", "text"), FILE_CHANGES.values(), ids=FILE_CHANGES)
def test_any_change_of_the_files_that_an_entry_point_may_import_changes_the_digest(
    bench: Any, path: str, text: str
) -> None:
    bench.write("lib/a.py", "def go(): return 1")
    bench.write("lib/b.py", "x = 1")
    bench.tool(None, more="entry_point: lib/a.py:go\n")
    before = digest(bench)
    bench.write(path, text)
    assert digest(bench) != before


def test_what_does_not_run_does_not_change_the_digest(bench: Any) -> None:
    bench.tool("return 1")
    before = digest(bench)
    bench.write("data/a.txt", "x")
    assert digest(bench) == before


def test_code_that_changes_while_it_is_being_approved_does_not_run(bench: Any) -> None:
    bench.write("lib/a.py", "def go(): return 'approved'")
    tool = bench.tool(None, more="entry_point: lib/a.py:go\n")

    def swap(_: ExecutionIdentity) -> bool:
        bench.write("lib/a.py", "def go(): return 'swapped'")
        return True

    error = bench.call(tool, approve=swap).result.error
    assert (str(error.error_type), "changed" in error.message) == ("permission_denied", True)


def test_a_changed_approval_is_shown_with_what_has_changed(bench: Any) -> None:
    bench.approvals = Store("0" * 64)
    error = bench.run("return 1", approve=None).result.error
    assert "has changed since it was approved" in error.message
    assert error.details["changed"] == ["- old", "+ new"]


def test_identities_lists_what_still_needs_an_approval_and_runs_nothing(bench: Any) -> None:
    tool = bench.tool("open('ran', 'w')\nreturn 1")
    flat, runtime = bench.flat(), bench.runtime()
    [identity] = runtime.identities(flat, tool)
    assert runtime.identities(flat, "builtin/read_file") == ()
    runtime.close()
    assert not (bench.root / "ran").exists()
    bench.approvals = Store(identity.digest)
    known = bench.runtime()
    assert known.identities(flat, tool) == ()
    known.close()


def test_each_shell_command_is_asked_for_by_itself_and_confirmed_each_time(bench: Any) -> None:
    first = bench.builtin("shell_execute", command="echo one")
    second = bench.builtin("shell_execute", command="echo two")
    assert (first.result.output_data["stdout"], second.result.output_data["stdout"]) == ("one\n", "two\n")
    assert bench.asked[0].digest != bench.asked[1].digest
    assert bench.asked[0].code == "echo one"
    denied = bench.call("builtin/shell_execute", {"command": "echo one"}, confirmed=False).result.error
    assert denied.details["needs"] == "confirmation"


def test_built_in_tools_need_no_approval(bench: Any) -> None:
    bench.write("a.txt", "x")
    assert bench.call("builtin/read_file", {"path": "a.txt"}, approve=None, confirmed=False).result.success


def test_an_approval_holds_by_whatever_name_the_same_interpreter_was_started(bench: Any, tmp_path: Path) -> None:
    bench.tool(CODE)
    bench.write("skills/s.yaml", "name: local/s\ndescription: S.\ntools: [local/probe]\n")
    programs = [tmp_path / "environment" / "bin" / name for name in ("python", "python3")]
    programs[0].parent.mkdir(parents=True)
    (tmp_path / "environment" / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    for program in programs:
        program.symlink_to(Path(sys.executable).resolve())
    said = [listing(program, bench.root, tmp_path / "state") for program in programs]
    assert [item["runs"] for item in said[0]["items"]]
    assert said[0] == said[1]


def listing(program: Path, root: Path, state: Path) -> Any:
    """Return what ``program`` says may be approved in the workspace."""
    command = [program, "-P", "-m", "explorer", "trust", root, "--list", "--state", state, "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return json.loads(subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60).stdout)
