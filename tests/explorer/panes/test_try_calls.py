"""Trying a tool: what may run and what is refused, progress, cancel, time limit."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from pane_app import press, screen_text, settle
from pane_fakes import (
    error,
    identity,
    outcome,
)
from textual.widgets import Input
from try_driver import SKILL, TOOL, Clock, answering, app, of, pane, with_script

from core.protocol import SkillErrorType
from core.runtime.call import CallEvent, CallOptions, CallOutcome
from explorer.messages import Consent, Notify


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
        assert "l Log 2" in shown
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
