"""First letters in a field of given values: they go to the value, and run no command of the screen."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from app_driver import Driver, opened
from textual.widgets import TextArea

from explorer.services.settings import Settings
from explorer.widgets.form.jumping import Jumping

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
SKILL = "name: local/a\ndescription: A.\ntools: [local/pick]\n"
TOOL = """name: local/pick
description: Picks.
source: custom
capability: {read_only: true}
input_schema:
  type: object
  properties:
    verb: {enum: [get, give, Set, gather, /path]}
    level: {enum: [1, 20, 21, -1]}
    sure: {type: boolean}
    kinds: {type: array, uniqueItems: true, items: {enum: [apple, pear, plum]}}
code: |
  return arguments
"""
TREE = {"skills/a.yaml": SKILL, "tools/pick.yaml": TOOL}


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys belong together however slow the machine is."""
    monkeypatch.setattr(Jumping, "PAUSE_S", 1000.0)


@pytest.fixture
def root(make_workspace: MakeWorkspace) -> Path:
    return make_workspace(TREE)


async def at_the_form(driver: Driver) -> None:
    driver.main.skill_tree.reveal("local/a", "local/pick")
    await driver.quiet()
    await driver.press("t")
    await driver.until(lambda: isinstance(driver.app.focused, Jumping), "the form")


def sent(driver: Driver) -> object:
    return json.loads(driver.main.query_one(TextArea).text)


LETTERS = {
    "g": {"verb": "get"},
    "gg": {"verb": "give"},
    "gggg": {"verb": "get"},
    "ga": {"verb": "gather"},
    "gis": {"verb": "Set"},
    "S": {"verb": "Set"},
    "gz": {"verb": "get"},
    "z": {},
    "sn": {},
}


async def test_letters_go_to_the_value_that_starts_with_them(root: Path, tmp_path: Path) -> None:
    async with opened(root, tmp_path / "state") as driver:
        await at_the_form(driver)
        for keys, arguments in LETTERS.items():
            await driver.press("ctrl+l", *keys)
            assert sent(driver) == arguments, keys
            assert driver.main.detail.tab == "try"


async def test_digits_signs_and_arrow_keys_go_to_values_too_and_boxes_are_gone_to_by_their_letters(
    root: Path, tmp_path: Path
) -> None:
    async with opened(root, tmp_path / "state") as driver:
        await at_the_form(driver)
        await driver.press("slash", "right", "right", "down", "2", "1", "down", "f", "down", "p", "p", "space")
        assert sent(driver) == {"verb": "get", "level": 21, "sure": False, "kinds": ["plum"]}
        await driver.press("up", "up", "minus")
        assert sent(driver) == {"verb": "get", "level": -1, "sure": False, "kinds": ["plum"]}


async def test_help_says_so_and_lists_no_letter_that_only_jumps(root: Path, tmp_path: Path) -> None:
    async with opened(root, tmp_path / "state") as driver:
        await at_the_form(driver)
        assert " g Graph" not in driver.screen_text
        await driver.press("question_mark")
        assert driver.lines("Type the first letters of a value to go to it; the arrow keys go from value to value.")
        assert not driver.lines("Show the include graph")


async def test_a_letter_that_the_user_gave_to_the_field_stays_its_key(root: Path, tmp_path: Path) -> None:
    settings = Settings(keys={"field.right": "g"})
    async with opened(root, tmp_path / "state", settings=settings) as driver:
        await at_the_form(driver)
        await driver.press("g", "g", "g")
        assert sent(driver) == {"verb": "Set"}
        await driver.press("question_mark")
        assert driver.lines("Go to the next value.")
