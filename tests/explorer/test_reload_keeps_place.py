"""Files change under the screen, and nothing jumps: each pane keeps its tab, cursor, scroll, folds and filter."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from app_driver import Driver, opened

from explorer.widgets.graph_canvas import GraphCanvas
from explorer.widgets.json_editor import JsonEditor
from explorer.widgets.row_list import RowList
from explorer.widgets.tools_matrix import ToolsMatrix

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
Look = Callable[[Driver], object]
PATH = "skills/m.yaml"
BEFORE = "What it was."


def skill(name: str, *more: str, description: str = "D.") -> str:
    return "\n".join([f"name: {name}", f"description: {description}", *more, ""])


TREE = {
    **{f"skills/a{n:02}.yaml": skill(f"a/s{n:02}", "includes:", "  - a/gone") for n in range(40)},
    PATH: skill(
        "m/middle",
        "includes:",
        *[f"  - a/s{n:02}" for n in range(30)],
        "builtin_groups:",
        "  - file_operations",
        "  - git_operations",
        *[f"# line {n}" for n in range(60)],
        description=BEFORE,
    ),
    "skills/z.yaml": skill("z/user", "includes:", "  - m/middle"),
}


async def at_middle(driver: Driver, tab: str) -> None:
    driver.main.skill_tree.reveal("m/middle", "builtin/read_file" if tab == "try" else None)
    await driver.quiet()
    await driver.main.detail.switch(tab)
    await driver.quiet()
    driver.main.detail.focus_pane()
    await driver.quiet()


def rows(driver: Driver) -> list[tuple[int, int]]:
    return [(r.cursor, r.scroll_offset.y) for r in driver.main.detail.query(RowList) if r.display]


async def in_tree(driver: Driver) -> None:
    driver.main.skill_tree.reveal("m/middle")
    driver.main.skill_tree.focus()
    await driver.press("right", "down", "right", "down", "down")


async def in_filter(driver: Driver) -> None:
    await driver.press("slash", *"s1", "enter", "down", "down")


async def in_overview(driver: Driver) -> None:
    await at_middle(driver, "overview")
    await driver.press("pagedown")


async def in_tools(driver: Driver) -> None:
    await at_middle(driver, "tools")
    driver.main.query_one(ToolsMatrix).filter.value = "git"
    await driver.press("down", "right", "s")


async def in_graph(driver: Driver) -> None:
    await at_middle(driver, "graph")
    await driver.press("right", "down")


async def in_source(driver: Driver) -> None:
    await at_middle(driver, "source")
    await driver.press("pagedown", "down", "right")


async def in_try(driver: Driver) -> None:
    await at_middle(driver, "try")
    await driver.press(*"notes")


async def in_problems(driver: Driver) -> None:
    driver.main.problems.open(True)
    driver.main.problems.problem_list.focus()
    await driver.press(*["down"] * 12)


def tree_looks(driver: Driver) -> object:
    tree = driver.main.skill_tree
    assert tree.node is not None
    return tree.node.key, tree.cursor - tree.scroll_offset.y, set(driver.main.session.opened), tree._query


def tools_look(driver: Driver) -> object:
    pane = driver.main.query_one(ToolsMatrix)
    assert pane.table.record is not None
    return pane.filter.value, pane.table.record.name, pane.table.column, pane.table.matrix.sort_by, rows(driver)


def graph_looks(driver: Driver) -> object:
    canvas = driver.main.query_one(GraphCanvas)
    return canvas.selected, canvas.scroll_offset


def try_looks(driver: Driver) -> object:
    return driver.main.query_one(JsonEditor).area.text


def problems_look(driver: Driver) -> object:
    problems = driver.main.problems.problem_list
    assert problems.found is not None
    return problems.found.place.path, problems.scroll_offset.y


PLACES: dict[str, tuple[Callable[[Driver], Awaitable[None]], Look]] = {
    "tree": (in_tree, tree_looks),
    "filter": (in_filter, tree_looks),
    "overview": (in_overview, rows),
    "tools": (in_tools, tools_look),
    "graph": (in_graph, graph_looks),
    "source": (in_source, rows),
    "try": (in_try, try_looks),
    "problems": (in_problems, problems_look),
}


@pytest.mark.parametrize(("arrange", "look"), PLACES.values(), ids=PLACES)
async def test_a_saved_file_moves_nothing_under_the_cursor(
    arrange: Callable[[Driver], Awaitable[None]], look: Look, make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace(TREE)
    async with opened(root, tmp_path / "state") as driver:
        await driver.until(lambda: driver.watched, "the watch")
        await arrange(driver)
        before = look(driver), driver.main.detail.tab, driver.main.focused, driver.main.detail.subject
        assert before[0] not in ("", [], [(0, 0)])
        findings = driver.main.findings
        (root / PATH).write_text(TREE[PATH].replace(BEFORE, "What it is now."), encoding="utf-8")
        (root / "skills/a00.yaml").write_text(TREE["skills/a00.yaml"].replace("D.", "Other."), encoding="utf-8")
        await driver.until(lambda: driver.main.findings is not findings and not driver.main.reading, "the news")
        await driver.quiet()
        row = driver.main.workspace.catalogue.skill("m/middle")  # type: ignore[union-attr]
        assert row is not None
        assert row.description == "What it is now."
        assert (look(driver), driver.main.detail.tab, driver.main.focused, driver.main.detail.subject) == before


def small(first: str) -> dict[str, str]:
    tools = "builtin_groups: [file_operations]"
    return {"skills/a.yaml": skill("a/alone"), "skills/m.yaml": skill(first, tools), "skills/z.yaml": skill("m/z")}


async def rewritten(driver: Driver, path: Path, text: str | None) -> None:
    path.unlink() if text is None else path.write_text(text)
    await driver.press("r")


@pytest.mark.parametrize("tab", ["overview", "tools", "graph", "source", "try", "history"])
async def test_the_selection_follows_a_file_that_names_its_skill_otherwise(
    tab: str, make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace(small("m/old"))
    async with opened(root, tmp_path / "state") as driver:
        driver.main.skill_tree.reveal("m/old", "builtin/read_file" if tab == "try" else None)
        await driver.quiet()
        await driver.main.detail.switch(tab)
        await driver.quiet()
        await rewritten(driver, root / "skills/m.yaml", small("n/new")["skills/m.yaml"])
        node, subject = driver.main.skill_tree.node, driver.main.detail.subject
        assert node is not None
        assert node.skill == "n/new"
        assert subject is not None
        assert (subject.skill, subject.tool) == ("n/new", "builtin/read_file" if tab == "try" else None)
        assert driver.main.detail.here() is not None


async def test_a_row_that_is_gone_hands_the_cursor_to_what_it_stood_in(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace(small("m/old"))
    async with opened(root, tmp_path / "state") as driver:
        tree = driver.main.skill_tree
        tree.reveal("m/old", "builtin/read_file")
        await driver.quiet()
        assert tree.node is not None
        assert tree.node.name == "builtin/read_file"
        await rewritten(driver, root / "skills/m.yaml", skill("m/old"))
        assert tree.node.name == "m/old"
        await rewritten(driver, root / "skills/m.yaml", None)
        assert (str(tree.node.kind), tree.node.name) == ("namespace", "m")
        await rewritten(driver, root / "skills/z.yaml", None)
        assert (str(tree.node.kind), tree.node.name) == ("namespace", "a")
