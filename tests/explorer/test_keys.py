"""Every key that is advertised somewhere does something there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from app_driver import NARROW, NORMAL, Driver, opened
from textual.widgets import Input
from visits import several_servers

from explorer.screens.confirm import ConfirmScreen
from explorer.services.active_keys import possible_keys
from explorer.services.settings import Settings
from explorer.widgets.approval_list import ApprovalList
from explorer.widgets.detail import TABS
from explorer.widgets.graph_canvas import GraphCanvas
from explorer.widgets.key_bar import KeyBar
from explorer.widgets.matrix_table import MatrixTable
from explorer.widgets.row_list import RowList

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
Arrange = Callable[[Driver], Awaitable[None]]
ENDING = {"quit", "force-quit"}


def skill(name: str, *more: str) -> str:
    return "\n".join([f"name: {name}", f"description: What {name} does.", *more, ""])


LONG = "# " + " ".join(["a long comment"] * 40)
TREE = {
    "skills/a.yaml": skill(
        "local/a", "includes:", "  - local/b", "  - team/e", "builtin_groups:", "  - git_operations", LONG
    ),
    "skills/b.yaml": skill("local/b", "builtin_groups:", "  - file_operations", *[f"# {n}" for n in range(60)]),
    "skills/c.yaml": skill("local/c", "includes:", "  - local/aa"),
    "skills/f.yaml": "name: local/f\ndescription: Use when: a colon stands in the text\n",
    "skills/d.yaml": skill("team/d", "includes:", "  - team/lost"),
    "skills/e.yaml": skill("team/e", "tools:", "  - builtin/read_file"),
    "skills/g.yaml": skill("graph/root", "includes:", "  - graph/m1", "  - graph/m2", "  - graph/m3"),
    **{f"skills/m{n}.yaml": skill(f"graph/m{n}", "includes:", f"  - graph/leaf{n}") for n in (1, 2, 3)},
    **{f"skills/leaf{n}.yaml": skill(f"graph/leaf{n}") for n in (1, 2, 3)},
    **{f"skills/r{n}.yaml": skill(f"ring/{n}", "includes:", f"  - ring/{m}") for n, m in ("ab", "bc", "ca")},
    "skills/ru.yaml": skill("ring/user", "includes:", "  - ring/a"),
    "agent/SKILL.md": "---\nname: agent\ndescription: Does it.\n---\n# Title\n\n1. One\n",
    **{f"skills/z{n}.yaml": skill(f"zz/s{n}") for n in range(60)},
}


async def overview(driver: Driver) -> None:
    if driver.main.detail.tab != "overview":
        await driver.main.detail.switch("overview")


async def in_tree(driver: Driver) -> None:
    await overview(driver)
    driver.main.skill_tree.state.opened.add(("namespace", "local"))
    driver.main.skill_tree.reveal("local/b")
    driver.main.skill_tree.focus()
    await driver.quiet()


async def in_tree_at_a_tool(driver: Driver) -> None:
    await overview(driver)
    driver.main.skill_tree.reveal("local/a", "builtin/git_log")
    driver.main.skill_tree.focus()
    await driver.quiet()


async def in_overview(driver: Driver) -> None:
    driver.main.skill_tree.reveal("local/a")
    await driver.quiet()
    await driver.main.detail.switch("overview")
    driver.main.detail.focus_pane()
    await driver.quiet()
    await driver.press("home", "down")


async def in_source(driver: Driver) -> None:
    driver.main.skill_tree.reveal("local/a")
    await driver.quiet()
    await driver.main.detail.switch("source")
    driver.main.detail.focus_pane()
    await driver.quiet()
    await driver.press("right")
    driver.main.detail.source.cursor = 3


async def in_skill_md(driver: Driver) -> None:
    await driver.main.detail.show_place("agent/SKILL.md", 2, 1)
    driver.main.detail.focus_pane()
    await driver.quiet()


async def in_matrix(driver: Driver) -> None:
    driver.main.skill_tree.reveal("local/a")
    await driver.quiet()
    await driver.main.detail.switch("tools")
    await driver.quiet()
    driver.main.detail.focus_pane()
    table = driver.main.query_one(MatrixTable)
    table.cursor, table.column = 3, 2
    await driver.quiet()


async def in_graph(driver: Driver) -> None:
    driver.main.skill_tree.reveal("graph/root")
    await driver.quiet()
    await driver.main.detail.switch("graph")
    await driver.quiet()
    driver.main.detail.focus_pane()
    driver.main.query_one(GraphCanvas).selected = "graph/m2"
    await driver.quiet()


async def in_cycles(driver: Driver) -> None:
    driver.main.skill_tree.reveal("ring/a")
    await driver.quiet()
    await driver.main.detail.show_cycles()
    await driver.quiet()
    await driver.press("home", "down")


async def in_history(driver: Driver) -> None:
    assert driver.main.workspace is not None
    if not driver.main.workspace.history.calls():
        for path in ("skills/a.yaml", "skills/b.yaml", "skills/c.yaml"):
            driver.main.workspace.invoke("local/b", "builtin/read_file", {"path": path})
    driver.main.skill_tree.reveal("local/b")
    await driver.quiet()
    await driver.main.detail.switch("history")
    await driver.quiet()
    driver.main.detail.focus_pane()
    await driver.press("home", "down")


async def in_problems(driver: Driver) -> None:
    await overview(driver)
    driver.main.problems.open(True)
    driver.main.problems.problem_list.cursor = 0
    driver.main.problems.problem_list.focus()
    await driver.quiet()
    driver.main.problems.problem_list.cursor = 1
    await driver.quiet()


async def in_filter(driver: Driver) -> None:
    await overview(driver)
    driver.main.tree_area.start_filter()
    await driver.press("a")


async def in_help(driver: Driver) -> None:
    await in_tree(driver)
    await driver.press("f1", "down", "down")


async def in_why(driver: Driver) -> None:
    await in_tree_at_a_tool(driver)
    await driver.press("w")


async def in_fix(driver: Driver) -> None:
    await in_tree(driver)
    problems = driver.main.problems.problem_list
    problems.cursor = next(i for i in range(problems.row_count()) if problems.problem(i).fix)
    await driver.press("f")


async def in_approvals(driver: Driver) -> None:
    identities = several_servers()
    await driver.app.push_screen(ConfirmScreen((*identities, replace(identities[0], digest="5" * 64))))
    await driver.quiet()
    await driver.press("left", "down")


async def in_the_list_of_approvals(driver: Driver) -> None:
    workspace = driver.main.workspace
    assert workspace is not None
    identities = several_servers()
    workspace.record_approvals((*identities, replace(identities[0], digest="5" * 64)))
    await in_tree(driver)
    await driver.press("A")
    rows = driver.app.screen.query_one(ApprovalList)
    await driver.until(lambda: rows.approvals is not None, "what is approved")
    rows.cursor = 1
    await driver.quiet()


PLACES: dict[str, Arrange] = {
    "tree": in_tree,
    "tool in the tree": in_tree_at_a_tool,
    "overview": in_overview,
    "source": in_source,
    "SKILL.md": in_skill_md,
    "tools": in_matrix,
    "graph": in_graph,
    "cycles": in_cycles,
    "history": in_history,
    "problems": in_problems,
    "filter": in_filter,
    "help": in_help,
    "why": in_why,
    "fix": in_fix,
    "approvals": in_approvals,
    "list of approvals": in_the_list_of_approvals,
}


def looks(driver: Driver) -> tuple[object, ...]:
    """Return all that a key could change."""
    app = driver.app
    return (
        [(segment.text, str(segment.style)) for strip in driver.strips for segment in strip],
        type(app.screen),
        app.screen.focused,
        app.clipboard,
        app.theme,
        len(app._notifications),
        id(driver.main.findings),
        [(rows.cursor, rows.scroll_offset) for screen in app.screen_stack for rows in screen.query(RowList)],
    )


async def start_again(driver: Driver, arrange: Arrange) -> None:
    while len(driver.app.screen_stack) > 1:
        driver.app.pop_screen()
        await driver.pilot.pause()
    driver.main.tree_area.clear_filter()
    driver.app.clear_notifications()
    driver.app._clipboard = ""
    await driver.pilot.pause()
    await arrange(driver)


@pytest.mark.parametrize("arrange", PLACES.values(), ids=PLACES.keys())
async def test_every_advertised_key_does_something_where_it_is_advertised(
    arrange: Arrange, make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", NORMAL) as driver:
        await start_again(driver, arrange)
        offered = possible_keys(driver.app.screen)
        shown_already = f"show-tab-{[tab.id for tab in TABS].index(driver.main.detail.tab) + 1}"
        idle = []
        for name, keys in offered.items():
            if name in ENDING or name == shown_already:
                continue
            for key in keys:
                await start_again(driver, arrange)
                before = looks(driver)
                await driver.press(key)
                if looks(driver) == before:
                    idle.append((name, key))
        assert offered
        assert not idle, str(idle)


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_the_keys_that_quit_do(key: str, make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.pilot.press(key)
        await driver.until(lambda: driver.app._exit, "the end")


async def test_a_letter_that_would_only_be_typed_is_not_advertised(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await in_filter(driver)
        hints = driver.app.screen.query_one(KeyBar).hints()
        assert [hint.key for hint in hints if len(hint.key) == 1 or hint.key == "slash"] == []


async def test_a_remapped_key_works_and_is_the_one_that_is_shown(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    settings = Settings(keys={"show-problems": "f9", "refresh": "f5"})
    async with opened(make_workspace(TREE), tmp_path / "state", NORMAL, settings) as driver:
        assert driver.lines("f9 Problems")
        rows = driver.main.problems.problem_list
        await driver.press("p")
        assert not rows.has_focus
        await driver.press("f9")
        assert rows.has_focus


async def test_the_footer_shows_only_what_is_possible(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        assert "w Why" not in driver.screen_text
        await in_tree_at_a_tool(driver)
        assert driver.lines("w Why")


async def test_where_letters_are_typed_the_way_back_is_shown(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", NARROW) as driver:
        await in_tree_at_a_tool(driver)
        assert not driver.lines("esc Back")
        await driver.press("t")
        await driver.until(lambda: isinstance(driver.app.screen.focused, Input), "a text field")
        assert driver.lines("esc Back")
        await driver.press("escape")
        assert driver.main.skill_tree.has_focus


async def test_a_click_on_the_footer_runs_the_command(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        bar = driver.app.screen.query_one(KeyBar)
        start = bar.render().plain.index("? Help")
        await driver.pilot.click(bar, offset=(start + 1, 0))
        await driver.until(lambda: len(driver.app.screen_stack) == 2, "help")
