"""A long first load: rows come while files are read, keys work meanwhile, escape stops it and r goes on."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from app_driver import NORMAL, Driver

from explorer.app import ExplorerApp
from explorer.services.loader import Loader
from explorer.services.session import Session, session_file, write_session

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
PATIENCE_S = 30
SKILLS = 170
"""Progress is told, and whether to stop is asked, every fifty files."""


class Held:
    """A clock that lets the load tell of progress each time, and stand still once a hundred files are read."""

    def __init__(self) -> None:
        self.asked, self.reached, self.go_on = 0, threading.Event(), threading.Event()

    def __call__(self) -> float:
        self.asked += 1
        if self.asked == 4:
            self.reached.set()
            self.go_on.wait(PATIENCE_S)
        return float(self.asked)


@pytest.fixture
def many(make_workspace: MakeWorkspace) -> Path:
    """Skills in two namespaces, each of which includes one that is read last."""
    tree = {
        f"skills/{n:03}.yaml": f"name: {'ab'[n % 2]}/s{n:03}\ndescription: Number {n}.\nincludes:\n  - a/last\n"
        for n in range(SKILLS)
    }
    actor = "name: a/bot\nskills: [a/last]\n"
    last = "name: a/last\ndescription: The last one.\n"
    return make_workspace({**tree, "skills/zzz.yaml": last, "zz/bot.yaml": actor})


@asynccontextmanager
async def half_read(root: Path, state: Path) -> AsyncIterator[tuple[Driver, Held]]:
    """Open ``root`` and wait until the load stands still, its first rows on the screen."""
    app, held = ExplorerApp(root, state=state), Held()
    app.loader.clock = held
    try:
        async with app.run_test(size=NORMAL, notifications=True) as pilot:
            driver = Driver(app, pilot)
            await driver.until(held.reached.is_set, "a hundred files")
            await driver.until(lambda: "50 of 172 files" in driver.screen_text, "the progress")
            await driver.pilot.pause()
            yield driver, held
    finally:
        held.go_on.set()


async def until_read(driver: Driver) -> None:
    await driver.until(lambda: not driver.main.reading, "the end of loading")
    await driver.quiet()


async def test_rows_come_while_files_are_read_and_keys_work_among_them(many: Path, tmp_path: Path) -> None:
    async with half_read(many, tmp_path / "state") as (driver, held):
        assert driver.lines("Loading …")
        assert driver.lines("s048")
        assert not driver.lines("s050")
        assert "esc stops" in driver.screen_text
        assert not driver.lines("no such skill")
        await driver.pilot.press("down", "down")
        assert driver.main.skill_tree.node.name == "a/s004"
        await driver.pilot.press("slash", *"s049")
        assert driver.lines("b/s049")
        await driver.pilot.press("escape")
        held.go_on.set()
        await until_read(driver)
        assert "171 skills" in driver.screen_text
        assert driver.main.skill_tree.node.name == driver.main.detail.subject.name == "b/s049"


async def test_a_load_that_nobody_touched_ends_where_a_short_one_begins(many: Path, tmp_path: Path) -> None:
    async with half_read(many, tmp_path / "state") as (driver, held):
        held.go_on.set()
        await until_read(driver)
        assert driver.main.skill_tree.node.name == "a/last"
        assert driver.lines("Actors")


async def test_the_row_of_the_last_time_is_found_again_though_it_is_read_late(many: Path, tmp_path: Path) -> None:
    key = ("namespace", "a", "skill", "a/s168")
    write_session(session_file(tmp_path / "state", many), Session({("namespace", "a")}, key))
    async with half_read(many, tmp_path / "state") as (driver, held):
        held.go_on.set()
        await until_read(driver)
        assert driver.main.skill_tree.node.key == key
        assert driver.main.session.opened == {("namespace", "a")}


async def test_escape_stops_what_was_read_stays_usable_and_r_goes_on(many: Path, tmp_path: Path) -> None:
    async with half_read(many, tmp_path / "state") as (driver, held):
        await driver.pilot.press("escape")
        held.go_on.set()
        await until_read(driver)
        assert "stopped: 150 of 172 files read" in driver.screen_text
        assert "r goes on" in driver.screen_text
        assert driver.lines("Number")
        assert not driver.main.findings.problems
        driver.main.skill_tree.state.opened.add((*driver.main.skill_tree.node.key, "branch", "includes"))
        await driver.press("right")
        assert driver.lines("not read yet")
        assert not driver.lines("no such skill")
        before = driver.main.skill_tree.node.key
        await driver.press("r")
        await until_read(driver)
        assert "171 skills" in driver.screen_text
        assert not driver.lines("not read yet")
        assert driver.main.skill_tree.node.key == before
        assert len(driver.main.workspace.files_read) == SKILLS + 2 - 150


async def test_a_stopped_reload_leaves_what_was_there(many: Path, tmp_path: Path) -> None:
    async with half_read(many, tmp_path / "state") as (driver, held):
        held.go_on.set()
        await until_read(driver)
        catalogue = driver.main.workspace.catalogue
        driver.main.load()
        driver.main.stop_load()
        await until_read(driver)
        assert driver.main.workspace.catalogue is catalogue
        assert "171 skills" in driver.screen_text
        assert driver.lines("what was read before")


def test_news_of_servers_that_overtake_each_other_are_told_in_their_order(
    make_workspace: MakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    loader = Loader(make_workspace({"notes.txt": "x"}), tmp_path / "state", told.append)
    loader.run(threading.Event())
    told.clear()
    slow, go_on, tools = threading.Event(), threading.Event(), ["old"]

    def looks(*_: object) -> str:
        seen = tools[-1]
        if seen == "old":
            slow.set()
            assert go_on.wait(PATIENCE_S)
        return seen

    monkeypatch.setattr("explorer.services.loader._news", looks)
    first, second = (threading.Thread(target=loader.renew) for _ in range(2))
    first.start()
    assert slow.wait(PATIENCE_S)
    tools.append("new")
    second.start()
    second.join(0.1)
    go_on.set()
    for thread in (first, second):
        thread.join(PATIENCE_S)
    assert told == ["old", "new"]
