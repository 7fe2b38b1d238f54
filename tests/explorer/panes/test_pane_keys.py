"""Every key that is offered in a form or at a result does something there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pane_app import PaneApp, settle
from pane_fakes import FakeCatalogue, FakeWorkspace, outcome, record
from textual.pilot import Pilot
from textual.widgets import Input

from core.runtime.call import CallEvent, CallOutcome, FileDiff
from explorer.messages import Consent
from explorer.services.active_keys import possible_keys
from explorer.widgets.row_list import RowList
from explorer.widgets.try_pane import TryPane

SKILL, TOOL = "local/desk", "local/one"
SCHEMA = {
    "type": "object",
    "properties": {
        "from": {"type": ["string", "null"]},
        "mode": {"enum": ["fast", "careful"]},
        "kinds": {"type": "array", "uniqueItems": True, "items": {"enum": ["a", "b"]}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "limit": {"type": "integer", "minimum": 1},
    },
}
FILLED = '{"from": "x", "mode": "fast", "kinds": ["a"], "tags": ["t"], "limit": 5}'
LONG = "some text that is long enough to be folded\nand has two lines"
OUTPUT: dict[str, Any] = {"a": 1, "b": LONG, "c": [1, 2], "rows": [{"n": n, "s": LONG} for n in range(60)], "z": 2}


class Kept:
    def apply(self) -> tuple[str, ...]:
        return ()

    def discard(self) -> None:
        pass


def script(workspace: Any, arguments: Any, options: Any, events: Any, cancel: Any) -> CallOutcome:
    log = (CallEvent("log", "one\ntwo", {"stream": "stdout"}),)
    diffs = (FileDiff("a.md", "modified", "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n"),)
    return outcome(OUTPUT, log=log, diffs=diffs, changes=Kept())


def app() -> PaneApp:
    one = record(TOOL, input_schema=SCHEMA)
    workspace = FakeWorkspace(FakeCatalogue({SKILL: [one]}), script)

    def after(running: PaneApp) -> None:
        running.query_one(TryPane).show(workspace, SKILL, TOOL)  # type: ignore[arg-type]

    return PaneApp(lambda: TryPane(clock=lambda: 0.0), after)


async def fill(pilot: Pilot[None], text: str = FILLED) -> TryPane:
    pane = pilot.app.query_one(TryPane)
    pane.arguments.model.state.long.clear()
    pane.arguments.editor.area.text = text
    await settle(pilot)
    return pane


def at_field(*path: str | int) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def arrange(pilot: Pilot[None]) -> None:
        pane = await fill(pilot)
        pane.arguments.form.focus_path(path)
        await pilot.pause()

    return arrange


async def at_wrong_arguments(pilot: Pilot[None]) -> None:
    pane = await fill(pilot, '{"limit": 0}')
    pane.arguments.form.focus_path(("limit",))
    await pilot.pause()


async def at_result(pilot: Pilot[None]) -> None:
    pane = await fill(pilot)
    pane._state.real = False  # type: ignore[union-attr]
    for _ in range(2):
        await pilot.press("ctrl+r")
        await settle(pilot)
    pane.result.focus_view()
    for _ in range(2):
        await pilot.press("down")


PLACES = {
    "text": at_field("from"),
    "choice": at_field("mode"),
    "boxes": at_field("kinds"),
    "list": at_field("tags"),
    "item": at_field("tags", 0),
    "wrong arguments": at_wrong_arguments,
    "result": at_result,
}
IDLE_AT_FIRST = {"result.next", "result.previous", "result.output"}  # nothing is found yet; Output is shown already


def looks(running: PaneApp) -> tuple[object, ...]:
    strips = running.screen._compositor.render_strips()
    return (
        [(segment.text, str(segment.style)) for strip in strips for segment in strip],
        running.screen,
        running.focused,
        running.clipboard,
        len(running.asked),
        [(rows.cursor, rows.scroll_offset) for rows in running.screen.query(RowList)],
        [(field.value, field.cursor_position) for field in running.screen.query(Input)],
        len(running.query_one(TryPane)._states.known(SKILL, TOOL).runs),  # type: ignore[union-attr]
    )


@pytest.mark.parametrize("arrange", PLACES.values(), ids=PLACES.keys())
async def test_every_offered_key_does_something(arrange: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with (running := app()).run_test(size=(120, 40)) as pilot:
        running.on_approval = lambda ask: ask.answer.set_result(Consent.ONCE)
        await settle(pilot)
        await arrange(pilot)
        offered = [(name, key) for name, keys in possible_keys(running.screen).items() for key in keys]
        idle = []
        for name, key in offered:
            while len(running.screen_stack) > 1:
                running.pop_screen()
                await pilot.pause()
            running._clipboard = ""
            await arrange(pilot)
            before = looks(running)
            await pilot.press(key)
            await settle(pilot)
            if looks(running) == before and name not in IDLE_AT_FIRST:
                idle.append((name, key))
        assert offered
        assert not idle, str(idle)
