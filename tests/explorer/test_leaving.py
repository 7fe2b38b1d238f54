"""Leaving in the middle of something: what was still asked for is dropped, and nothing is said of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from app_driver import opened
from pty_driver import running
from textual.message import Message

from explorer import messages
from explorer.services.settings import Settings

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
TREE = {"skills/a.yaml": "name: local/a\ndescription: Reads things.\ntools:\n  - builtin/read_file\n"}
READY = "Reads things."
TOOL = ("local/a", "builtin/read_file")
ASKED = (
    messages.TryTool(*TOOL),
    messages.OpenTool(*TOOL),
    messages.OpenPlace("skills/a.yaml", 1, 1),
    messages.ShowCycles("local/a"),
    messages.ShowWhy(*TOOL),
    messages.StartSkill(),
)


@pytest.mark.parametrize("asked", ASKED, ids=lambda message: type(message).__name__)
async def test_what_is_asked_for_while_the_program_leaves_is_dropped(
    asked: Message, make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "s") as driver:
        main = driver.main
        driver.app.exit(0)
        await driver.until(lambda: not main.detail.is_attached, "the end")
        await main._dispatch_message(asked)
        assert not driver.app.crash
    assert driver.app.return_code == 0


def test_leaving_while_a_pane_is_made_is_no_failure(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    with running("open", str(make_workspace(TREE)), "--state", str(tmp_path / "s")) as terminal:
        terminal.until(READY)
        terminal.type("\x1b[C" * 4)
        terminal.until("try it")
        terminal.type("t\x11")
        assert terminal.ended() == 0, terminal.text
        assert terminal.restored


async def test_ctrl_c_says_how_to_leave_with_the_users_keys_and_leaves_at_the_second_press(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    settings = Settings(keys={"quit": "x"})
    async with opened(make_workspace(TREE), tmp_path / "s", settings=settings) as driver:
        await driver.press("ctrl+c")
        assert driver.app.is_running
        assert "so do x and, while typing, ctrl+q." in " ".join(note.message for note in driver.app._notifications)
        await driver.pilot.press("ctrl+c")
        await driver.until(lambda: not driver.app.is_running, "the end")
    assert driver.app.return_code == 0


async def test_ctrl_c_copies_what_is_selected_in_a_field_and_leaves_from_one_without(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "s") as driver:
        await driver.press("slash", "a", "b", "shift+home", "ctrl+c", "ctrl+c", "ctrl+c")
        assert driver.app.is_running
        assert driver.app.clipboard == "ab"
        await driver.press("end", "ctrl+c")
        await driver.pilot.press("ctrl+c")
        await driver.until(lambda: not driver.app.is_running, "the end")
    assert driver.app.return_code == 0
