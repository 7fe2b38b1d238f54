"""Pictures of the screen: each tab and state at the sizes that matter. What it does is asserted elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from app_driver import NARROW, NORMAL, Driver
from textual.pilot import Pilot
from textual.widgets import Input

from explorer.app import ExplorerApp
from explorer.services.settings import Settings

SAMPLE = Path(__file__).parents[2] / "sample_workspace"
BROKEN = SAMPLE / "broken"
LARGE = (200, 60)
SIZES = {"80x24": NARROW, "120x36": NORMAL, "200x60": LARGE}
Compare = Callable[..., bool]

SCENES: dict[str, tuple[Path, str | None, tuple[str, ...]]] = {
    "tree": (SAMPLE, None, ()),
    "overview": (SAMPLE, "local/release-desk", ("enter",)),
    "tool": (SAMPLE, "local/release-desk local/bump-version", ("1",)),
    "source": (BROKEN, "team/routing", ("4",)),
    "problems": (BROKEN, None, ("p",)),
    "cycle": (BROKEN, "team/routing", ("1",)),
    "graph": (SAMPLE, "local/release-desk", ("3",)),
    "tools": (SAMPLE, "local/release-desk", ("2",)),
    "help": (SAMPLE, None, ("question_mark",)),
    "fix": (BROKEN, None, ("f",)),
    "filter": (SAMPLE, None, ("slash", *"git")),
}


@pytest.fixture(autouse=True)
def no_blinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cursor that blinks makes two pictures of one state."""
    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)


def arranged(wanted: str | None, keys: tuple[str, ...]) -> Callable[[Pilot[int]], object]:
    async def arrange(pilot: Pilot[int]) -> None:
        assert isinstance(pilot.app, ExplorerApp)
        driver = Driver(pilot.app, pilot)
        await driver.until(lambda: not driver.main.reading, "the end of loading")
        await driver.until(lambda: driver.watched, "the watch")
        await driver.quiet()
        if wanted:
            skill, _, tool = wanted.partition(" ")
            driver.main.skill_tree.reveal(skill, tool or None)
            await driver.quiet()
        for key in keys:
            await driver.press(key)

    return arrange


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES.keys())
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
def test_the_screen_looks_as_it_did(
    scene: tuple[Path, str | None, tuple[str, ...]], size: tuple[int, int], tmp_path: Path, snap_compare: Compare
) -> None:
    root, wanted, keys = scene
    app = ExplorerApp(root, state=tmp_path / "state")
    assert snap_compare(app, terminal_size=size, run_before=arranged(wanted, keys))


def test_the_light_theme_looks_as_it_did(tmp_path: Path, snap_compare: Compare) -> None:
    app = ExplorerApp(BROKEN, state=tmp_path / "state", settings=Settings(theme="light"))
    assert snap_compare(app, terminal_size=NORMAL, run_before=arranged("team/routing", ("4",)))


def test_without_colour_every_state_is_still_there(
    tmp_path: Path, snap_compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = ExplorerApp(BROKEN, state=tmp_path / "state")
    assert snap_compare(app, terminal_size=NORMAL, run_before=arranged("team/routing", ("1",)))
