"""The recorded cases of Agent Skill folders: which codes at which lines, what is listed, what is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from agent_skill_trees import check_tree, write_tree

HERE = Path(__file__).parent
DOCUMENT, FURTHER = (
    json.loads((HERE / name).read_text(encoding="utf-8")) for name in ("cases.json", "further_cases.json")
)
ALL = [*DOCUMENT["cases"], *FURTHER["cases"]]
CASES = [pytest.param(case, id=case["id"]) for case in ALL]
SKILLS = [pytest.param(case, id=case["id"]) for case in ALL if case["kind"] == "skill"]


def _root(case: dict[str, Any], tmp_path: Path) -> Path:
    write_tree(tmp_path / "ws", case["tree"])
    return tmp_path / "ws" / ("root" if case["kind"] == "discovery" else "")


@pytest.mark.parametrize("case", CASES)
def test_a_tree_gives_exactly_the_recorded_findings_at_their_lines(case: dict[str, Any], tmp_path: Path) -> None:
    _, found = check_tree(_root(case, tmp_path))
    wanted = {(item["rule"], item["severity"]) for item in case["findings"]}
    assert {(item.code, str(item.severity)) for item in found if item.code in DOCUMENT["rules"]} == wanted
    lines = {(item.code, item.place.line) for item in found}
    assert {(item["rule"], item["line"]) for item in case["findings"] if "line" in item} <= lines


@pytest.mark.parametrize("case", CASES)
def test_no_finding_comes_from_a_rule_outside_the_table(case: dict[str, Any], tmp_path: Path) -> None:
    _, found = check_tree(_root(case, tmp_path))
    assert {item.code for item in found} <= set(DOCUMENT["rules"])


@pytest.mark.parametrize("case", SKILLS)
def test_a_skill_is_valid_or_not_as_recorded_and_shown_as_it_was_meant(case: dict[str, Any], tmp_path: Path) -> None:
    (skill,), _ = check_tree(_root(case, tmp_path))
    assert skill.valid is case["valid"]
    shown = {"name": skill.name, "description": skill.description} | {
        key: value for key, value in skill.frontmatter.items() if key not in ("name", "description")
    }
    wanted = case.get("parsed", {})
    assert {key: shown.get(key) for key in wanted} == wanted
    assert case.get("expect", {}).get("body_contains", "") in skill.body


@pytest.mark.parametrize("case", [case for case in CASES if "skills" in (case.values[0].get("expect") or {})])
def test_a_walk_lists_each_skill_once(case: dict[str, Any], tmp_path: Path) -> None:
    skills, _ = check_tree(_root(case, tmp_path))
    assert sorted(skill.path for skill in skills) == sorted(case["expect"]["skills"])
