"""What a key costs on the screen, beside a bare Textual list in the same run: CPU time to the frame, longest turn."""

from __future__ import annotations

import asyncio
import gc
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from large_workspace import write_workspace
from pane_app import PaneApp
from pane_fakes import FakeCatalogue, FakeWorkspace, graph_of, outcome, record
from stopwatch import Key, Stopwatch, p95, timed
from textual.app import App, ComposeResult
from textual.widgets import OptionList

from explorer.app import ExplorerApp
from explorer.screens.main import MainScreen
from explorer.widgets.graph_canvas import GraphCanvas
from explorer.widgets.graph_view import GraphView
from explorer.widgets.result.result_view import ResultView
from explorer.widgets.try_pane import TryPane

pytestmark = pytest.mark.benchmark

SKILLS = 10_000
TOOLS = 10 * SKILLS
SKILL, TOOL = "local/release-desk", "local/one"
FIRST_ROWS_S, FRAME_S, STALL_S, VISIBLE_S, REPAINT_S = 1.0, 0.050, 0.100, 0.6, 0.040
LISTS = 3
"""Moving and typing may cost so many times what moving costs a bare list; a tab draws more than a list has."""
MOVING = [*["down"] * 20, *["pagedown"] * 6, "end", "home"]
IN_TREE = [*MOVING, *["right", "down"] * 3, "left"]
TABS = ["2", "3", "4", "6", "1"]
IN_MATRIX = ["2", *["down"] * 12, *["right"] * 4, "pagedown"]
FILTER = ["slash", *"read-file", *["backspace"] * 4]


class Bare(App[None]):
    """A list of as many rows."""

    def compose(self) -> ComposeResult:
        yield OptionList(*[f"local/read-file-{n}" for n in range(SKILLS)])


async def bare_keys() -> list[Key]:
    async with timed(Bare()) as watch:
        await watch.quiet()
        return await watch.press_all(MOVING)


def told(what: str, keys: Sequence[Key], floor: float = 0.0) -> None:
    frame, longest = p95([key.frame for key in keys]), max(key.longest for key in keys)
    beside = f", {frame / floor:.1f} bare lists" if floor else ""
    print(f"{what}: p95 {frame * 1000:.0f} ms to the frame{beside}, longest turn {longest * 1000:.0f} ms")


def quick(keys: Sequence[Key]) -> bool:
    return p95([key.frame for key in keys]) <= FRAME_S and max(key.longest for key in keys) <= STALL_S


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_workspace(tmp_path_factory.mktemp("large") / "ws", SKILLS)


async def loaded(watch: Stopwatch) -> list[float]:
    """Wait for the load, moving in the rows that are there; return what it took in CPU seconds to the first ones."""
    main = watch.app.screen_stack[0]
    assert isinstance(main, MainScreen)
    first: list[float] = []
    while main.reading or main.workspace is None:
        await asyncio.sleep(0.05)
        if not first and main.skill_tree.node is not None:
            first.append(watch.since_start())
    return first


@pytest.mark.large
async def test_ten_thousand_skills_come_in_while_keys_are_answered_and_every_key_is_quick(
    large: Path, tmp_path: Path
) -> None:
    floor = p95([key.frame for key in await bare_keys()])
    async with timed(ExplorerApp(large, state=tmp_path / "state")) as watch:
        first = await loaded(watch)
        print(f"first rows after {first[0]:.2f} s, longest turn of the load {watch.longest * 1000:.0f} ms")
        assert first[0] <= FIRST_ROWS_S
        assert watch.longest <= STALL_S
        await watch.quiet()
        await watch.press_all(TABS)  # each is made when it is first opened
        moving: list[float] = []
        for what, keys in (("tree", IN_TREE), ("tabs", TABS), ("matrix", IN_MATRIX), ("filter", FILTER)):
            await watch.press("escape")
            found = await watch.press_all(keys)
            told(what, found, floor)
            if keys is not TABS:
                moving += [key.frame for key in found[1:]]
        print(f"moving and typing: p95 {p95(moving) * 1000:.0f} ms, {p95(moving) / floor:.1f} bare lists")
        assert p95(moving) <= LISTS * floor
        assert quick(watch.keys[len(TABS) :])


def trying(schema: dict[str, Any], value: Any = None) -> PaneApp:
    one = record(TOOL, input_schema=schema, read_only=True)
    workspace = FakeWorkspace(FakeCatalogue({SKILL: [one]}), lambda *_: outcome(value))

    def after(running: PaneApp) -> None:
        running.query_one(TryPane).show(workspace, SKILL, TOOL)  # type: ignore[arg-type]

    return PaneApp(TryPane, after)


RESULTS = {
    "50,000 lines": "\n".join(f"line {n} of the log, which says what was done" for n in range(50_000)),
    "1 MiB of JSON": json.loads(json.dumps([{"n": n, "name": f"item {n}", "ok": True} for n in range(22_000)])),
}


@pytest.mark.parametrize("value", RESULTS.values(), ids=RESULTS)
async def test_a_large_result_is_there_soon_and_every_key_in_it_is_quick(value: Any) -> None:
    async with timed(trying({"type": "object", "properties": {}}, value)) as watch:
        await watch.quiet()
        run = await watch.press("ctrl+r")
        print(f"visible after {run.whole * 1000:.0f} ms, longest turn {run.longest * 1000:.0f} ms")
        watch.app.query_one(ResultView)
        keys = await watch.press_all(
            [*["down"] * 20, *["pagedown"] * 8, "end", "pageup", "home", "down", "slash", *"item 2"]
        )
        told("result", keys)
        assert run.whole <= VISIBLE_S
        assert quick(keys)


async def test_a_form_of_two_hundred_fields_answers_every_key() -> None:
    fields = {f"field_{n}": {"type": "string", "description": f"The value number {n}."} for n in range(200)}
    async with timed(trying({"type": "object", "properties": fields, "required": ["field_7"]})) as watch:
        await watch.quiet()
        keys = await watch.press_all([*"abc", *["tab", "x", "y"] * 5, *["down"] * 10, *"xyz"])
        told("form", keys)
        assert quick(keys)


async def test_a_graph_of_a_thousand_nodes_is_repainted_quickly() -> None:
    chance = random.Random(3)
    edges = {
        f"local/s{n}": [f"local/s{m}" for m in sorted(chance.sample(range(n + 1, n + 125), 2)) if m < 1_000]
        for n in range(1_000)
    }
    workspace = FakeWorkspace(FakeCatalogue({}, graph_of(edges)))

    def after(running: PaneApp) -> None:
        running.query_one(GraphView).show(workspace, "local/s500", None)  # type: ignore[arg-type]
        running.query_one(GraphCanvas).focus()

    async with timed(PaneApp(GraphView, after)) as watch:
        await watch.quiet()
        keys = await watch.press_all([*["down"] * 10, *["right"] * 5, *["up"] * 5, *["left"] * 5])
        told("graph", keys)
        assert p95([key.frame for key in keys]) <= REPAINT_S
        assert max(key.longest for key in keys) <= STALL_S
    gc.collect()
