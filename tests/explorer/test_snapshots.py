"""Pictures of the screen: each tab and state at the sizes that matter. What it does is asserted elsewhere.

One visit takes many pictures, each compared with the stored one of its name.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import pytest
from app_driver import NARROW, NORMAL, Driver, opened
from pictures import PictureExtension, picture
from syrupy.assertion import SnapshotAssertion
from textual.widgets import Input
from visits import (
    BROKEN,
    BROKEN_STATES,
    EMPTY_STATES,
    NORMAL_STATES,
    ODD,
    ODD_STATES,
    SAMPLE,
    Stop,
    several_servers,
    stuck_loader,
)

from core.registry.approvals import Approvals
from explorer.app import ExplorerApp
from explorer.screens.confirm import ConfirmScreen
from explorer.services.settings import Settings

__all__ = ["stuck_loader"]
LARGE = (200, 60)
SIZES = {"80x24": NARROW, "120x36": NORMAL, "200x60": LARGE}
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
at_each_size = pytest.mark.parametrize("size", SIZES.values(), ids=SIZES.keys())


@pytest.fixture(autouse=True)
def no_blinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cursor that blinks makes two pictures of one state."""
    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)


class Album:
    """Compares pictures with those of earlier runs, and keeps on to the last before it complains."""

    def __init__(self, snapshot: SnapshotAssertion, folder: Path) -> None:
        self._snapshot = snapshot.use_extension(PictureExtension)
        self._folder = folder
        self.different: list[str] = []

    async def compare(self, driver: Driver, name: str) -> None:
        """Wait a while for the screen to look as it did; else keep how it looks."""
        for _ in range(20):
            if self._snapshot(name=name) == picture(driver.strips):
                return
            await driver.pilot.pause(0.1)
        self._folder.mkdir(exist_ok=True)
        file = self._folder / f"{name}.svg"
        file.write_text(driver.app.export_screenshot(title=name), encoding="utf-8")
        self.different.append(str(file))


@pytest.fixture
def album(snapshot: SnapshotAssertion, tmp_path: Path) -> Album:
    return Album(snapshot, tmp_path / "new")


async def visit(
    album: Album,
    root: Path,
    state: Path,
    size: tuple[int, int],
    stops: Sequence[Stop],
    settings: Settings | None = None,
) -> None:
    """Take the picture of each stop; the failure names the files of those that differ."""
    async with opened(root, state, size, settings) as driver:
        await driver.until(lambda: driver.watched, "the watch")
        for stop in stops:
            await stop.reach(driver)
            await album.compare(driver, stop.name)
    assert not album.different


@at_each_size
async def test_a_sound_workspace_looks_as_it_did(size: tuple[int, int], tmp_path: Path, album: Album) -> None:
    await visit(album, SAMPLE, tmp_path / "state", size, NORMAL_STATES)


@at_each_size
async def test_a_broken_workspace_looks_as_it_did(size: tuple[int, int], tmp_path: Path, album: Album) -> None:
    await visit(album, BROKEN, tmp_path / "state", size, BROKEN_STATES)


@at_each_size
async def test_an_empty_folder_looks_as_it_did(
    size: tuple[int, int], tmp_path: Path, make_workspace: MakeWorkspace, album: Album
) -> None:
    await visit(album, make_workspace({"notes.txt": "x"}), tmp_path / "state", size, EMPTY_STATES)


@at_each_size
async def test_long_names_and_wide_characters_look_as_they_did(
    size: tuple[int, int], tmp_path: Path, make_workspace: MakeWorkspace, album: Album
) -> None:
    await visit(album, make_workspace(ODD), tmp_path / "state", size, ODD_STATES)


@at_each_size
async def test_the_dialog_for_several_approvals_looks_as_it_did(
    size: tuple[int, int], tmp_path: Path, make_workspace: MakeWorkspace, album: Album
) -> None:
    async with opened(make_workspace({"notes.txt": "x"}), tmp_path / "state", size) as driver:
        await driver.until(lambda: driver.watched, "the watch")
        driver.app.push_screen(ConfirmScreen(several_servers()))
        await driver.quiet()
        await album.compare(driver, "asked")
        await driver.press("end", "left", "home", "down", "space")
        await album.compare(driver, "one left out")
    assert not album.different


@at_each_size
async def test_the_approvals_look_as_they_did(
    size: tuple[int, int], tmp_path: Path, make_workspace: MakeWorkspace, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(make_workspace({"notes.txt": "x"}), tmp_path / "state", size) as driver:
        await driver.until(lambda: driver.watched, "the watch")
        await driver.press("A")
        await album.compare(driver, "nothing approved")
        assert driver.main.workspace is not None
        kept = Approvals(tmp_path / "state", driver.main.workspace.root, clock=lambda: datetime(2026, 11, 30, 20, 41))
        kept.record(several_servers())
        monkeypatch.setattr(driver.main.workspace, "running", lambda: frozenset({"3" * 64}))
        await driver.until(
            lambda: bool(driver.lines("● runs")) and bool(driver.lines("Revoke")), "what is approved, and its keys"
        )
        await driver.quiet()
        await album.compare(driver, "approvals")
        for name, key in (("an approval", "enter"), ("taking all back", "R")):
            await driver.press(key)
            await album.compare(driver, name)
            await driver.press("escape")
    assert not album.different


@at_each_size
async def test_loading_looks_as_it_did(
    size: tuple[int, int], tmp_path: Path, stuck_loader: threading.Event, album: Album
) -> None:
    app = ExplorerApp(SAMPLE, state=tmp_path / "state")
    async with app.run_test(size=size) as pilot:
        driver = Driver(app, pilot)
        await driver.until(lambda: "2,150 of 10,000 files" in driver.screen_text, "the progress")
        await album.compare(driver, "loading")
    assert not album.different


async def test_the_light_theme_looks_as_it_did(tmp_path: Path, album: Album) -> None:
    await visit(album, BROKEN, tmp_path / "state", NORMAL, BROKEN_STATES, Settings(theme="light"))


async def test_without_colour_every_state_is_still_there(
    tmp_path: Path, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    await visit(album, BROKEN, tmp_path / "state", NORMAL, BROKEN_STATES)


@at_each_size
async def test_a_skill_whose_file_broke_looks_as_it_did(
    size: tuple[int, int], tmp_path: Path, make_workspace: MakeWorkspace, album: Album
) -> None:
    sound = "name: local/desk\ndescription: Reads and writes.\nbuiltin_groups: [file_operations]\n"
    root = make_workspace({"skills/desk.yaml": sound})
    async with opened(root, tmp_path / "state", size) as driver:
        await driver.until(lambda: driver.watched, "the watch")
        await driver.press("1")
        (root / "skills/desk.yaml").write_text('name: local/desk\ndescription: "open\n', encoding="utf-8")
        await driver.press("r")
        await driver.until(lambda: driver.main.findings.totals["error"] > 0 and not driver.main.reading, "the fault")
        for name, key in (("stale overview", "1"), ("stale tools", "2")):
            await Stop(name, (key,)).reach(driver)
            await album.compare(driver, name)
    assert not album.different
