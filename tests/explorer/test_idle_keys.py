"""A key of the command table that has nothing to do where it is pressed says why, or where it does something."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import opened
from textual.widgets._toast import Toast
from visits import SAMPLE

from explorer.presenters.idle_key import commands_of, idle_key


def said(key: str, *here: str, dialog: bool = False, keymap: dict[str, str] | None = None) -> str:
    found = commands_of(key, keymap or {})
    return idle_key(key, found, here, keymap or {}, dialog=dialog)


@pytest.mark.parametrize(
    ("key", "here", "text"),
    [
        ("f4", (), "f4 works in Try: Go to the result, or back to the form."),
        ("z", ("tree.toggle",), "z works in the graph and in a result."),
        ("f4", ("try.result",), "f4 Form / result: there is no result yet; ctrl+r runs the tool."),
        ("s", ("matrix.sort",), "s Sort: nothing to do here now."),
        ("slash", ("graph.search", "filter"), "/ Find: nothing is drawn."),
    ],
)
def test_an_idle_key_says_why_or_where_it_works(key: str, here: tuple[str, ...], text: str) -> None:
    assert said(key, *here) == text


def test_in_a_dialog_the_key_that_closes_it_is_named() -> None:
    keymap = {"dialog.close": "f10"}
    assert said("t", "dialog.close", dialog=True, keymap=keymap) == "t does nothing in this dialog; f10 closes it."


def test_a_remapped_key_speaks_and_its_default_is_free() -> None:
    keymap = {"try.result": "f9, f11"}
    assert commands_of("f4", keymap) == []
    assert said("f11", keymap=keymap).startswith("f11 works in Try")


@pytest.mark.parametrize("key", ["up", "tab", "escape", "enter", "space", "j", "x", "f12"])
def test_keys_that_move_or_mean_nothing_are_silent(key: str) -> None:
    assert commands_of(key, {}) == []


async def test_one_answer_stands_at_a_time_and_typing_brings_none(tmp_path: Path) -> None:
    async with opened(SAMPLE, tmp_path) as driver:
        await driver.press("f4", "f4", "f6")
        assert [note.message for note in driver.app._notifications] == [
            "f6 works in Try: Go to the JSON that will be sent, or back to the form."
        ]
        assert {toast.region.right for toast in driver.app.screen.query(Toast)} == {driver.app.size.width}
        await driver.press("slash")
        assert list(driver.app._notifications) == []
        await driver.press("z", "s")
        assert list(driver.app._notifications) == []
        assert driver.app.focused is not None
        await driver.press("f7")
        assert driver.lines("f7 works in the form")
        await driver.press("escape", "f1", "t")
        assert driver.lines("t does nothing in this dialog; esc closes it.")
