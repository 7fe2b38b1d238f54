"""Everything that looks as if it could be clicked does what it says when it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from app_driver import NORMAL, Driver, opened
from textual.widget import Widget

from explorer.services.settings import Settings
from explorer.widgets.detail import TABS

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
TREE = {
    "skills/a.yaml": "name: local/a\ndescription: Uses the others.\nincludes:\n  - local/b\n  - local/gone\n",
    "skills/b.yaml": "name: local/b\ndescription: Reads and writes.\nbuiltin_groups:\n  - file_operations\n",
}


async def click_on(driver: Driver, text: str, widget: Widget, times: int = 1) -> None:
    """Click on the first place within ``widget`` that shows ``text``."""
    region = widget.region
    for y, line in enumerate(driver.screen_text.split("\n")[region.y : region.bottom]):
        x = line[region.x :].find(text)
        if x >= 0:
            await driver.pilot.click(widget, offset=(x, y), times=times)
            await driver.quiet()
            return
    raise AssertionError(f"{text} is not in {widget}")


async def test_every_tab_opens_with_a_click(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", NORMAL) as driver:
        for tab in reversed(TABS):
            await click_on(driver, tab.title, driver.main.query_one("TabStrip"))
            assert driver.main.detail.tab == tab.id


async def test_the_words_of_the_tree_heading_filter_and_show_all_again(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", NORMAL) as driver:
        await click_on(driver, "/ filter", driver.main.query_one("TreeTitle"))
        assert driver.main.tree_area.filtering
        await click_on(driver, "esc shows all", driver.main.query_one("TreeTitle"))
        assert not driver.main.tree_area.filtering


async def test_a_link_of_a_page_is_followed_by_one_click(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", NORMAL) as driver:
        await driver.press("1")
        await click_on(driver, "local/b", driver.main.detail.pane)
        assert driver.main.detail.subject is not None
        assert driver.main.detail.subject.name == "local/b"


async def test_a_problem_opens_its_place_with_two_clicks(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", NORMAL) as driver:
        await click_on(driver, "skills/a.yaml", driver.main.problems.problem_list, times=2)
        assert driver.main.detail.here() == ("skills/a.yaml", 5)


async def test_titles_of_the_matrix_sort_and_its_cells_are_selected(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", NORMAL) as driver:
        driver.main.skill_tree.reveal("local/b")
        await driver.quiet()
        await driver.press("2")
        await click_on(driver, "writes", driver.main.query_one("MatrixTitles"))
        assert driver.lines("writes▲")
        await click_on(driver, "yes", driver.main.query_one("MatrixTable"))
        assert driver.lines("writes         yes  declared, built in")


async def test_a_skill_of_the_graph_is_selected_by_one_click_and_opened_by_two(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", NORMAL) as driver:
        await driver.press("3")
        canvas = driver.main.query_one("GraphCanvas")
        await click_on(driver, "local/b", canvas)
        assert canvas.selected == "local/b"  # type: ignore[attr-defined]
        await click_on(driver, "local/b", canvas, times=2)
        assert driver.main.detail.subject is not None
        assert driver.main.detail.subject.name == "local/b"


async def test_hints_name_the_key_that_the_user_has_chosen(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    settings = Settings(keys={"show-problems": "f9", "filter": "f3"})
    async with opened(make_workspace(TREE), tmp_path / "state", NORMAL, settings) as driver:
        assert driver.lines("f9 goes there")
        assert driver.lines("f3 filter")
