"""The tools matrix: rows, filters, order, provenance and what it asks the screen for."""

from __future__ import annotations

from typing import Any

import pytest
from pane_app import PaneApp, press, screen_text, settle, still
from pane_fakes import NASTY, FakeCatalogue, FakeWorkspace, desk, desk_records, record

from core.model import ToolStatus
from explorer.messages import Notify, OpenPlace, ToolHighlighted, TryTool
from explorer.presenters.matrix import column_widths, row
from explorer.services.matrix import COLUMNS, Matrix, as_csv, as_markdown, cell
from explorer.widgets.matrix_table import MatrixTable
from explorer.widgets.tools_matrix import ToolsMatrix

SKILL = "local/release-desk"


def app(workspace: Any = None, tool: str | None = None) -> PaneApp:
    def after(running: PaneApp) -> None:
        running.query_one(ToolsMatrix).show(workspace or desk(), SKILL, tool)
        running.query_one(MatrixTable).focus()

    return PaneApp(ToolsMatrix, after)


def names(matrix: Matrix) -> list[str]:
    return [matrix.records[at].name.split("/")[1] for at in matrix.visible]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", 7),
        ("file", ["read_file", "write_file"]),
        ("changelog entries", ["changelog-reader"]),
        ("reads:yes", ["read_file", "changelog-reader", "write-notes"]),
        ("writes:yes", ["write_file", "mystery", "get_current_time"]),
        ("writes:no", ["read_file", "changelog-reader", "bump-version", "write-notes"]),
        ("writes:*", ["bump-version"]),
        ("writes:?", ["mystery", "get_current_time"]),
        ("source:mcp", ["get_current_time"]),
        ("-source:built-in -source:custom", ["get_current_time", "write-notes"]),
        ("side:git", ["bump-version"]),
        ("appr:yes", ["write_file"]),
        ("no:such", []),
        ("[/nope]", []),
    ],
)
def test_words_and_column_values_filter_the_rows(query: str, found: Any) -> None:
    matrix = Matrix(desk_records(), query)
    assert (len(matrix.visible) if isinstance(found, int) else names(matrix)) == found


def test_a_column_sorts_one_way_then_the_other_then_not_at_all() -> None:
    matrix = Matrix(desk_records())
    as_given = names(matrix)
    matrix.sort("writes")
    assert names(matrix)[0] in ("write_file", "mystery")
    matrix.sort("writes")
    assert names(matrix)[0] not in ("write_file", "mystery")
    matrix.sort("writes")
    assert names(matrix) == as_given


def test_what_is_overridden_assumed_or_not_discovered_has_its_own_mark() -> None:
    by_name = {r.name: r for r in desk_records()}
    writes = next(c for c in COLUMNS if c.key == "writes")
    assert cell(by_name["local/bump-version"], writes).text == "no*"
    assert cell(by_name["local/mystery"], writes).text == "yes?"
    assert cell(by_name["time/get_current_time"], writes).text == "yes?"
    assert cell(by_name["time/get_current_time"], next(c for c in COLUMNS if c.key == "reads")).text == "?"
    assert cell(by_name["builtin/write_file"], writes).text == "yes"


@pytest.mark.parametrize(("status", "mark"), [(ToolStatus.READY, "▲"), (ToolStatus.UNAVAILABLE, "✗")])
@pytest.mark.parametrize("width", [60, 78, 200])
def test_a_tool_with_which_something_is_wrong_keeps_its_mark_however_narrow_it_gets(
    status: ToolStatus, mark: str, width: int
) -> None:
    sound = record("local/" + "s" * 60)
    wrong = sound.model_copy(update={"status": status, "problem": "changed since it was approved"})
    for first in (sound, wrong):
        matrix = Matrix([first])
        shown = row(first, column_widths(width, *matrix.longest), 1, 0).plain
        assert (mark in shown) is (first is wrong)


def test_a_mark_takes_no_room_from_the_longest_name() -> None:
    wrong = record("local/a-long-name").model_copy(update={"problem": "changed since it was approved"})
    matrix = Matrix([wrong])
    assert row(wrong, column_widths(200, *matrix.longest), 1, None).plain.startswith(" local/a-long-name  ▲ ")


def test_what_is_wrong_with_a_tool_is_found_by_the_filter_and_left_out_of_exports() -> None:
    wrong = record("local/tool").model_copy(update={"problem": "Changed since it was approved"})
    matrix = Matrix([record("local/other"), wrong], "changed since")
    assert names(matrix) == ["tool"]
    assert matrix.table()[1][0] == "local/tool"


def test_tables_are_exported_without_breaking_their_format() -> None:
    odd = record("local/odd", side_effects=["a|b", "=cmd()"])
    table = Matrix([odd, record("local/x", side_effects=["=1+1"])]).table()
    assert "a\\|b, =cmd()" in as_markdown(table)
    assert as_markdown(table).splitlines()[1] == "|" + " --- |" * len(COLUMNS)
    assert "'=1+1" in as_csv(table)
    assert '"a|b, =cmd()"' in as_csv(table)


async def test_the_selected_cell_says_where_its_value_comes_from_and_opens_that_line() -> None:
    async with (running := app(tool="local/bump-version")).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["right"] * 3)
        shown = screen_text(running)
        assert "overridden, was yes" in shown
        assert "skills/desk.yaml:14" in shown
        assert "still yes: an override can't loosen what the tool declares" in shown
        assert "local/release-desk ▸ local/notes ▸ local/base" in shown
        await press(pilot, ["o"])
        assert running.asked_for(OpenPlace) == [OpenPlace("skills/desk.yaml", 14)]


async def test_parameters_are_told_in_words() -> None:
    async with (running := app(tool="local/changelog-reader")).run_test(size=(120, 36)) as pilot:
        await still(pilot)
        shown = screen_text(running)
        assert "from required  string  The older version." in shown
        assert "limit  integer ≥ 1 · default 20" in shown


async def test_enter_tries_the_tool_and_the_cursor_says_which_tool_is_meant() -> None:
    async with (running := app()).run_test() as pilot:
        await settle(pilot)
        await press(pilot, ["down", "enter"])
        assert running.asked_for(TryTool) == [TryTool(SKILL, "builtin/write_file")]
        assert running.asked_for(ToolHighlighted)[-1] == ToolHighlighted(SKILL, "builtin/write_file")


async def test_typing_filters_and_space_keeps_the_rows_like_this_one() -> None:
    async with (running := app()).run_test() as pilot:
        await settle(pilot)
        table = running.query_one(MatrixTable)
        await press(pilot, ["slash", *"time", "enter"])
        assert names(table.matrix) == ["get_current_time"]
        assert "1 of 7 tools" in screen_text(running)
        await press(pilot, ["backspace", "home", "right", "space"])
        assert names(table.matrix) == ["read_file", "write_file"]
        await press(pilot, ["backspace"])
        assert len(table.matrix.visible) == 7


async def test_what_is_typed_after_space_is_a_word_of_its_own() -> None:
    async with (running := app()).run_test() as pilot:
        await settle(pilot)
        table = running.query_one(MatrixTable)
        await press(pilot, ["home", "right", "space", "slash", *"write"])
        assert names(table.matrix) == ["write_file"]
        await press(pilot, ["enter", "slash", *"read"])
        assert names(table.matrix) == []


async def test_where_no_tool_matches_the_keys_mean_none() -> None:
    async with (running := app()).run_test() as pilot:
        await settle(pilot)
        await press(pilot, ["slash", *"zzz", "enter"])
        assert running.asked_for(ToolHighlighted)[-1] == ToolHighlighted(SKILL, None)
        await press(pilot, ["backspace"])
        assert running.asked_for(ToolHighlighted)[-1].tool is not None


async def test_sorting_keeps_the_cursor_on_its_tool() -> None:
    async with (running := app(tool="local/mystery")).run_test() as pilot:
        await settle(pilot)
        await press(pilot, ["right", "right", "right", "s"])
        table = running.query_one(MatrixTable)
        assert table.record is not None
        assert table.record.name == "local/mystery"
        assert table.cursor == 1
        assert "writes▲" in screen_text(running)


async def test_the_same_skill_again_keeps_cursor_column_and_filter() -> None:
    workspace = desk()
    async with (running := app(workspace)).run_test() as pilot:
        await settle(pilot)
        await press(pilot, ["slash", *"custom", "enter", "down", "right"])
        workspace.catalogue.sets[SKILL].insert(0, record("local/new"))
        running.query_one(ToolsMatrix).show(workspace, SKILL, None)  # type: ignore[arg-type]
        await settle(pilot)
        table = running.query_one(MatrixTable)
        assert table.record is not None
        assert (table.record.name, table.column) == ("local/bump-version", 1)
        assert len(table.matrix.visible) == 4


async def test_the_last_column_comes_into_sight_at_eighty_cells_and_the_names_stay() -> None:
    workspace = FakeWorkspace(FakeCatalogue({SKILL: [record("local/" + "n" * 60, side_effects=["network"])]}))
    async with (running := app(workspace)).run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await press(pilot, ["right"] * 8)
        shown = screen_text(running)
        assert "netw" in shown
        assert "local/nnn" in shown


async def test_copies_are_announced() -> None:
    async with (running := app()).run_test() as pilot:
        await settle(pilot)
        await press(pilot, ["y"])
        assert running.clipboard == "builtin/read_file"
        await press(pilot, ["m"])
        assert running.clipboard.startswith("| tool | source |")
        await press(pilot, ["c"])
        assert running.clipboard.startswith("tool,source,reads")
        assert len(running.asked_for(Notify)) == 3


async def test_an_unknown_skill_and_no_skill_say_so() -> None:
    workspace = FakeWorkspace()
    async with (running := app(workspace)).run_test() as pilot:
        await settle(pilot)
        assert "no skill is called local/release-desk" in screen_text(running)
        running.query_one(ToolsMatrix).show(workspace, None, None)  # type: ignore[arg-type]
        await settle(pilot)
        assert "Choose a skill to see its tools" in screen_text(running)


async def test_a_hundred_thousand_tools_are_filtered_without_a_widget_for_each() -> None:
    rows = [desk_records()[0]] * 99_999 + [record("local/t99999")]
    workspace = FakeWorkspace(FakeCatalogue({SKILL: rows}))
    async with (running := app(workspace)).run_test() as pilot:
        await settle(pilot)
        await press(pilot, ["slash", *"t99999"])
        assert names(running.query_one(MatrixTable).matrix) == ["t99999"]
        assert len(running.query("*")) < 25


async def test_nasty_names_and_texts_are_shown_and_do_nothing() -> None:
    nasty = record(NASTY, source=f"mcp:{NASTY}", description=NASTY, side_effects=[NASTY], status=ToolStatus.READY)
    nasty = nasty.model_copy(update={"problem": NASTY, "input_schema": {"properties": {NASTY: {"description": NASTY}}}})
    workspace = FakeWorkspace(FakeCatalogue({SKILL: [nasty]}))
    async with (running := app(workspace)).run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        shown = screen_text(running)
        assert "[/nope] [@click=app.quit]x[/]" in shown
        assert not any(ord(char) < 32 and char != "\n" for char in shown)
        assert "\u202e" not in shown
        assert "\x9b" not in shown
        await press(pilot, ["slash", *"[/nope]", "enter", "space", "s"])
        assert running.is_running
