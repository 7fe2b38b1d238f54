"""Sentences that name a key name the one that is bound now; a key that does nothing now says why."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from app_driver import opened
from visits import BROKEN

import explorer
from explorer.presenters.keys import with_bound
from explorer.presenters.why_not import READING, Standing, why_not
from explorer.services.outline import Kind
from explorer.services.settings import Settings
from explorer.services.subject import Subject

SOURCES = sorted(
    path
    for part in ("app.py", "screens", "widgets", "presenters", "services")
    for path in ([Path(explorer.__file__).parent / part] if part.endswith(".py") else [])
    or (Path(explorer.__file__).parent / part).rglob("*.py")
)
DEFAULT_KEY = re.compile(
    r"\b([a-zA-Z1-6]|enter|escape|esc|space|backspace|page down|ctrl\+(?!c\b)\w+|f\d) "
    r"(reads|goes|opens|shows|stops|clears|writes|tries|asks|sends|closes|takes it)\b"
)


def test_the_key_of_a_command_stands_where_a_sentence_names_it_and_other_braces_stay() -> None:
    said = "{refresh} reads; {show-tab-3} draws; {filter.clear} clears; {} {x} {no-command}"
    assert with_bound({"refresh": "f9,r"}, said) == "f9 reads; 3 draws; esc clears; {} {x} {no-command}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_sentence_on_the_screen_names_a_key_by_its_default(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    documents = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, owners)}
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    assert [text for text in texts if text not in documents and DEFAULT_KEY.search(text)] == []


SKILL = Subject(Kind.SKILL, "local/a", "local/a")
AGENT_SKILL = Subject(Kind.AGENT_SKILL, "notes", path="notes/SKILL.md")


@pytest.mark.parametrize(
    ("command", "subject", "tab", "says"),
    [
        ("try-tool", AGENT_SKILL, "overview", "agent_skill_folders: [notes]"),
        ("try-tool", Subject(Kind.ACTOR, "local/bot"), "overview", "<show-tab-2> lists them"),
        ("try-tool", Subject(Kind.FILE, "x.yaml"), "source", "Only a tool can be tried"),
        ("show-why", SKILL, "overview", "Choose a tool first"),
        ("show-why", None, "overview", "Choose a tool of a skill first"),
        ("show-graph", SKILL, "graph", "<graph.radius> reaches further"),
        ("show-graph", AGENT_SKILL, "overview", "Choose a skill first"),
        ("discover", SKILL, "overview", "local/a has no MCP server"),
        ("discover", AGENT_SKILL, "overview", "Choose a skill with an MCP server"),
        ("next-problem", SKILL, "overview", "There are no problems."),
        ("edit-file", None, "overview", "Choose something"),
    ],
)
def test_a_key_without_effect_says_what_to_do_first(command: str, subject: Subject | None, tab: str, says: str) -> None:
    assert says in why_not(command, Standing(subject, tab, read=True, asking=False), lambda name: f"<{name}>")


def test_before_anything_is_read_that_is_why() -> None:
    assert why_not("show-approvals", Standing(None, "overview", read=False, asking=False), str) == READING


async def test_remapped_keys_are_named_explained_and_work_in_dialogs(tmp_path: Path) -> None:
    keys = {"show-problems": "x", "fix-problem": "F", "show-tab-3": "ctrl+g", "show-why": "W", "dialog.copy": "Y"}
    async with opened(BROKEN, tmp_path, settings=Settings(keys=keys)) as driver:
        assert driver.lines("ctrl+g Graph")
        await driver.press("x")
        assert driver.lines("x closes")
        assert driver.lines("F write team/storage")
        await driver.press("escape", "W")
        assert driver.lines("Choose a tool first")

        driver.main.skill_tree.reveal("team/storage", "team/compress")
        await driver.quiet()
        driver.app.clear_notifications()
        await driver.press("W", "Y")
        assert driver.lines("Copied.")
        assert "team/compress" in driver.app.clipboard
        await driver.press("question_mark")
        assert driver.lines("In dialogs")
        await driver.press("escape", "escape")
        assert driver.app.screen is driver.main
