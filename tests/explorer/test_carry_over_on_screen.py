"""The question before changes of a copy go to the real workspace, in the whole application."""

from __future__ import annotations

from pathlib import Path

from app_driver import NORMAL, opened

from explorer.messages import AskCarryOver
from explorer.screens.fix import FixScreen


async def test_only_a_yes_carries_changes_over_and_cancel_has_the_focus(tmp_path: Path) -> None:
    done: list[bool] = []
    (root := tmp_path / "root").mkdir()
    async with opened(root, tmp_path / "state", NORMAL) as driver:
        for keys, expected in ((("enter",), 0), (("escape",), 0), (("right", "enter"), 1)):
            question = AskCarryOver((("a.md", "modified"), ("b.md", "added")), lambda: done.append(True))
            driver.main.post_message(question)
            await driver.until(lambda: isinstance(driver.app.screen, FixScreen), "the question")
            await driver.quiet()
            assert driver.app.focused is driver.app.screen.query_one("#cancel")
            shown = driver.screen_text
            assert "Carry 2 changes over to the real workspace?" in shown
            assert "b.md" in shown
            await driver.press(*keys)
            assert len(done) == expected
