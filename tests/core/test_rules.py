"""The catalogue of rules: each page is complete, and its two examples do what they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from core.diagnostics import Rule
from core.diagnostics.catalogue import catalogue
from core.workspace import Workspace

RULES = list(catalogue().values())
CODE_FOLDERS = [Path(__file__).parent.parent.parent / name for name in ("core", "explorer")]


def _codes(root: Path) -> set[str]:
    workspace = Workspace(root)
    workspace.load()
    return {found.code for found in workspace.diagnostics}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_page_says_what_is_wrong_and_why(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z-]+/[a-z0-9-]+", rule.code)
    assert len(rule.meaning) > 10
    assert len(rule.why) > 20


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_wrong_example_raises_the_rule_and_the_right_one_does_not(rule: Rule, make_workspace: Any) -> None:
    assert rule.wrong, "a page without a wrong example"
    assert rule.right, "a page without a right example"
    assert rule.code in _codes(make_workspace(rule.wrong, "wrong"))
    assert rule.code not in _codes(make_workspace(rule.right, "right"))


def test_no_code_is_written_in_two_places() -> None:
    text = "\n".join(p.read_text(encoding="utf-8") for folder in CODE_FOLDERS for p in folder.rglob("*.py"))
    assert {code: n for code in catalogue() if (n := text.count(f'"{code}"')) != 1} == {}
