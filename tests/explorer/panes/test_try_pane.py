"""Trying a tool: form and JSON in step, what may run and what is refused, progress, cancel, results."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from pane_app import PaneApp, press, screen_text, settle
from pane_fakes import (
    NASTY,
    FakeCatalogue,
    FakeWorkspace,
    desk,
    error,
    identity,
    outcome,
    record,
)
from textual import events
from textual.widgets import Input, TextArea

from core.protocol import SkillErrorType
from core.registry.history import PastCall
from core.runtime.call import CallEvent, CallOptions, CallOutcome, FileDiff
from explorer.messages import AskCarryOver, Consent, Notify, OpenPlace
from explorer.widgets.form.choice_field import ChoiceField
from explorer.widgets.form.fields import EntryField, TextField
from explorer.widgets.result.result_view import ResultView
from explorer.widgets.try_pane import TryPane

SKILL, TOOL = "local/release-desk", "local/changelog-reader"


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def answering(value: Any = None, **more: Any) -> Any:
    def script(workspace: Any, arguments: Any, options: Any, events: Any, cancel: Any) -> CallOutcome:
        return outcome({"got": arguments} if value is None else value, **more)

    return script


def app(workspace: FakeWorkspace, tool: str = TOOL, clock: Any = None) -> PaneApp:
    def after(running: PaneApp) -> None:
        running.query_one(TryPane).show(workspace, SKILL, tool)  # type: ignore[arg-type]

    return PaneApp(lambda: TryPane(clock=clock or Clock()), after)


def of(schema: Any, script: Any = None, **flags: Any) -> FakeWorkspace:
    one = record("local/one", input_schema=schema, **flags)
    return FakeWorkspace(FakeCatalogue({SKILL: [one]}), script or answering())


def with_script(script: Any) -> FakeWorkspace:
    workspace = desk()
    workspace.script = script
    return workspace


def sent(running: PaneApp) -> Any:
    return json.loads(running.query_one(TryPane).arguments.editor.area.text)


def pane(running: PaneApp) -> TryPane:
    return running.query_one(TryPane)


# the form and the JSON


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


# calls


def waiting(started: threading.Event, *heard: CallEvent) -> Any:
    """A call that ends when it is cancelled."""

    def script(workspace: Any, arguments: Any, options: Any, events: Any, cancel: threading.Event) -> CallOutcome:
        for event in heard:
            events(event)
        started.set()
        assert cancel.wait(20)
        return outcome(failed=error(SkillErrorType.TOOL_EXECUTION_FAILURE, "cancelled", cancelled=True))

    return script


async def test_a_running_call_shows_time_progress_and_log_and_can_be_cancelled() -> None:
    started, clock = threading.Event(), Clock()
    heard = (
        CallEvent("stage", "execute"),
        CallEvent("log", "line one\nline [/two]", {"stream": "stdout"}),
        CallEvent("progress", "halfway", {"progress": 5, "total": 10}),
    )
    workspace = with_script(waiting(started, *heard))
    async with (running := app(workspace, clock=clock)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await pilot.press(*"1.2.0", "ctrl+r")
        assert started.wait(10)
        clock.now += 12.3
        pane(running).runner.tick()
        await pilot.pause()
        shown = screen_text(running)
        assert "● running 12.3 s  of 300 s  execute" in shown
        assert "50% halfway" in shown
        assert "line [/two]" in shown
        assert "l Log 3" in shown
        await pilot.press("ctrl+r")
        assert len(workspace.calls) == 1
        await press(pilot, ["escape"])
        shown = screen_text(running)
        assert "■ cancelled" in shown
        assert "Cancelled by you after" in shown
        assert "tool_execution_failure" not in shown.split("execute")[0]


async def test_a_call_goes_on_while_another_tool_is_looked_at_and_its_result_waits_there() -> None:
    started, go = threading.Event(), threading.Event()

    def script(workspace: Any, arguments: Any, options: Any, events: Any, cancel: Any) -> CallOutcome:
        started.set()
        assert go.wait(20)
        return outcome("late")

    workspace = with_script(script)
    async with (running := app(workspace)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await pilot.press(*"1.2.0", "ctrl+r")
        assert started.wait(10)
        pane(running).show(workspace, SKILL, "builtin/read_file")  # type: ignore[arg-type]
        await pilot.pause(0.3)
        go.set()
        await settle(pilot)
        assert "late" not in screen_text(running)
        assert "has ended" in running.asked_for(Notify)[-1].text
        pane(running).show(workspace, SKILL, TOOL)  # type: ignore[arg-type]
        await settle(pilot)
        assert "late" in screen_text(running)


async def test_going_away_cancels_the_call() -> None:
    started, ended = threading.Event(), threading.Event()

    def script(workspace: Any, arguments: Any, options: Any, events: Any, cancel: threading.Event) -> CallOutcome:
        started.set()
        if cancel.wait(20):
            ended.set()
        return outcome("x")

    async with (running := app(with_script(script))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await pilot.press(*"1.2.0", "ctrl+r")
        assert started.wait(10)
        await pane(running).remove()
        assert ended.wait(10)


async def test_what_a_call_raises_by_mistake_is_shown_as_a_failed_result() -> None:
    def script(*_: Any) -> CallOutcome:
        raise RuntimeError("a bug [/nope]")

    async with (running := app(with_script(script))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r"])
        assert "a bug [/nope]" in screen_text(running)


def approving(seen: list[bool]) -> Any:
    def script(workspace: Any, arguments: Any, options: CallOptions, events: Any, cancel: Any) -> CallOutcome:
        assert options.approve is not None
        allowed = identity() in workspace.approved or options.approve(identity())
        seen.append(allowed)
        return outcome("ran" if allowed else "refused")

    return script


@pytest.mark.parametrize(
    ("consent", "allowed"), [(Consent.CANCEL, False), (Consent.ONCE, True), (Consent.APPROVE, True)]
)
async def test_nothing_runs_before_the_dialog_is_answered(consent: Consent, allowed: bool) -> None:
    seen: list[bool] = []
    async with (running := app(with_script(approving(seen)))).run_test(size=(120, 36)) as pilot:
        running.on_approval = lambda ask: ask.answer.set_result(consent)
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r"])
        assert seen == [allowed]
        await press(pilot, ["ctrl+r"])
        asked = len([m for m in running.asked if type(m).__name__ == "AskApproval"])
        assert asked == (1 if consent is Consent.APPROVE else 2)


async def test_cancelling_while_the_dialog_waits_ends_the_call() -> None:
    seen: list[bool] = []
    async with app(with_script(approving(seen))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press_and_leave(pilot, [*"1.2.0", "ctrl+r"])
        await press(pilot, ["escape"])
        assert seen == [False]


async def press_and_leave(pilot: Any, keys: list[str]) -> None:
    for key in keys:
        await pilot.press(key)
    await pilot.pause()


def confirming(confirmed: list[bool]) -> Any:
    """Stands for the gate: without a yes it asks for one."""

    def script(workspace: Any, arguments: Any, options: CallOptions, events: Any, cancel: Any) -> CallOutcome:
        confirmed.append(options.confirmed)
        if not options.confirmed:
            said = "`local/one` is unsafe, so each call must be confirmed"
            return outcome(failed=error(SkillErrorType.PERMISSION_DENIED, said, needs="confirmation"))
        return outcome("done")

    return script


async def test_an_unsafe_tool_asks_each_time_with_the_arguments_in_sight() -> None:
    confirmed: list[bool] = []
    workspace = of({"properties": {"q": {}}}, confirming(confirmed), unsafe=True)
    async with (running := app(workspace, "local/one")).run_test(size=(120, 36)) as pilot:
        asks: list[Any] = []
        running.on_approval = lambda ask: (asks.append(ask), ask.answer.set_result(Consent.ONCE))[0]
        await settle(pilot)
        await press(pilot, ["7", "ctrl+r", "ctrl+r"])
        assert confirmed == [False, True, False, True]
        assert all(ask.confirm_only for ask in asks)
        assert ("arguments", '{\n  "q": 7\n}') in asks[0].identity.details
        assert "is unsafe" in asks[0].identity.warnings[0]


async def test_a_declined_confirmation_is_the_gates_refusal() -> None:
    confirmed: list[bool] = []
    async with (running := app(of({}, confirming(confirmed)), "local/one")).run_test(size=(120, 36)) as pilot:
        running.on_approval = lambda ask: ask.answer.set_result(Consent.CANCEL)
        await settle(pilot)
        await press(pilot, ["ctrl+r"])
        assert confirmed == [False]
        assert "permission_denied" in screen_text(running)


async def test_writing_to_the_real_workspace_is_confirmed_before_anything_is_asked_of_the_core() -> None:
    workspace = of({}, answering("done"), writes=True)
    async with (running := app(workspace, "local/one")).run_test(size=(120, 36)) as pilot:
        answers = iter([Consent.CANCEL, Consent.ONCE])
        running.on_approval = lambda ask: ask.answer.set_result(next(answers))
        await settle(pilot)
        await press(pilot, ["ctrl+o", "ctrl+r"])
        assert workspace.calls == []
        assert "the confirmation was declined" in screen_text(running)
        assert "works on the real workspace" in screen_text(running)
        await press(pilot, ["ctrl+r"])
        assert workspace.calls[0][3].real
        assert workspace.calls[0][3].confirmed


async def test_the_time_limit_can_be_changed() -> None:
    workspace = with_script(answering())
    async with (running := app(workspace)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0"])
        running.query_one("#bar-timeout", Input).focus()
        await press(pilot, [*"5", "ctrl+r"])
        assert workspace.calls[0][3].timeout_s == 5


async def test_the_command_line_of_the_call_is_copied() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["i", "t", "'", "s", "ctrl+y"])
        assert running.clipboard == (
            'skill-explorer invoke -w /ws --input \'{"from": "it\'"\'"\'s"}\' local/release-desk local/changelog-reader'
        )


# results


async def test_an_error_is_read_from_kind_to_last_words_and_its_place_can_be_opened() -> None:
    failed = error(
        SkillErrorType.VALIDATION_ERROR,
        "`$.limit` of the arguments: 0 is less than the minimum of 1",
        side="input",
        errors=[{"path": "$.limit", "message": "0 is less than the minimum of 1"}],
        path="tools/x.yaml",
        line=7,
    )
    log = (CallEvent("log", "reading\nthen [/stop]", {"stream": "stderr"}),)

    def script(*_: Any) -> CallOutcome:
        return outcome(failed=failed, log=log)

    async with (running := app(with_script(script))).run_test(size=(120, 50)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r"])
        shown = screen_text(running)
        shown = shown[shown.index("validation_error") :]
        order = [
            "validation_error",
            "0 is less than",
            "where",
            "$.limit",
            "said by",
            "last words",
            "then [/stop]",
            "Details",
        ]
        at = 0
        for word in order:
            at = shown.index(word, at)
        running.query_one("#result-error").focus()
        await press(pilot, ["enter"])
        assert running.asked_for(OpenPlace) == [OpenPlace("tools/x.yaml", 7)]


async def test_a_violated_output_schema_still_shows_the_output() -> None:
    failed = error(SkillErrorType.VALIDATION_ERROR, "`$.t` of the output: is no number", side="output", errors=[])

    def script(*_: Any) -> CallOutcome:
        return outcome({"t": "warm"}, failed=failed)

    async with (running := app(with_script(script))).run_test(size=(120, 50)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r"])
        shown = screen_text(running)
        assert "does not fit its output schema" in shown
        assert '"warm"' in shown


async def test_changes_are_shown_as_diffs_and_carried_over_once() -> None:
    class Kept:
        applied, dropped = 0, 0

        def apply(self) -> tuple[str, ...]:
            self.applied += 1
            return ("b.md",)

        def discard(self) -> None:
            self.dropped += 1

    kept = Kept()
    diffs = (
        FileDiff("a.md", "modified", "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-old [/x]\n+new\n"),
        FileDiff("b.md", "added", ""),
    )

    def script(*_: Any) -> CallOutcome:
        return outcome("ok", diffs=diffs, changes=kept)

    workspace = of({"properties": {"q": {"type": "string"}}}, script, writes=True)
    async with (running := app(workspace, "local/one")).run_test(size=(120, 50)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r", "d"])
        shown = screen_text(running)
        assert "modified a.md" in shown
        assert "-old [/x]" in shown
        await press(pilot, ["a"])
        (question,) = running.asked_for(AskCarryOver)
        assert question.question == "Carry 2 changes over to the real workspace?"
        assert question.changes == (("a.md", "modified"), ("b.md", "added"))
        assert kept.applied == 0
        question.then()
        await settle(pilot)
        assert (kept.applied, kept.dropped) == (1, 1)
        said = running.asked_for(Notify)[-1].text
        assert said == "Carried over to the real workspace: a.md. Left alone, since changed meanwhile: b.md."
        assert "on a copy, 1 of 2 carried over to the real workspace" in screen_text(running)
        await press(pilot, ["a"])
        assert len(running.asked_for(AskCarryOver)) == 1


async def test_two_runs_are_compared_side_by_side() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(140, 50)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r", "f4", "down", "down", "5", "ctrl+r", "c"])
        shown = screen_text(running)
        assert "Compare with run 1" in shown
        assert '+     "limit": 5' in shown


async def test_the_tree_is_searched_folded_and_copied_raw() -> None:
    value = {"rows": [{"name": "Ann"}, {"name": "Zoë, a long text\nof two lines"}]}
    async with (running := app(with_script(answering(value)))).run_test(size=(120, 50)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r", "slash", *"zo", "enter", "y"])
        assert running.clipboard == "Zoë, a long text\nof two lines"
        await press(pilot, ["left", "y"])
        assert json.loads(running.clipboard) == value["rows"][1]
        await press(pilot, ["home", "left", "y"])
        assert json.loads(running.clipboard) == value
        assert "Ann" not in screen_text(running).split("result")[1].split("▸ {} 1")[0]


async def test_a_text_is_shown_as_text_and_as_markdown() -> None:
    async with (running := app(with_script(answering("# Title\n\n- one\n- [/two]\n")))).run_test(
        size=(120, 50)
    ) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r"])
        assert "# Title" in screen_text(running)
        await press(pilot, ["v"])
        shown = screen_text(running)
        assert "• one" in shown
        assert "[/two]" in shown
        assert "# Title" not in shown


async def test_an_output_is_saved_to_a_new_private_file_of_the_state_folder_and_never_over_an_old_one(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here := tmp_path / "here").mkdir()
    monkeypatch.chdir(here)
    workspace = with_script(answering({"a": 1}))
    workspace.state = tmp_path / "state"
    async with (running := app(workspace)).run_test(size=(120, 50)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r", "s", "s"])
        assert "s Save" in screen_text(running)
        assert not list(here.iterdir())
        saved = sorted((tmp_path / "state/results").iterdir())
        assert [p.name for p in saved] == ["changelog-reader-1.json", "changelog-reader-2.json"]
        assert json.loads(saved[0].read_text()) == {"a": 1}
        assert saved[0].stat().st_mode & 0o777 == 0o600
        assert str(saved[1]) in running.asked_for(Notify)[-1].text


async def test_on_a_low_terminal_form_and_result_take_turns() -> None:
    async with (running := app(with_script(answering()))).run_test(size=(80, 22)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r"])
        assert not pane(running).arguments.display
        assert "✓ succeeded" in screen_text(running)
        await press(pilot, ["escape"])
        assert pane(running).arguments.display
        assert not running.query_one(ResultView).display
        assert isinstance(running.focused, TextField)
        await press(pilot, ["f4"])
        assert "✓ succeeded" in screen_text(running)


@pytest.mark.parametrize(
    "value",
    ["x" * (1 << 20), "\n".join(f"line {n}" for n in range(50_000)), {"rows": [{"n": n} for n in range(50_000)]}],
    ids=["one line of 1 MiB", "50,000 lines", "50,000 objects"],
)
async def test_a_large_result_is_there_whole_without_a_widget_for_each_line(value: Any) -> None:
    async with (running := app(with_script(answering(value)))).run_test(size=(120, 50)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r", "end", "home", "pagedown"])
        assert len(running.query("*")) < 60
        assert "✓ succeeded" in screen_text(running)


async def test_a_tool_that_is_gone_says_so() -> None:
    async with (running := app(desk(), "local/gone")).run_test() as pilot:
        await settle(pilot)
        assert "local/release-desk has no tool local/gone" in screen_text(running)
        pane(running).show(desk(), None, None)  # type: ignore[arg-type]
        await settle(pilot)
        assert "Choose a tool to try it." in screen_text(running)


async def test_nasty_schemas_outputs_errors_and_logs_are_shown_and_do_nothing() -> None:
    schema = {
        "properties": {
            NASTY: {"type": "string", "description": NASTY, "title": NASTY, "default": NASTY},
            "e": {"enum": [NASTY, "b"]},
            "k": {"type": "array", "uniqueItems": True, "items": {"enum": [NASTY]}},
            "v": {"oneOf": [{"title": NASTY, "type": "string"}, {"type": "integer"}]},
        },
        "required": [NASTY],
    }
    failed = error(SkillErrorType.TOOL_EXECUTION_FAILURE, NASTY, raised_by="tool", exception=NASTY, traceback=[NASTY])
    log = (CallEvent("log", NASTY, {"stream": "stderr"}), CallEvent("progress", NASTY, {"progress": 1, "total": 2}))
    diffs = (FileDiff(NASTY, "modified", f"+{NASTY}\n"),)

    def script(workspace: Any, arguments: Any, options: Any, events: Any, cancel: Any) -> CallOutcome:
        for event in log:
            events(event)
        return outcome({NASTY: [NASTY, {NASTY: NASTY}]}, failed=failed, log=log, diffs=diffs, isolation=NASTY)

    async with (running := app(of(schema, script), "local/one")).run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        await press(pilot, [*"[/x]", "down", "right", "down", "space", "down", "right", "ctrl+r"])
        for key in ("o", "v", "v", "v", "d", "l", "c", "slash"):
            await press(pilot, [key])
            shown = screen_text(running)
            assert not any(ord(char) < 32 and char != "\n" for char in shown), key
            assert "\u202e" not in shown
            assert "\x9b" not in shown
        await press(pilot, [*"[/nope]", "enter", "n"])
        assert "[@click=app.quit]" in screen_text(running)


async def test_an_entry_without_a_name_or_with_a_taken_one_is_not_added() -> None:
    async with (running := app(of({"type": "object"}), "local/one")).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        field = running.query_one(EntryField)
        field.focus()
        await press(pilot, ["enter", *"a", "enter"])
        assert sent(running) == {"a": None}
        running.query_one(EntryField).focus()
        await press(pilot, [*"a", "enter"])
        assert sent(running) == {"a": None}
