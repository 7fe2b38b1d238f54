"""Mechanical fixes over everything that the tests know to be wrong: they mend, they break nothing, they end."""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from core.diagnostics import Applies, Diagnostic, Edit, Fix, Place, Severity
from core.diagnostics.catalogue import catalogue
from core.workspace import Workspace
from core.workspace.fixes import plan_fixes, plan_one, write_fixed

RULES = [rule for rule in catalogue().values() if rule.wrong]
SKILL_CASES = json.loads((ROOT / "tests/core/language/agent_skill/cases.json").read_text(encoding="utf-8"))["cases"]
ROUNDS = 5


def loaded(root: Path) -> Workspace:
    workspace = Workspace(root)
    workspace.load()
    return workspace


def errors(workspace: Workspace) -> Counter[str]:
    return Counter(d.code for d in workspace.diagnostics if d.severity is Severity.ERROR)


def fix_all(workspace: Workspace) -> bool:
    """Apply every fix, also those that decide something, until none is left; return whether there was one."""
    before, any_fix = errors(workspace), False
    for _ in range(ROUNDS):
        plan = plan_fixes(workspace.diagnostics, workspace.text_of, catalogue())
        if not plan.files:
            return any_fix
        any_fix = True
        assert all(write_fixed(workspace.root, fixed) for fixed in plan.files)
        workspace.load()
        # A fixed key may show what stood under it: that takes the place of an error, and is none more.
        after = errors(workspace)
        assert after.total() <= before.total(), (after - before, [fixed.diff() for fixed in plan.files])
    raise AssertionError([fixed.diff() for fixed in plan_fixes(workspace.diagnostics, workspace.text_of).files])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_fixes_of_a_wrong_example_end_and_make_no_error(rule: Any, make_workspace: Any) -> None:
    workspace = loaded(make_workspace(rule.wrong))
    offered = any(d.code == rule.code and d.fix for d in workspace.diagnostics)
    assert fix_all(workspace) or not offered


@pytest.mark.parametrize("case", SKILL_CASES, ids=[case["id"] for case in SKILL_CASES])
def test_fixes_of_an_agent_skill_end_and_make_no_error(case: dict[str, Any], tmp_path: Path) -> None:
    for relative, node in case["tree"].items():
        _write(tmp_path / "ws" / relative, node)
    fix_all(loaded(tmp_path / "ws"))


def _write(path: Path, node: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if "dir" in node:
        path.mkdir(exist_ok=True)
    elif "link" in node:
        path.symlink_to(node["link"])
    elif "text" in node:
        path.write_bytes(node["text"].encode())
    else:
        packed = base64.b64decode(node.get("base64") or node["zlib_base64"])
        path.write_bytes(packed if "base64" in node else zlib.decompress(packed))


LINES = st.lists(st.text(alphabet="ab :é\t", max_size=6), min_size=1, max_size=5)


@given(lines=LINES, end=st.sampled_from(["\n", "\r\n", "\r"]), data=st.data())
def test_an_edit_changes_exactly_its_own_characters(lines: list[str], end: str, data: st.DataObject) -> None:
    text = end.join(lines)
    line = data.draw(st.integers(1, len(lines)))
    start = data.draw(st.integers(0, len(lines[line - 1])))
    stop = data.draw(st.integers(start, len(lines[line - 1])))
    place = Place("f", line, start + 1, line, stop + 1)
    (fixed,) = plan_one(Fix("t", (Edit(place, "NEW"),)), lambda _: text)
    changed = [*lines]
    changed[line - 1] = lines[line - 1][:start] + "NEW" + lines[line - 1][stop:]
    assert fixed.after == end.join(changed)


def finding(*edits: Edit) -> Diagnostic:
    return Diagnostic("x/y", Severity.INFO, "m", edits[0].place, fix=Fix("t", edits))


def test_of_two_fixes_that_overlap_one_waits_whole() -> None:
    one = finding(Edit(Place("f", 1, 1, 1, 4), "A"))
    two = finding(Edit(Place("f", 1, 3, 1, 6), "B"), Edit(Place("f", 2, 1, 2, 2), "C"))
    plan = plan_fixes([one, two], lambda _: "abcdef\nxyz")
    assert [fixed.after for fixed in plan.files] == ["Adef\nxyz"]
    assert (plan.applied, plan.left) == ([one], [two])


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("abc", encoding="utf-8")
    (fixed,) = plan_one(Fix("t", (Edit(Place("f", 1, 1, 1, 2), "X"),)), lambda _: "abc")
    (tmp_path / "f").write_text("other", encoding="utf-8")
    assert not write_fixed(tmp_path, fixed)
    assert (tmp_path / "f").read_text(encoding="utf-8") == "other"
    assert list(tmp_path.iterdir()) == [tmp_path / "f"]


def deciding(applies: Applies) -> Diagnostic:
    place = Place("f", 1, 1, 1, 2)
    return Diagnostic("x/y", Severity.ERROR, "m", place, fix=Fix("t", (Edit(place, ""),), applies))


def test_a_fix_that_decides_something_waits_until_its_code_is_named() -> None:
    found = [deciding(Applies.NAMED)]
    assert plan_fixes(found, lambda _: "abc").files == []
    assert plan_fixes(found, lambda _: "abc", ["x"]).files == []
    assert [fixed.after for fixed in plan_fixes(found, lambda _: "abc", ["x/y"]).files] == ["bc"]


def test_a_fix_that_is_one_of_several_ways_is_never_applied_with_others() -> None:
    assert plan_fixes([deciding(Applies.ALONE)], lambda _: "abc", ["x/y"]).files == []
