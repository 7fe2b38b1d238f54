"""Earlier calls: listed with their numbers, shown whole, compared two at a time, copied as a command."""

from __future__ import annotations

from typing import Any

from pane_app import PaneApp, press, screen_text, settle
from pane_fakes import FakeWorkspace, desk, error, outcome

from core.protocol import SkillErrorType
from core.registry.history import PastCall
from explorer.messages import Notify, TryTool
from explorer.widgets.history_view import HistoryView

SKILL, TOOL = "local/release-desk", "local/changelog-reader"


def call(number: int, arguments: Any, output: Any = None, tool: str = TOOL, failed: Any = None) -> PastCall:
    result = outcome(output, failed=failed).result
    return PastCall(number, "2026-11-30T12:00:00+00:00", SKILL, tool, arguments, "now", False, result)


def app(*calls: PastCall) -> PaneApp:
    workspace = desk()
    workspace.history.past = list(calls)

    def after(running: PaneApp) -> None:
        view: FakeWorkspace | Any = workspace
        running.query_one(HistoryView).show(view, SKILL, TOOL)
        running.query_one("CallList").focus()

    return PaneApp(HistoryView, after)


async def test_a_run_is_compared_with_the_one_before_it_arguments_and_output() -> None:
    async with (running := app(call(9, {"limit": 2}, "new"), call(7, {"limit": 1}, "old"))).run_test(
        size=(120, 36)
    ) as pilot:
        await settle(pilot)
        await press(pilot, ["c"])
        shown = screen_text(running)
        assert "- run 7   + run 9" in shown
        assert '"limit": 1' in shown
        assert "- old" in shown
        assert "+ new" in shown
        await press(pilot, ["down"])
        assert "- run 7" not in screen_text(running)


async def test_a_further_argument_is_the_only_line_that_differs() -> None:
    async with (running := app(call(9, {"a": 1, "b": 2}, 1), call(7, {"a": 1}, 1))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["c"])
        shown = screen_text(running)
        assert '+   "b": 2' in shown
        assert '+   "a": 1' not in shown
        assert '-   "a": 1' not in shown


async def test_any_two_runs_are_compared_once_one_is_marked() -> None:
    calls = [call(number, {}, f"output {number}") for number in (9, 8, 7, 6)]
    async with (running := app(*calls)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["space", "end", "c"])
        shown = screen_text(running)
        assert "◆   9" in shown
        assert "- run 6   + run 9" in shown
        await press(pilot, ["home", "space", "c"])
        assert "- run 8   + run 9" in screen_text(running)


async def test_a_failed_call_is_shown_whole() -> None:
    failed = error(SkillErrorType.VALIDATION_ERROR, "wrong", side="input", errors=[{"path": "$.a", "message": "bad"}])
    async with (running := app(call(3, {}, failed=failed))).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        shown = screen_text(running)
        for part in ("validation_error", "wrong", "$.a", "the input schema refuses", "Details", '"side": "input"'):
            assert part in shown, part


async def test_enter_asks_for_the_form_with_these_arguments() -> None:
    async with (running := app(call(9, {"from": "1"}), call(7, {"from": "2"}))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["down", "enter"])
        [asked] = running.asked_for(TryTool)
        assert asked.arguments == '{\n  "from": "2"\n}'


async def test_the_command_of_a_call_is_copied_and_a_tool_that_is_gone_has_none() -> None:
    async with (running := app(call(9, {"from": "it's"}))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["y"])
        assert "skill-explorer invoke -w /ws" in running.clipboard
        assert '\'{"from": "it\'"\'"\'s"}\'' in running.clipboard
        running.query_one("CallList").calls = [call(9, {}, tool="local/gone")]  # type: ignore[attr-defined]
        await press(pilot, ["y"])
        assert running.asked_for(Notify)[-1].severity == "warning"
