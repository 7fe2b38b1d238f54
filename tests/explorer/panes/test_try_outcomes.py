"""Trying a tool: errors, outputs, changes and comparisons as the pane shows them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pane_app import press, screen_text, settle
from pane_fakes import (
    NASTY,
    desk,
    error,
    outcome,
)
from try_driver import answering, app, of, pane, sent, with_script

from core.protocol import SkillErrorType
from core.runtime.call import CallEvent, CallOutcome, FileDiff
from explorer.messages import AskCarryOver, Notify, OpenPlace
from explorer.widgets.form.fields import EntryField, TextField
from explorer.widgets.result.result_view import ResultView


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


async def test_a_failure_of_the_same_height_takes_the_place_of_the_one_before() -> None:
    words = iter(["the first is gone", "the second is gone"])

    def fails(*_: Any) -> CallOutcome:
        return outcome(failed=error(SkillErrorType.TOOL_EXECUTION_FAILURE, next(words)))

    async with (running := app(with_script(fails))).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, [*"1.2.0", "ctrl+r", "ctrl+r"])
        assert "the second is gone" in screen_text(running)
        assert "the first is gone" not in screen_text(running)


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
