"""``check`` and its options, as a person or another program uses them."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema_rs
import pytest
from places import ROOT

from explorer.cli import main

FAULTY = {
    "skills/a.yaml": (
        "name: local/a\ndescription: A.\nversion: 1.10\nincludes: [local/gone]\nbuiltins: [git_operations]\n"
    ),
    "notes/SKILL.md": (
        "---\nname: notes\ndescription: Keeps notes, whatever they are. Use for notes.\nextra: 1\n---\n\n1. Go.\n"
    ),
}
# The standard's own schema (OASIS, version 2.1.0), without its descriptions and one pattern that is no regular
# expression.
SARIF_SCHEMA = json.loads((ROOT / "tests" / "data" / "sarif-2.1.0.json").read_text(encoding="utf-8"))


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def run(*arguments: str) -> tuple[int, str]:
        status = main(list(arguments))
        return status, capsys.readouterr().out

    return run


def test_codes_and_families_can_be_selected_and_ignored(make_workspace: Any, ask: Any) -> None:
    root = str(make_workspace(FAULTY))
    _, whole = ask("check", root)
    assert {"include/missing", "yaml/ambiguous-scalar"} <= {d["code"] for d in whole["diagnostics"]}
    status, chosen = ask("check", root, "--select", "include,yaml", "--ignore", "yaml/ambiguous-scalar")
    assert [d["code"] for d in chosen["diagnostics"]] == ["include/missing"]
    assert (status, chosen["summary"]["errors"]) == (1, 1)


def test_strict_raises_what_the_reference_validator_rejects(make_workspace: Any, ask: Any) -> None:
    root = str(make_workspace({"notes/SKILL.md": FAULTY["notes/SKILL.md"]}))
    assert ask("check", root)[0] == 0
    status, document = ask("check", root, "--strict")
    assert status == 1
    assert [d["code"] for d in document["diagnostics"] if d["severity"] == "error"] == ["agent-skill/field-unknown"]


def test_sarif_names_each_rule_and_place(make_workspace: Any, printed: Any) -> None:
    status, out = printed("check", str(make_workspace(FAULTY)), "--format", "sarif")
    log = json.loads(out)
    assert status == 1
    errors = jsonschema_rs.Draft7Validator(SARIF_SCHEMA, validate_formats=True).iter_errors(log)
    assert [(error.message, error.instance_path) for error in errors] == []
    missing = next(r for r in log["runs"][0]["results"] if r["ruleId"] == "include/missing")
    assert missing["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "skills/a.yaml"
    assert missing["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 4,
        "startColumn": 12,
        "endLine": 4,
        "endColumn": 22,
    }
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert rules[missing["ruleIndex"]]["id"] == "include/missing"


def test_annotations_are_one_line_each_with_their_fields_escaped(make_workspace: Any, printed: Any) -> None:
    root = make_workspace({"skills/a,b.yaml": "name: local/a\ndescription: A.\nincludes: [local/gone]\n"})
    _, out = printed("check", str(root), "--format", "github")
    assert [line for line in out.splitlines() if line.startswith("::error file=skills/a%2Cb.yaml,line=3,")]


def test_a_difference_shows_the_fixes_and_changes_nothing(make_workspace: Any, printed: Any) -> None:
    root = make_workspace(FAULTY)
    before = (root / "skills/a.yaml").read_bytes()
    status, out = printed("check", str(root), "--diff")
    assert status == 1
    assert '+version: "1.10"' in out
    assert "+builtin_groups: [git_operations]" in out
    assert (root / "skills/a.yaml").read_bytes() == before


def test_a_fix_changes_its_own_characters_alone_and_once(make_workspace: Any, printed: Any) -> None:
    text = "# a comment\r\nname: local/a   # kept\r\ndescription: A.\r\nbuiltins: [git_operations]\r\n"
    root = make_workspace({"skills/a.yaml": text})
    os.chmod(root / "skills/a.yaml", 0o640)
    printed("check", str(root), "--fix")
    fixed = (root / "skills/a.yaml").read_bytes().decode()
    assert fixed == text.replace("builtins:", "builtin_groups:")
    assert (root / "skills/a.yaml").stat().st_mode & 0o777 == 0o640
    printed("check", str(root), "--fix")
    assert (root / "skills/a.yaml").read_bytes().decode() == fixed


def test_settings_and_comments_weigh_findings(make_workspace: Any, ask: Any) -> None:
    head = "name: local/{0}\ndescription: A skill.\nincludes:\n"
    gone = "  - local/gone"
    tree = {
        "skills/a.yaml": f"{head.format('a')}{gone}\n",
        "skills/b.yaml": f"{head.format('b')}{gone} # skill-explorer: ignore[include/missing]\n",
        "skills/c.yaml": f"{head.format('c')}  # skill-explorer: ignore[include]\n{gone}\n",
        "skills/old/d.yaml": f"{head.format('d')}{gone}\n",
        "skill-explorer.toml": (
            "[severity]\n'include/missing' = 'warning'\n\n"
            "[[ignore]]\npath = 'skills/old/*'\ncodes = ['include/missing']\n"
        ),
    }
    status, document = ask("check", str(make_workspace(tree)))
    found = [(d["path"], d["severity"]) for d in document["diagnostics"] if d["code"] == "include/missing"]
    assert (status, found) == (0, [("skills/a.yaml", "warning")])


def test_watching_tells_what_a_save_changes(make_workspace: Any) -> None:
    root: Path = make_workspace({"skills/a.yaml": "name: local/a\ndescription: A.\ntools: [builtin/read_file]\n"})
    command = [sys.executable, "-P", "-m", "explorer", "check", str(root), "--watch", "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines: queue.Queue[str] = queue.Queue()
        reader = threading.Thread(target=lambda: [lines.put(line) for line in process.stdout or ()], daemon=True)
        reader.start()
        try:
            assert json.loads(lines.get(timeout=30))["diagnostics"] == []
            assert _change(root, lines)["added"][0]["code"] == "include/missing"
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 1
        finally:
            process.kill()


def _change(root: Path, lines: queue.Queue[str]) -> dict[str, Any]:
    """Save until it is heard: the watch needs a moment to be armed."""
    for number in range(60):
        text = f"# {number}\nname: local/a\ndescription: A.\nincludes: [local/gone]\n"
        (root / "skills/new").write_text(text, encoding="utf-8")
        os.replace(root / "skills/new", root / "skills/a.yaml")
        try:
            answer: dict[str, Any] = json.loads(lines.get(timeout=1))
        except queue.Empty:
            continue
        return answer
    pytest.fail("no change was told")


TANGLE = {
    f"skills/{name}.yaml": f"name: local/{name}\ndescription: D.\nincludes:\n"
    + "".join(f"  - local/{other}  # for {other}\n" for other in others)
    for name, others in {"a": "bd", "b": "ca", "c": "a", "d": "ad", "e": "ae", "f": "g", "g": "f"}.items()
}


def test_fix_leaves_cycles_alone_until_they_are_selected(make_workspace: Any, ask: Any) -> None:
    root = make_workspace(TANGLE)
    before = {path: (root / path).read_text() for path in TANGLE}
    status, document = ask("check", str(root), "--fix")
    assert status == 1
    assert {d["code"] for d in document["diagnostics"]} == {"include/cycle"}
    assert {d["fix"]["applies"] for d in document["diagnostics"]} == {"named", "alone"}
    assert {path: (root / path).read_text() for path in TANGLE} == before


def test_fix_cuts_all_cycles_when_they_are_selected(make_workspace: Any, ask: Any) -> None:
    root = make_workspace(TANGLE)
    status, document = ask("check", str(root), "--fix", "--select", "include/cycle")
    assert (status, document["diagnostics"]) == (0, [])
    left = {path: set((root / path).read_text().splitlines()) for path in TANGLE}
    assert all(
        left[path] < set(text.splitlines()) for path, text in TANGLE.items() if left[path] != set(text.splitlines())
    )
    assert ask("list", str(root))[1]["skills"][0]["status"] == "resolved"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_that_begins_with_a_byte_order_mark_is_fixed_and_keeps_it(end: str, tmp_path: Path) -> None:
    text = end.join(["\ufeffversion: 1.10", "name: local/a", "description: A.", ""])
    (tmp_path / "skills").mkdir()
    path = tmp_path / "skills/a.yaml"
    path.write_bytes(text.encode())
    assert main(["check", str(tmp_path), "--fix"]) == 0
    assert path.read_bytes() == text.replace("1.10", '"1.10"').encode()


def _placed(root: Path, form: str, **options: Any) -> set[str]:
    """Return the paths that another program is told, from a run of its own."""
    environment = {**os.environ, **options.pop("env", {})}
    command = [sys.executable, "-P", "-m", "explorer", "check", str(root), "--format", form]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment, **options)
    if form == "github":
        return {line.partition("file=")[2].partition(",")[0] for line in done.stdout.splitlines()}
    run = json.loads(done.stdout)["runs"][0]
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"].endswith("/")
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in run["results"]]
    assert {place["uriBaseId"] for place in places} == {"%SRCROOT%"}
    base = unquote(run["originalUriBaseIds"]["%SRCROOT%"]["uri"].removeprefix("file://"))
    assert all((Path(base) / unquote(place["uri"])).exists() for place in places)
    return {unquote(place["uri"]) for place in places}


@pytest.mark.parametrize("form", ["github", "sarif"])
def test_other_programs_are_told_paths_from_the_root_of_the_repository(form: str, make_workspace: Any) -> None:
    within = "my repo/of skills/skills/a.yaml"
    base = make_workspace({within: FAULTY["skills/a.yaml"], "elsewhere/x": ""})
    root = base / "my repo/of skills"
    assert _placed(root, form, cwd=base) == {within}
    assert _placed(root, form, cwd=base / "elsewhere") == {"skills/a.yaml"}
    assert _placed(root, form, cwd=base / "elsewhere", env={"GITHUB_WORKSPACE": str(base)}) == {within}
    (base / "my repo/.git").mkdir()
    for where in (base, root / "skills"):
        assert _placed(root, form, cwd=where) == {within.removeprefix("my repo/")}
    assert _placed(root, form, cwd=root, env={"GITHUB_WORKSPACE": str(base)}) == {within}
    assert _placed(root, form, cwd=base, env={"GITHUB_WORKSPACE": str(base / "elsewhere")}) == {
        "of skills/skills/a.yaml"
    }
