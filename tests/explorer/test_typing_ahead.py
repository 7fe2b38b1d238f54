"""Keys that are typed while a form is still on its way: they are the form's, in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from app_driver import opened
from pty_driver import running
from textual import events

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
TREE = {"skills/a.yaml": "name: local/a\ndescription: Reads things.\ntools:\n  - builtin/read_file\n"}
TO_THE_TOOL = ("right",) * 4


@pytest.mark.parametrize("key", ["t", "5"])
@pytest.mark.parametrize("typed", ["quit now", "12345jkgtq"])
async def test_what_is_typed_right_after_try_goes_into_the_form(
    key: str, typed: str, make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "s") as driver:
        await driver.press(*TO_THE_TOOL)
        for letter in (key, *typed):
            driver.app.post_message(events.Key("space" if letter == " " else letter, letter))
        await driver.until(lambda: getattr(driver.app.focused, "value", "") == typed, typed)
        await driver.pilot.pause()
        assert driver.app.is_running


async def test_keys_mean_commands_again_where_there_is_no_form_to_wait_for(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "s") as driver:
        driver.app.post_message(events.Key("t", "t"))
        driver.app.post_message(events.Key("q", "q"))
        await driver.until(lambda: not driver.app.is_running, "the end")


def test_typing_at_once_after_the_start_of_the_form_is_not_lost(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    with running("open", str(make_workspace(TREE)), "--state", str(tmp_path / "s")) as terminal:
        terminal.until("Reads things.")
        terminal.type("\x1b[C" * 4)
        terminal.until("try it")
        terminal.type("tq.txt")
        terminal.until('"q.txt"')
        terminal.type("\x11")
        assert terminal.ended() == 0
