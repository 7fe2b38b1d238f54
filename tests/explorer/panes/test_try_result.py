"""Where the focus is around a run, and what the result says of it."""

from __future__ import annotations

import pytest
from pane_app import press, screen_text, settle
from test_try_pane import answering, app, pane, with_script

from explorer.widgets.form.fields import TextField
from explorer.widgets.result.result_view import ResultView


@pytest.mark.parametrize("size", [(80, 22), (160, 50)])
async def test_after_a_run_the_focus_is_in_the_result_and_f4_goes_back_to_the_caret(size: tuple[int, int]) -> None:
    async with (running := app(with_script(answering()))).run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "down", *"2.0", "left", "ctrl+r"])
        assert running.focused is running.query_one(ResultView).view
        assert "o Output" in screen_text(running)
        await press(pilot, ["f4"])
        field = running.focused
        assert isinstance(field, TextField)
        assert (field.value, field.cursor_position, field.selected_text) == ("2.0", 2, "")
        assert "o Output" not in screen_text(running)
        await press(pilot, ["up", "down"])
        assert field.selected_text == "2.0"


async def test_a_comparison_is_drawn_for_the_width_there_is() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r", "f4", "down", "down", "5", "ctrl+r", "c"])
        for width in (160, 80, 160):
            await pilot.resize_terminal(width, 50)
            await settle(pilot)
            row = next(line for line in screen_text(running).split("\n") if '+     "limit": 5' in line)
            assert ("│" in row) is (width == 160)


async def test_equal_outputs_have_no_difference() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r", "ctrl+r", "c"])
        assert "no difference" in screen_text(running)
        assert pane(running).result.view.has_focus
