"""What the keys mean can be told without seeing any colour: marks in the text, or attributes that are no colours."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import NARROW, NORMAL, Driver, opened
from textual.content import Content
from textual.widgets import OptionList
from visits import BROKEN

from explorer.presenters import marks
from explorer.widgets.row_list import RowList


def marked(driver: Driver, mark: str, text: str) -> bool:
    """Whether the row with ``text`` begins, in its list, with ``mark``."""
    return any(f"{mark}{text}" in line for line in driver.screen_text.split("\n"))


@pytest.mark.parametrize("size", [NARROW, NORMAL], ids=["narrow", "normal"])
async def test_the_selected_row_and_the_focused_answer_are_marked(
    tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(BROKEN, tmp_path, size) as driver:
        await driver.press("home", "down", "down")
        assert marked(driver, marks.CURSOR, "  ▸ escalation")

        await driver.press("p")
        assert marked(driver, marks.CURSOR, "✗ skills/archive.yaml")
        assert size == NARROW or marked(driver, marks.CURSOR_BLURRED, "  ▸ escalation")

        await driver.press("f")
        assert driver.lines("[Cancel]")
        await driver.press("right")
        assert driver.lines("[Apply]")
        assert not driver.lines("[Cancel]")

        await driver.press("escape")
        driver.main.show_tree()
        driver.main.skill_tree.reveal("team/storage")
        await driver.quiet()
        await driver.press("2", "down")
        assert driver.lines(f"{marks.CURSOR}team/compress")

        await driver.press("ctrl+p")
        await driver.until(lambda: bool(driver.app.screen.query(OptionList)))
        styles = driver.app.screen.query_one(OptionList).get_component_styles("option-list--option-highlighted")
        assert styles.text_style.reverse


class Rows(RowList):
    def row_count(self) -> int:
        return 2

    def row(self, index: int, width: int) -> Content:
        return Content(f" row {index}")


def test_a_row_without_the_cursor_has_no_mark() -> None:
    rows = Rows()
    assert [rows.mark(index).plain for index in range(2)] == [marks.CURSOR_BLURRED, " "]
