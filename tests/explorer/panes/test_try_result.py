"""Where the focus is around a run, and what the result says of it."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from pane_app import press, screen_text, settle
from pane_fakes import identity, outcome
from try_driver import Clock, answering, app, of, pane, with_script

from core.runtime.call import CallEvent, CallOptions, CallOutcome
from explorer.messages import AskApproval, Consent
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


async def test_the_clock_stands_while_the_user_is_asked_and_starts_with_the_tool() -> None:
    clock, started, go = Clock(), threading.Event(), threading.Event()

    def script(workspace: Any, arguments: Any, options: CallOptions, events: Any, cancel: Any) -> CallOutcome:
        assert options.approve is not None
        options.approve(identity())
        events(CallEvent("stage", "execute"))
        started.set()
        assert go.wait(10)
        return outcome("done")

    async with (running := app(with_script(script), clock=clock)).run_test(size=(120, 36)) as pilot:
        asked: list[AskApproval] = []
        running.on_approval = asked.append
        await settle(pilot)
        await pilot.press(*"1.2.0", "ctrl+r")
        for _ in range(200):
            await pilot.pause()
            if asked:
                break
        clock.now += 40
        pane(running).runner.tick()
        await pilot.pause()
        assert "● waiting for your answer" in screen_text(running)
        asked[0].answer.set_result(Consent.ONCE)
        assert started.wait(10)
        clock.now += 1.5
        pane(running).runner.tick()
        await pilot.pause()
        assert "● running 1.5 s" in screen_text(running)
        go.set()
        await settle(pilot)


async def test_a_tool_that_only_reads_has_no_choice_of_place() -> None:
    for flags, offered in (({"read_only": True}, False), ({"writes": True}, True)):
        workspace = of({"properties": {"q": {}}}, **flags)
        async with (running := app(workspace, "local/one")).run_test(size=(120, 36)) as pilot:
            await settle(pilot)
            assert ("on the real workspace" in screen_text(running)) is offered
