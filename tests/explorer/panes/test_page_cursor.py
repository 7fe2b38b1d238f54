"""The cursor of a page stays on its link when the page is made anew."""

from __future__ import annotations

from pane_app import PaneApp

from explorer.messages import OpenSkill
from explorer.presenters.page import Page
from explorer.widgets.overview import Overview


def page(width: int) -> Page:
    made = Page(width)
    made.paragraph("a heading that needs more lines the narrower the page is " * 2)
    for name in ("a/one", "a/two"):
        made.way([name])
    return made


async def test_the_cursor_stays_on_its_link_when_a_narrower_page_moves_it_down() -> None:
    async with (running := PaneApp(Overview, lambda app: app.query_one(Overview).show_page(page))).run_test(
        size=(120, 20)
    ) as pilot:
        await pilot.pause()
        shown = running.query_one(Overview)
        shown.focus()
        await pilot.press("down")
        assert shown.leads_to == OpenSkill("a/two")
        before = shown.cursor
        await pilot.resize_terminal(40, 20)
        await pilot.pause()
        assert shown.cursor > before
        assert shown.leads_to == OpenSkill("a/two")
