"""The catalogue of rules: each page is complete, and its two examples do what they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from core.diagnostics import Rule, Severity
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
    for text in (rule.meaning, rule.why):
        assert re.fullmatch(r"[A-Z`0-9].*\.", text, re.DOTALL), text
    assert rule.remedy is None or re.fullmatch(r"[a-z`(].*[^.]", rule.remedy, re.DOTALL), rule.remedy


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_wrong_example_raises_the_rule_and_the_right_one_does_not(rule: Rule, make_workspace: Any) -> None:
    assert rule.wrong, "a page without a wrong example"
    assert rule.right, "a page without a right example"
    assert rule.code in _codes(make_workspace(rule.wrong, "wrong"))
    assert rule.code not in _codes(make_workspace(rule.right, "right"))


def _sentences(message: str) -> str:
    """Return a message without what it quotes."""
    return re.sub(r"`[^`]*`|https?://\S*|\.mcp\.json|SKILL\.md", "_", message)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_message_is_one_sentence_that_ends_with_the_remedy(rule: Rule, make_workspace: Any) -> None:
    workspace = Workspace(make_workspace(rule.wrong))
    workspace.load()
    for found in workspace.diagnostics:
        assert re.fullmatch(r"[A-Z0-9`_].*[.?]", found.message, re.DOTALL), found
        assert re.search(r"[.?!] [A-Z]|[.?;] *[.?;]", _sentences(found.message)) is None, found
        if found.severity is not Severity.INFO:
            assert found.hint, found
        if found.hint is not None:
            assert found.hint.endswith("?") or not found.hint.endswith("."), found
            assert found.hint[0] in "`(" or found.hint[0].islower(), found


def test_no_code_is_written_in_two_places() -> None:
    text = "\n".join(p.read_text(encoding="utf-8") for folder in CODE_FOLDERS for p in folder.rglob("*.py"))
    assert {code: n for code in catalogue() if (n := text.count(f'"{code}"')) != 1} == {}
