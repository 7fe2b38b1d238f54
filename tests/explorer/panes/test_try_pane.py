"""Trying a tool: form and JSON in step, and what is kept of them."""

from __future__ import annotations

from typing import Any

import pytest
from pane_app import press, screen_text, settle
from pane_fakes import (
    outcome,
    record,
)
from textual import events
from textual.widgets import TextArea
from try_driver import SKILL, TOOL, answering, app, of, pane, sent, with_script

from core.registry.history import PastCall
from explorer.widgets.form.choice_field import ChoiceField
from explorer.widgets.form.fields import TextField
from explorer.widgets.try_pane import TryPane


async def test_what_is_typed_is_in_the_json_at_once_and_only_that_is_sent() -> None:
    workspace = with_script(answering())
    async with (running := app(workspace)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "down", "down", *"9007199254740993"])
        assert running.query_one(TextArea).text == '{\n  "from": "1.2.0",\n  "limit": 9007199254740993\n}'
        await press(pilot, ["ctrl+r"])
        assert workspace.calls[0][:3] == (SKILL, TOOL, {"from": "1.2.0", "limit": 9007199254740993})
        assert not workspace.calls[0][3].real


async def test_json_written_by_hand_fills_the_form_and_is_kept_as_it_was_written() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        area = running.query_one(TextArea)
        area.focus()
        area.text = '{"to": null,   "from": "9"}'
        await settle(pilot)
        fields = list(running.query(TextField))
        assert [field.value for field in fields] == ["9", "", ""]
        assert fields[1].placeholder == "null"
        assert area.text == '{"to": null,   "from": "9"}'


async def test_broken_json_says_where_and_nothing_is_sent() -> None:
    workspace = with_script(answering())
    async with (running := app(workspace)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        area = running.query_one(TextArea)
        area.text = '{"from": }'
        await settle(pilot)
        assert "line 1, column 10: expecting value" in " ".join(screen_text(running).split())
        await press(pilot, ["ctrl+r", "ctrl+s"])
        assert workspace.calls == []
        assert area.has_focus


async def test_a_run_with_faults_names_them_at_their_fields_and_goes_to_the_first() -> None:
    workspace = with_script(answering())
    async with (running := app(workspace)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert "1 field to fill in" in screen_text(running)
        await press(pilot, ["down", "down", "0", "ctrl+r"])
        shown = screen_text(running)
        assert "✗ required" in shown
        assert "✗ must be ≥ 1" in shown
        assert "✗ $.from, $.limit" in shown
        assert workspace.calls == []
        assert isinstance(running.focused, TextField)
        assert running.focused.row is not None
        assert running.focused.row.path == ("from",)


async def test_wrong_arguments_can_be_sent_as_they_are() -> None:
    workspace = with_script(answering())
    async with (running := app(workspace)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["down", "down", *"x1", "ctrl+s"])
        assert workspace.calls[0][2] == {"limit": "x1"}
        assert workspace.calls[0][3].unchecked
        assert "sent as it was" in screen_text(running)


async def test_ctrl_n_goes_from_not_set_to_default_to_null() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["down", "ctrl+n"])
        assert sent(running) == {"to": ""}
        await press(pilot, ["ctrl+n"])
        assert sent(running) == {"to": None}
        await press(pilot, ["ctrl+n"])
        assert sent(running) == {}


async def test_choices_boxes_lists_maps_and_branches_are_filled_in_with_the_keyboard_alone() -> None:
    schema = {
        "properties": {
            "force": {"type": "boolean"},
            "mode": {"enum": ["fast", "careful"]},
            "kinds": {"type": "array", "uniqueItems": True, "items": {"enum": ["a", "b", "c"]}},
            "tags": {"type": "array", "items": {"type": "string"}},
            "env": {"type": "object", "additionalProperties": {"type": "integer"}},
            "by": {
                "oneOf": [
                    {
                        "title": "Name",
                        "properties": {"kind": {"const": "n"}, "name": {"type": "string"}},
                        "required": ["kind"],
                    },
                    {
                        "title": "Id",
                        "properties": {"kind": {"const": "i"}, "id": {"type": "integer"}},
                        "required": ["kind"],
                    },
                ]
            },
        },
        "type": "object",
    }
    async with (running := app(of(schema), "local/one")).run_test(size=(140, 40)) as pilot:
        await settle(pilot)
        await press(pilot, ["right", "right", "down"])
        await press(pilot, ["right", "right", "down"])
        await press(pilot, ["right", "space", "right", "space", "down"])
        await press(pilot, ["enter", "down", "enter", *"red", "down", "down"])
        await press(pilot, ["enter", "down", *"PORT", "enter", *"80", "down", "down"])
        await press(pilot, ["right", "right", "down", "down", *"7"])
        assert sent(running) == {
            "force": False,
            "mode": "careful",
            "kinds": ["b", "c"],
            "tags": ["red"],
            "env": {"PORT": 80},
            "by": {"kind": "i", "id": 7},
        }


async def test_a_long_enum_is_chosen_from_a_list_that_filters() -> None:
    schema = {"properties": {"country": {"enum": [f"country {n}" for n in range(5_000)]}}}
    async with (running := app(of(schema), "local/one")).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert running.query_one(ChoiceField).has_focus
        await press(pilot, ["enter", *"4999", "enter"])
        assert sent(running) == {"country": "country 4999"}
        await press(pilot, ["enter", "escape"])
        assert sent(running) == {"country": "country 4999"}


async def test_an_item_is_removed_and_the_focus_stays_in_the_form() -> None:
    schema = {"properties": {"tags": {"type": "array", "items": {"type": "string"}}}}
    async with (running := app(of(schema), "local/one")).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        running.query_one(TextArea).text = '{"tags": ["a", "b", "c"]}'
        await settle(pilot)
        running.query_one(TryPane).arguments.form.focus_path(("tags", 1))
        await press(pilot, ["f8"])
        assert sent(running) == {"tags": ["a", "c"]}
        assert running.focused is not None
        assert pane(running).arguments.form in running.focused.ancestors


async def test_a_text_gets_more_lines_on_demand() -> None:
    async with (running := app(of({"properties": {"q": {"type": "string"}}}), "local/one")).run_test() as pilot:
        await settle(pilot)
        await press(pilot, ["a", "f7", "end", "enter", "b"])
        assert sent(running) == {"q": "a\nb"}


@pytest.mark.parametrize(
    ("kind", "typed", "pasted", "wanted"),
    [
        ({"type": "string"}, "a", "b\rc\r\n\nd", "ab\nc\n\nd"),
        ({"type": "string", "format": "password"}, "a", "b\nc", "ab\nc"),
        ({"type": "string"}, "a", "b\n", "ab"),
        ({}, "", '{"x":\n [1,\r\n 2]}', {"x": [1, 2]}),
    ],
    ids=["text", "secret", "one line", "any JSON"],
)
async def test_every_line_that_is_pasted_into_a_field_is_kept(
    kind: dict[str, str], typed: str, pasted: str, wanted: object
) -> None:
    async with (running := app(of({"properties": {"q": kind}}), "local/one")).run_test() as pilot:
        await settle(pilot)
        await press(pilot, [*typed])
        assert running.focused is not None
        running.focused.post_message(events.Paste(pasted))
        await settle(pilot)
        assert sent(running) == {"q": wanted}
        assert running.focused is not None


async def test_a_secret_is_not_shown_in_its_field() -> None:
    schema = {"properties": {"password": {"type": "string", "format": "password"}}}
    async with (running := app(of(schema), "local/one")).run_test() as pilot:
        await settle(pilot)
        await press(pilot, [*"hunter2"])
        assert running.query_one(TextField).password


async def test_starting_over_clears_the_form() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+l"])
        assert sent(running) == {}


async def test_tab_goes_through_the_pane_and_then_out_of_it() -> None:
    workspace = of({"properties": {name: {"type": "string"} for name in "abc"}}, writes=True)
    async with (running := app(workspace, "local/one")).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        seen = []
        for _ in range(8):
            seen.append(type(running.focused).__name__)
            await press(pilot, ["tab"])
        assert seen[:3] == ["TextField"] * 3
        assert "SafeTextArea" in seen
        assert "WhereField" in seen


async def test_what_was_in_a_form_is_there_again_after_another_tool_was_tried() -> None:
    workspace = with_script(answering())
    async with (running := app(workspace)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r"])
        for tool in ("builtin/read_file", TOOL):
            pane(running).show(workspace, SKILL, tool)  # type: ignore[arg-type]
            await settle(pilot)
        assert sent(running) == {"from": "1.2.0"}
        assert "✓ succeeded" in screen_text(running)


async def test_another_schema_starts_the_form_over() -> None:
    workspace = with_script(answering())
    async with (running := app(workspace)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0"])
        workspace.catalogue.sets[SKILL] = [record(TOOL, input_schema={"properties": {"other": {}}})]
        pane(running).show(workspace, SKILL, TOOL)  # type: ignore[arg-type]
        await settle(pilot)
        assert sent(running) == {}
        assert "other" in screen_text(running)


def past(number: int, arguments: Any, output: Any, schema: str = "now") -> PastCall:
    result = outcome(output).result
    return PastCall(number, "2026-11-30T12:00:00+00:00", SKILL, TOOL, arguments, schema, False, result)


async def test_the_last_arguments_come_back_after_a_restart_and_old_outputs_can_be_compared_with() -> None:
    workspace = with_script(answering("new"))
    workspace.history.past = [past(9, {"from": "2.0"}, "old"), past(7, {"from": "1.0"}, "older")]
    async with (running := app(workspace)).run_test(size=(140, 40)) as pilot:
        await settle(pilot)
        assert sent(running) == {"from": "2.0"}
        await press(pilot, ["ctrl+r", "c"])
        shown = screen_text(running)
        assert "run 10" in shown
        assert "Compare with run 9" in shown
        assert "- old" in shown
        assert "+ new" in shown


async def test_arguments_of_an_earlier_call_are_put_into_the_form_on_request() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"typed"])
        pane(running).prefill(SKILL, TOOL, '{"from": "7", "limit": 3}')
        await settle(pilot)
        assert sent(running) == {"from": "7", "limit": 3}
        assert [field.value for field in running.query(TextField)] == ["7", "", "3"]


async def test_arguments_of_another_schema_do_not_come_back() -> None:
    workspace = with_script(answering())
    workspace.history.past = [past(9, {"gone": 1}, "old", schema="before")]
    async with (running := app(workspace)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert sent(running) == {}
