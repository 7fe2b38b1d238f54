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
