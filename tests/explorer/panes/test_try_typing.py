"""Typing faster than the form follows, and what else may put text into a field."""

from __future__ import annotations

import pytest
from pane_app import PaneApp, press, settle
from textual import events
from textual.widgets import Input
from try_driver import answering, app, of, sent, with_script

from explorer.widgets.form.fields import TextField


def burst(field: Input, text: str) -> None:
    """Queue all keys before the first one is worked on."""
    for character in text:
        field.post_message(events.Key(character, character))


async def first_field(running: PaneApp) -> TextField:
    return next(iter(running.query(TextField)))


@pytest.mark.parametrize("text", ["1.0.0", "v1", "2.13.45-rc.1+build.5"])
async def test_a_burst_of_keys_over_a_selected_value_arrives_whole_and_in_order(text: str) -> None:
    async with (running := app(with_script(answering()))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.0.0", "down", "up"])
        field = await first_field(running)
        assert field.selected_text == "1.0.0"
        burst(field, text)
        await settle(pilot)
        await settle(pilot)
        assert field.value == text
        assert sent(running)["from"] == text


async def test_a_number_in_another_spelling_stays_as_it_is_typed() -> None:
    schema = {"type": "object", "properties": {"count": {"type": "integer"}}}
    async with (running := app(of(schema), "local/one")).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.0"])
        assert (await first_field(running)).value == "1.0"
        assert sent(running) == {"count": 1}


async def test_starting_over_replaces_what_was_typed() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0"])
        await running.query_one("TryPane").action_try_reset()  # type: ignore[attr-defined]
        await settle(pilot)
        assert (await first_field(running)).value == ""


async def test_up_and_down_go_through_the_lines_of_a_long_text_and_leave_it_at_its_ends() -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in ("first", "notes", "last")}}
    async with (running := app(of(schema), "local/one")).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["a", "down", "b", "down", "c", "up", "x", "enter", "y", "up", "z", "down", "down", "d"])
        assert sent(running) == {"first": "a", "notes": "bzx\ny", "last": "d"}
        await press(pilot, ["up", "up", "up", "e"])
        assert sent(running)["first"] == "e"
