"""Pictures of the panes, each beside a word that must be on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pane_app import PaneApp, screen_text, settle, still, unchanging
from pane_fakes import FakeCatalogue, FakeWorkspace, desk, error, graph_of, outcome, record
from textual.pilot import Pilot

from core.protocol import SkillErrorType
from core.registry.history import PastCall
from core.runtime.call import CallEvent, CallOutcome, FileDiff
from explorer.widgets.call_list import CallList
from explorer.widgets.graph_canvas import GraphCanvas
from explorer.widgets.graph_view import GraphView
from explorer.widgets.history_view import HistoryView
from explorer.widgets.matrix_table import MatrixTable
from explorer.widgets.tools_matrix import ToolsMatrix
from explorer.widgets.try_pane import TryPane

SKILL, TOOL = "local/release-desk", "local/changelog-reader"
SIZES = {"80x24": (80, 24), "120x36": (120, 36), "200x60": (200, 60)}

Size = tuple[int, int]
Take = Callable[..., bool]
at_each_size = pytest.mark.parametrize("size", SIZES.values(), ids=SIZES.keys())


@pytest.fixture
def take(snap_compare: Any) -> Take:
    """Press keys, see that ``word`` is there, and compare the picture."""

    def compare(app: PaneApp, size: Size, *keys: str, word: str) -> bool:
        async def before(pilot: Pilot[None]) -> None:
            await settle(pilot)
            for key in keys:
                await pilot.press(key)
                await settle(pilot)
            await still(pilot)
            assert word in screen_text(pilot.app)

        return bool(snap_compare(app, terminal_size=size, run_before=before))

    return compare


def matrix() -> PaneApp:
    def after(running: PaneApp) -> None:
        running.query_one(ToolsMatrix).show(desk(), SKILL, None)  # type: ignore[arg-type]
        running.query_one(MatrixTable).focus()

    return PaneApp(ToolsMatrix, after)


def graph() -> PaneApp:
    includes = {
        "local/release-desk": ["local/file-ops", "local/git-ops", "local/notes"],
        "local/notes": ["local/changelog", "local/file-ops"],
        "team/triage": ["team/routing", "local/git-ops"],
        "team/routing": ["team/escalation"],
        "team/escalation": ["team/triage", "team/gone"],
    }
    ring = ("team/triage", "team/routing", "team/escalation")
    found = graph_of(includes, cycle=ring, ghosts=("team/gone",))
    text = "name: x\ndescription: y\nincludes:\n  - team/one\n  - team/two\n  - team/three\n"
    workspace = FakeWorkspace(FakeCatalogue({}, found), texts={edge.place.path: text for edge in found.edges})

    def after(running: PaneApp) -> None:
        running.query_one(GraphView).show(workspace, None, None)  # type: ignore[arg-type]
        running.query_one(GraphCanvas).focus()

    return PaneApp(GraphView, after)


def trying(workspace: FakeWorkspace, tool: str = TOOL) -> PaneApp:
    def after(running: PaneApp) -> None:
        running.query_one(TryPane).show(workspace, SKILL, tool)  # type: ignore[arg-type]

    return PaneApp(lambda: TryPane(clock=lambda: 0.0), after)


NESTED = {
    "type": "object",
    "required": ["from", "mode"],
    "properties": {
        "from": {"type": "string", "description": "The older of the two versions.", "pattern": "^[0-9.]+$"},
        "to": {"type": ["string", "null"], "description": "The newer version; the latest when not set."},
        "limit": {"type": "integer", "minimum": 1, "default": 20},
        "dry_run": {"type": "boolean", "default": True},
        "mode": {"enum": ["fast", "careful"]},
        "kinds": {"type": "array", "uniqueItems": True, "items": {"enum": ["added", "changed", "fixed"]}},
        "filter": {
            "type": "object",
            "properties": {"author": {"type": "string"}, "since": {"type": "string", "format": "date"}},
            "required": ["author"],
        },
        "content": {"type": "string"},
    },
}


def succeed(*_: Any) -> CallOutcome:
    entries = [{"version": "1.2.0", "date": "2026-10-02", "items": ["a", "b"]}, {"version": "1.1.0", "items": []}]
    diff = FileDiff("notes.md", "modified", "--- a/notes.md\n+++ b/notes.md\n@@ -1 +1 @@\n-old\n+new\n")
    log = (CallEvent("stage", "execute"), CallEvent("log", "reading CHANGELOG.md", {"stream": "stderr"}, 2.0))
    return outcome({"entries": entries, "content": "# Changelog\n\n- one"}, log=log, diffs=(diff,))


def fail(*_: Any) -> CallOutcome:
    errors = [{"path": "$.limit", "message": "0 is less than the minimum of 1"}]
    said = "`$.limit` of the arguments: 0 is less than the minimum of 1"
    return outcome(failed=error(SkillErrorType.VALIDATION_ERROR, said, side="input", errors=errors))


def of(script: Any) -> FakeWorkspace:
    workspace = desk()
    workspace.script = script
    return workspace


@at_each_size
def test_the_matrix_with_a_cell_and_its_provenance(take: Take, size: Size) -> None:
    assert take(matrix(), size, *["down"] * 3, *["right"] * 3, word="overridden, was yes")


@at_each_size
def test_the_matrix_filtered(take: Take, size: Size) -> None:
    assert take(matrix(), size, "slash", *"writes:yes", "enter", word="3 of 7 tools")


@at_each_size
def test_the_graph_with_a_cycle_beside_it(take: Take, size: Size) -> None:
    assert take(graph(), size, "down", word="cut here")


@at_each_size
def test_an_untouched_form(take: Take, size: Size) -> None:
    assert take(trying(of(succeed)), size, word="to fill in")


@at_each_size
def test_a_nested_form_with_faults(take: Take, size: Size) -> None:
    workspace = FakeWorkspace(FakeCatalogue({SKILL: [record("local/one", input_schema=NESTED)]}))
    keys = [*"1.x", "down", "ctrl+n", "ctrl+n", "down", "0", "down", "right", "down", "down", "space", "down", "enter"]
    assert take(trying(workspace, "local/one"), size, *keys, "ctrl+r", word="does not match")


@at_each_size
def test_a_result(take: Take, size: Size) -> None:
    assert take(trying(of(succeed)), size, *"1.2.0", "ctrl+r", word="succeeded")


@at_each_size
def test_an_error(take: Take, size: Size) -> None:
    assert take(trying(of(fail)), size, *"1.2.0", "ctrl+r", word="validation_error")


@at_each_size
def test_the_changes_of_a_call(take: Take, size: Size) -> None:
    assert take(trying(of(succeed)), size, *"1.2.0", "ctrl+r", "d", word="+new")


@at_each_size
def test_the_log_of_a_call(take: Take, size: Size) -> None:
    assert take(trying(of(succeed)), size, *"1.2.0", "ctrl+r", "l", word="reading CHANGELOG.md")


@at_each_size
def test_a_running_call(snap_compare: Any, size: Size) -> None:
    def halfway(*given: Any) -> CallOutcome:
        _, _, _, events, cancel = given
        events(CallEvent("stage", "execute"))
        events(CallEvent("log", "reading CHANGELOG.md", {"stream": "stderr"}))
        events(CallEvent("progress", "halfway", {"progress": 5, "total": 10}))
        assert cancel.wait(20)
        return outcome()

    async def before(pilot: Pilot[None]) -> None:
        await settle(pilot)
        await pilot.press(*"1.2.0", "ctrl+r")
        await unchanging(pilot, "halfway")

    assert snap_compare(trying(of(halfway)), terminal_size=size, run_before=before)


@at_each_size
def test_a_form_with_conditions(take: Take, size: Size) -> None:
    schema = {
        **NESTED,
        "if": {"properties": {"mode": {"const": "fast"}}, "required": ["mode"]},
        "then": {"properties": {"workers": {"type": "integer", "maximum": 8}}, "required": ["workers"]},
        "dependentRequired": {"to": ["limit"]},
    }
    workspace = FakeWorkspace(FakeCatalogue({SKILL: [record("local/one", input_schema=schema)]}))
    keys = [*"1.2", "down", *"1.3", *["down"] * 3, "right", "ctrl+r"]
    assert take(trying(workspace, "local/one"), size, *keys, word="workers")


@at_each_size
def test_the_json_in_place_of_the_form(take: Take, size: Size) -> None:
    assert take(trying(desk()), size, *"1.2.0", "f6", word="will be sent")


@at_each_size
def test_two_runs_compared(take: Take, size: Size) -> None:
    def script(_workspace: Any, arguments: Any, *_: Any) -> CallOutcome:
        return outcome({"limit": arguments.get("limit"), "entries": [1, 2, 3]})

    keys = [*"1.2.0", "ctrl+r", "f4", "down", "down", "5", "ctrl+r", "c"]
    assert take(trying(of(script)), size, *keys, word="- run 1   + run 2")


def past(number: int, arguments: Any, done: CallOutcome) -> PastCall:
    return PastCall(number, "2026-11-30T12:00:00+00:00", SKILL, TOOL, arguments, "now", False, done.result)


@at_each_size
@pytest.mark.parametrize("keys", [(), ("down", "space", "up", "c")], ids=["one", "compared"])
def test_the_history(take: Take, size: Size, keys: tuple[str, ...]) -> None:
    workspace = desk()
    workspace.history.past = [
        past(12, {"from": "1.2.0", "limit": 0}, fail()),
        past(9, {"from": "1.2.0", "limit": 3}, succeed()),
        past(4, {"from": "1.1.0"}, outcome("as text")),
    ]

    def after(running: PaneApp) -> None:
        running.query_one(HistoryView).show(workspace, SKILL, TOOL)  # type: ignore[arg-type]
        running.query_one(CallList).focus()

    assert take(PaneApp(HistoryView, after), size, *keys, word="- run 9   + run 12" if keys else "validation_error")
