"""A dialog is as high as what it holds, and keeps its height while it is open."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import NARROW, NORMAL, opened
from visits import SAMPLE

from explorer.presenters.page import Page, text_page
from explorer.screens.page import PageScreen
from explorer.widgets.overview import Overview


@pytest.mark.parametrize("size", [NARROW, NORMAL])
async def test_a_dialog_fits_its_page_up_to_a_share_of_the_screen_and_does_not_shrink(
    size: tuple[int, int], tmp_path: Path
) -> None:
    text = "one\ntwo\nthree"

    def page(width: int) -> Page:
        return text_page(text, width)

    async with opened(SAMPLE, tmp_path, size) as driver:
        dialog = PageScreen("Title", page)
        driver.app.push_screen(dialog)
        await driver.quiet()
        box, shown = dialog.query_one(".dialog"), dialog.query_one(Overview)
        assert (box.size.height + 2, shown.size.height) == (7, 3)
        text = "one"
        shown.show_again()
        await driver.quiet()
        assert shown.size.height == 3
        text = "\n".join(["line"] * 100)
        shown.show_again()
        await driver.quiet()
        assert box.outer_size.height == int(size[1] * 0.85)
        assert shown.region.bottom == box.region.bottom - 1
