"""The screen while things happen: files change, servers are asked, calls are made and remembered."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from app_driver import Driver, opened

from explorer.screens.confirm import ConfirmScreen

SAMPLE = Path(__file__).parents[2] / "sample_workspace"
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
TREE = {"skills/a.yaml": "name: local/a\ndescription: First words.\ntools:\n  - builtin/read_file\n"}


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of the sample workspace, so that no test changes the real one."""
    return Path(shutil.copytree(SAMPLE, tmp_path / "sample"))


async def until_asked(driver: Driver) -> None:
    await driver.until(lambda: isinstance(driver.app.screen, ConfirmScreen), "the approval dialog")
    await driver.pilot.pause()


async def test_a_saved_file_is_shown_without_asking(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    root = make_workspace(TREE)
    async with opened(root, tmp_path / "state") as driver:
        await driver.until(lambda: "watching" in driver.screen_text, "the watch")
        (root / "skills/a.yaml").write_text(TREE["skills/a.yaml"].replace("First", "Other"), encoding="utf-8")
        await driver.until(lambda: "Other words." in driver.screen_text, "the new text")


async def test_a_new_and_a_deleted_file_are_noticed(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    root = make_workspace(TREE)
    async with opened(root, tmp_path / "state") as driver:
        await driver.until(lambda: "watching" in driver.screen_text, "the watch")
        (root / "skills/b.yaml").write_text("name: local/b\ndescription: B.\n", encoding="utf-8")
        await driver.until(lambda: "2 skills" in driver.screen_text, "the new skill")
        (root / "skills/b.yaml").unlink()
        await driver.until(lambda: "1 skill " in driver.screen_text, "the end of it")


async def test_a_folder_that_goes_and_comes_back_is_said_and_read_again(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace(TREE)
    async with opened(root, tmp_path / "state") as driver:
        await driver.until(lambda: "watching" in driver.screen_text, "the watch")
        root.rename(tmp_path / "away")
        await driver.until(lambda: "the folder is gone" in driver.screen_text, "the news")
        assert "First words." in driver.screen_text
        (tmp_path / "away").rename(root)
        await driver.until(lambda: "● watching" in driver.screen_text, "the return")


async def test_cancelling_the_approval_asks_no_server(sample: Path, tmp_path: Path) -> None:
    async with opened(sample, tmp_path / "state") as driver:
        driver.main.skill_tree.reveal("local/notes")
        await driver.quiet()
        await driver.pilot.press("d")
        await until_asked(driver)
        assert driver.app.screen.focused is driver.app.screen.query_one("#cancel")
        assert "esc Close" in driver.screen_text.split("\n")[-1]
        await driver.pilot.press("enter")
        await driver.until(lambda: not driver.main.busy, "the end of asking")
        assert not driver.main.workspace.discovered
        assert driver.lines("not approved")
        assert not driver.lines("discovered.")


async def test_an_approved_server_tells_its_tools(sample: Path, tmp_path: Path) -> None:
    async with opened(sample, tmp_path / "state") as driver:
        driver.main.skill_tree.reveal("local/notes")
        await driver.quiet()
        await driver.pilot.press("d")
        await until_asked(driver)
        await driver.pilot.press("right", "space")
        await driver.until(lambda: bool(driver.main.workspace.discovered), "the tools")
        await driver.until(lambda: not driver.main.busy, "the end of asking")
        await driver.until(lambda: bool(driver.lines("of notes discovered")), "what came of it")
        driver.main.skill_tree.reveal("local/notes", "notes/list_notes")
        await driver.until(lambda: bool(driver.lines("annotated")), "what the server said of its tools")


async def test_enter_never_approves(sample: Path, tmp_path: Path) -> None:
    async with opened(sample, tmp_path / "state") as driver:
        driver.main.skill_tree.reveal("local/notes")
        await driver.quiet()
        await driver.pilot.press("d")
        await until_asked(driver)
        for keys in (("right", "enter"), ("right", "enter")):
            await driver.pilot.press(*keys)
            assert isinstance(driver.app.screen, ConfirmScreen)
        await driver.pilot.press("escape")
        await driver.until(lambda: not driver.main.busy, "the end of asking")


async def test_approving_exactly_this_is_remembered(sample: Path, tmp_path: Path) -> None:
    async with opened(sample, tmp_path / "state") as driver:
        driver.main.skill_tree.reveal("local/notes")
        await driver.quiet()
        await driver.pilot.press("d")
        await until_asked(driver)
        await driver.pilot.press("right", "right", "space")
        await driver.until(lambda: bool(driver.main.workspace.discovered), "the tools")
        await driver.until(lambda: not driver.main.busy, "the end of asking")
        assert driver.main.workspace.approvals.entries()


async def test_escape_stops_asking(sample: Path, tmp_path: Path) -> None:
    async with opened(sample, tmp_path / "state") as driver:
        driver.main.skill_tree.reveal("local/notes")
        await driver.quiet()
        await driver.pilot.press("d")
        await until_asked(driver)
        driver.main.stop_asking()
        await driver.until(lambda: not driver.main.busy, "the end of asking")


async def test_history_lists_earlier_calls_of_the_selected_tool(sample: Path, tmp_path: Path) -> None:
    async with opened(sample, tmp_path / "state") as driver:
        driver.main.workspace.invoke("local/file-ops", "builtin/read_file", {"path": "VERSION"})
        driver.main.workspace.invoke("local/file-ops", "builtin/read_file", {"path": "nowhere"})
        driver.main.skill_tree.reveal("local/file-ops", "builtin/read_file")
        await driver.press("6")
        await driver.until(lambda: bool(driver.lines('{"path": "VERSION"}')), "the calls")
        assert driver.lines("✗")
        await driver.press("enter")
        assert driver.main.detail.tab == "try"


async def test_history_without_calls_says_how_to_make_one(sample: Path, tmp_path: Path) -> None:
    async with opened(sample, tmp_path / "state") as driver:
        await driver.press("6")
        await driver.until(lambda: "No calls yet" in driver.screen_text, "the hint")


def many(count: int = 60) -> dict[str, str]:
    return {f"skills/s{n:02}.yaml": f"name: local/s{n:02}\ndescription: Number {n}.\n" for n in range(count)} | TREE


async def test_a_skill_that_becomes_unreadable_stays_as_it_was_and_is_marked(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace(TREE)
    async with opened(root, tmp_path / "state") as driver:
        await driver.until(lambda: "watching" in driver.screen_text, "the watch")
        driver.main.skill_tree.reveal("local/a")
        await driver.quiet()
        (root / "skills/a.yaml").write_text("name: [local/a\n", encoding="utf-8")
        await driver.until(lambda: "≠ as before" in driver.screen_text, "the mark")
        assert "First words." in driver.screen_text
        assert driver.lines("so this is as it was")
        assert driver.lines("can't be read")
        driver.main.skill_tree.reveal("local/a", "builtin/read_file")
        await driver.quiet()
        assert driver.lines("read_file")
        (root / "skills/a.yaml").write_text(TREE["skills/a.yaml"].replace("First", "Other"), encoding="utf-8")
        await driver.until(lambda: "as before" not in driver.screen_text, "the end of it")


async def test_selection_and_scroll_stay_where_they_are_whatever_happens_to_other_files(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace(many())
    async with opened(root, tmp_path / "state") as driver:
        await driver.until(lambda: "watching" in driver.screen_text, "the watch")
        tree = driver.main.skill_tree
        tree.reveal("local/s40")
        await driver.quiet()
        await driver.pilot.press("up", "up")
        await driver.quiet()
        selected, above = tree.node.key, tree.cursor - tree.scroll_offset.y
        assert selected[-1] == "local/s38"

        async def same(act: Callable[[], object], seen: Callable[[], bool]) -> None:
            act()
            await driver.until(seen, "the news")
            await driver.quiet()
            assert (tree.node.key, tree.cursor - tree.scroll_offset.y) == (selected, above)

        def replaced() -> None:
            (root / "new").write_text(many()["skills/s38.yaml"].replace("Number", "Count"), encoding="utf-8")
            (root / "new").replace(root / "skills/s38.yaml")

        counts = driver.main.workspace
        await same(replaced, lambda: "Count 38." in driver.screen_text)
        await same((root / "skills/s05.yaml").unlink, lambda: counts.counts.skills == 60)
        await same(lambda: (root / "skills/a.yaml").write_text("name: [\n"), lambda: bool(counts.last_good))
        await same(
            lambda: (root / "skills/s06.yaml").rename(root / "skills/zz.yaml"),
            lambda: any(row.place.path == "skills/zz.yaml" for row in counts.catalogue.skills()),
        )
        (root / "skills/more").mkdir()
        await same(
            lambda: (root / "skills/s07.yaml").rename(root / "skills/more/s07.yaml"),
            lambda: any(row.place.path == "skills/more/s07.yaml" for row in counts.catalogue.skills()),
        )
        root.rename(tmp_path / "away")
        await driver.until(lambda: "the folder is gone" in driver.screen_text, "the news")
        await same(lambda: (tmp_path / "away").rename(root), lambda: "● watching" in driver.screen_text)
