"""Where form and JSON stand: beside each other, one under the other, or a line that opens."""

from __future__ import annotations

import pytest
from pane_app import PaneApp, press, screen_text, settle
from textual.widgets import TextArea
from try_driver import answering, app, pane, sent, with_script

from explorer.widgets.json_summary import JsonSummary


def line(running: PaneApp, words: str) -> int:
    return next((at for at, text in enumerate(screen_text(running).split("\n")) if words in text), -1)


@pytest.mark.parametrize(("size", "below"), [((160, 50), False), ((100, 36), True)])
async def test_the_json_stands_beside_the_form_or_below_it(size: tuple[int, int], below: bool) -> None:
    async with (running := app(with_script(answering()))).run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0"])
        assert (line(running, '"from": "1.2.0"') > line(running, "limit")) is below


async def test_on_a_small_terminal_the_json_is_a_line_and_f6_opens_it_over_the_form() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(80, 22)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0"])
        assert line(running, 'will be sent  {"from": "1.2.0"}') > 0
        assert "f6 JSON" in screen_text(running)
        await press(pilot, ["f6"])
        assert running.query_one(TextArea).has_focus
        assert line(running, "limit") == -1
        await press(pilot, ["down", "end", *', "limit": 3'])
        assert sent(running) == {"from": "1.2.0", "limit": 3}
        await press(pilot, ["escape"])
        assert line(running, "limit") > 0
        assert line(running, 'will be sent  {"from": "1.2.0", "limit": 3}') > 0
        assert pane(running).arguments.form.focused_row is not None


async def test_f6_goes_to_the_json_and_back_to_the_same_field() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        await press(pilot, ["down", "down"])
        field = running.focused
        await press(pilot, ["f6"])
        assert running.query_one(TextArea).has_focus
        await press(pilot, ["f6"])
        assert running.focused is field


async def test_broken_json_is_said_on_the_line_too_and_a_click_opens_it() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(80, 22)) as pilot:
        await settle(pilot)
        pane(running).arguments.editor.area.text = "{"
        await settle(pilot)
        assert line(running, "✗ line 1, column 2") > 0
        await pilot.click(JsonSummary)
        await settle(pilot)
        assert running.query_one(TextArea).has_focus


async def test_type_bounds_and_description_stand_beside_the_field_on_a_small_terminal() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(80, 22)) as pilot:
        await settle(pilot)
        assert line(running, "string  The older version.") > 0
        assert line(running, "integer ≥ 1 · default 20") > 0
