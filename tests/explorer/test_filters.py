"""Filters take in what is typed or pasted, as far as it makes sense, and lead to what was looked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from app_driver import NARROW, NORMAL, Driver, opened
from textual import events

from explorer.app import ExplorerApp
from explorer.services.finder import LONGEST, Entry, Finder
from explorer.widgets.filter_input import FilterInput
from explorer.widgets.tools_matrix import ToolsMatrix

SAMPLE = Path(__file__).parents[2] / "sample_workspace"
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]


def skill(name: str, *more: str) -> str:
    return "\n".join([f"name: {name}", f"description: What {name} does.", *more, ""])


TREE = {
    "skills/a.yaml": skill("local/a", "builtin_groups:", "  - git_operations"),
    "skills/b.yaml": skill("local/b"),
}


async def test_a_huge_paste_into_a_filter_is_cut_to_its_first_line_and_cap(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("slash")
        field = driver.main.tree_area.query_one(FilterInput)
        field.post_message(events.Paste("local/b\n" + "x y " * 20_000))
        await driver.quiet()
        assert field.value == "local/b"
        field.post_message(events.Paste("x y " * 20_000))
        await driver.quiet()
        assert len(field.value) == LONGEST


async def test_escape_in_an_empty_filter_or_one_of_blanks_closes_it(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    for typed in ((), ("space",), ("a",)):
        async with opened(make_workspace(TREE), tmp_path / "state") as driver:
            await driver.press("slash", *typed, "escape")
            assert driver.main.skill_tree.has_focus
            assert not driver.main.tree_area.filtering


def test_the_finder_looks_at_no_more_of_a_query_than_the_cap() -> None:
    finder = Finder()
    finder.add(Entry("local/" + "a" * LONGEST))
    assert finder.find("a" * LONGEST + "b" * 70_000, 5)[1] == 1


async def test_the_page_below_the_matrix_follows_the_row_after_a_filter_without_hits(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("2", "end", "slash", *"zzzz")
        await driver.press(*["backspace"] * 4)
        matrix = driver.main.query_one(ToolsMatrix)
        record = matrix.table.record
        assert record is not None
        page = matrix.query_one("#matrix-why")
        shown = "\n".join(page.render_line(y).text for y in range(page.size.height))
        assert record.description[:12] in shown
        assert matrix._why is not None
        assert matrix._why.tool == record.name


async def test_enter_in_the_filter_goes_to_the_hit_itself(tmp_path: Path) -> None:
    async with opened(SAMPLE, tmp_path / "state") as driver:
        await driver.press("slash", *"wait", "enter")
        node = driver.main.skill_tree.node
        assert node is not None
        assert (node.name, node.skill) == ("team/wait-for-rollout", "team/triage")
        assert driver.main.focused is driver.main.skill_tree


async def test_what_is_typed_before_loading_ends_goes_into_the_filter(tmp_path: Path) -> None:
    app = ExplorerApp(SAMPLE, state=tmp_path / "state")
    async with app.run_test(size=NORMAL) as pilot:
        for key in ("slash", *"change"):  # as a terminal sends them: nobody waits in between
            app.post_message(events.Key(key, "/" if key == "slash" else key))
        driver = Driver(app, pilot)
        await driver.until(lambda: not driver.main.reading)
        await driver.quiet()
        assert driver.main.tree_area.query_one(FilterInput).value == "change"
        assert driver.lines("changelog")


async def test_t_on_a_skill_shows_its_tools_to_choose_from(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("t")
        assert driver.main.detail.tab == "tools"
        assert driver.main.focused is driver.main.query_one(ToolsMatrix).table
        assert "Choose a tool" in driver.screen_text


async def test_p_goes_to_the_problems_and_from_there_closes_them(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    broken = {"skills/c.yaml": skill("local/c", "includes:", "  - local/gone")}
    async with opened(make_workspace(broken), tmp_path / "state") as driver:
        assert "p goes there" in driver.screen_text
        await driver.press("p")
        assert driver.main.problems.problem_list.has_focus
        assert "p closes" in driver.screen_text
        await driver.press("p")
        assert "p opens" in driver.screen_text
        assert driver.main.skill_tree.has_focus


async def test_a_problem_without_a_fix_says_so_and_stands_there_whole(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    missing = "local/a-skill-of-a-very-long-name-that-no-file-of-this-workspace-defines"
    tree = {"skills/s.yaml": skill("local/a-skill-with-a-rather-long-name", "includes:", f"  - {missing}")}
    async with opened(make_workspace(tree), tmp_path / "state", NARROW) as driver:
        await driver.press("p", "f")
        assert "no mechanical fix" in " ".join(driver.screen_text.split())
        driver.app.clear_notifications()
        await driver.quiet()
        found = driver.main.problems.problem_list.found
        assert found is not None
        assert found.message in " ".join(driver.screen_text.split())


async def test_a_server_is_found_before_it_has_told_its_tools(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    text = "name: local/clock\ndescription: D.\nmcp_servers: [{name: time, command: time-server}]\n"
    async with opened(make_workspace({"skills/clock.yaml": text}), tmp_path / "state") as driver:
        await driver.press("slash", *"time", "enter")
        assert driver.lines("time (MCP)")
        subject = driver.main.detail.subject
        assert subject is not None
        assert (str(subject.kind), subject.name, subject.skill) == ("server", "time", "local/clock")
