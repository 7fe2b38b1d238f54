"""The screen says at its start that the state folder cannot be used, and goes on saying it."""

from __future__ import annotations

from pathlib import Path

from app_driver import NARROW, opened
from visits import BROKEN

from explorer.widgets.call_list import CallList


async def test_the_notice_names_the_folder_and_the_option_and_stays(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    async with opened(BROKEN, tmp_path / "taken", NARROW) as driver:
        driver.app.clear_notifications()
        for key in ("down", "p", "escape", "1"):
            await driver.press(key)
            assert driver.lines(str(tmp_path)[:30])
            assert "--state FOLDER" in " ".join(driver.screen_text.split())


def test_a_list_of_calls_that_is_still_read_does_not_say_that_there_are_none() -> None:
    assert CallList().row(0, 40).plain.strip() == "Loading …"
