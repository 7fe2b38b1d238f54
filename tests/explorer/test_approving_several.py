"""One dialog for all that an action needs approved: shown whole, left out one by one, and exactly that is started."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from app_driver import NARROW, Driver, opened
from textual.widgets import Button

from core.workspace import Workspace
from explorer.screens.confirm import ConfirmScreen

DESK = Path(__file__).parents[1] / "core/workspace/servers/desk.py"
TALL = (140, 90)
NAMES = ("east", "north", "west")


class Desks:
    """A workspace with a skill that has several servers, whose program lies in it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.state = folder / "desks", folder / "state"
        self._starts = folder
        (self.root / "skills").mkdir(parents=True)
        self.program = Path(shutil.copy(DESK, self.root / "desk.py"))
        listing = folder / "listing.json"
        listing.write_text(json.dumps({"look": {"annotations": {"readOnlyHint": True}}}), "utf-8")
        servers = [self._server(name, LISTING=str(listing), STARTS=str(folder / name)) for name in NAMES]
        skill = {"name": "local/desks", "description": "Desks.", "mcp_servers": servers}
        (self.root / "skills/desks.yaml").write_text(json.dumps(skill, indent=1), "utf-8")

    def _server(self, name: str, **env: str) -> dict[str, Any]:
        command = {"command": sys.executable, "args": [str(self.program), f"--{name}", "\x1b[31mred"]}
        return {"name": name, **command, "env": env, "legacy": True}

    @property
    def started(self) -> set[str]:
        """The servers that were ever started."""
        return {name for name in NAMES if (self._starts / name).exists()}


@pytest.fixture
def desks(tmp_path: Path) -> Desks:
    return Desks(tmp_path)


def dialog(driver: Driver) -> ConfirmScreen:
    screen = driver.app.screen
    assert isinstance(screen, ConfirmScreen)
    return screen


async def ask(driver: Driver) -> None:
    driver.main.skill_tree.reveal("local/desks")
    await driver.quiet()
    await driver.pilot.press("d")
    await asked(driver)


async def asked(driver: Driver) -> None:
    await driver.until(lambda: isinstance(driver.app.screen, ConfirmScreen), "the dialog")
    await driver.until(lambda: dialog(driver).page.row_count() > 0, "its text")
    await driver.pilot.pause()


async def ended(driver: Driver) -> None:
    await driver.until(lambda: not driver.main.busy, "the end of asking")


def titles(driver: Driver) -> list[str]:
    """Return the servers whose approval is kept."""
    assert driver.main.workspace is not None
    return sorted(approval.title.split()[-1] for approval in driver.main.workspace.approvals.entries())


async def test_one_dialog_shows_everything_of_all_servers_and_approves_them_at_once(desks: Desks) -> None:
    async with opened(desks.root, desks.state, TALL) as driver:
        await ask(driver)
        assert driver.lines("These 3 would run")
        await driver.pilot.press("end")
        text = "\n".join(line.content.plain for line in dialog(driver).page._lines)
        for at, name in enumerate(NAMES, 1):
            assert f"[x] {at} of 3" in text
            assert f"--{name}" in text
        assert text.count("␛[31mred") == text.count("LISTING") == text.count("digest") == 3
        assert dialog(driver).focused is dialog(driver).query_one("#cancel")
        assert desks.started == set()
        assert driver.lines("Approve these 3 as they are now")
        await driver.pilot.press("right", "right", "space")
        await ended(driver)
        assert desks.started == set(NAMES)
        assert titles(driver) == sorted(NAMES)


async def test_running_once_keeps_no_approval(desks: Desks) -> None:
    async with opened(desks.root, desks.state, TALL) as driver:
        await ask(driver)
        await driver.pilot.press("end", "right", "space")
        await ended(driver)
        assert desks.started == set(NAMES)
        assert titles(driver) == []


async def test_what_is_left_out_is_neither_started_nor_approved(desks: Desks) -> None:
    async with opened(desks.root, desks.state, TALL) as driver:
        await ask(driver)
        await driver.pilot.press("end", "left", "home", "down")
        await driver.pilot.press("space")
        assert driver.lines("[ ] 2 of 3")
        assert driver.lines("left out")
        assert driver.lines("Approve these 2 as they are now")
        assert driver.lines("Run once (2)")
        await driver.pilot.press("right", "right", "right", "space")
        await ended(driver)
        await driver.until(lambda: bool(driver.lines("north: not approved")), "what came of it")
        assert desks.started == {"east", "west"}
        assert titles(driver) == ["east", "west"]


async def test_what_was_left_out_is_asked_for_alone_the_next_time(desks: Desks) -> None:
    async with opened(desks.root, desks.state, TALL) as driver:
        await ask(driver)
        await driver.pilot.press("end", "left", "home", "space", "right", "right", "right", "space")
        await ended(driver)
        await ask(driver)
        assert str(dialog(driver).query_one("#approve", Button).label) == "Approve exactly this"
        assert driver.lines("--east")
        assert not driver.lines("--north")
        await driver.pilot.press("escape")
        await ended(driver)


@pytest.mark.parametrize("keys", [("enter",), ("escape",)])
async def test_cancelling_starts_nothing_and_asks_nothing_more(desks: Desks, keys: tuple[str, ...]) -> None:
    async with opened(desks.root, desks.state, TALL) as driver:
        await ask(driver)
        desks.program.write_text(f"{desks.program.read_text('utf-8')}\n# other\n", "utf-8")
        await driver.pilot.press(*keys)
        await ended(driver)
        assert len(driver.app.screen_stack) == 1
        assert (desks.started, titles(driver)) == (set(), [])


async def test_no_answer_but_cancel_is_given_before_the_end_was_in_sight(desks: Desks) -> None:
    async with opened(desks.root, desks.state, NARROW) as driver:
        await ask(driver)
        assert driver.lines("more lines below; page down goes on")
        await driver.pilot.press("right", "space")
        await driver.pilot.click("#approve")
        assert dialog(driver).is_current
        while dialog(driver).lines_below:
            assert driver.lines("Look at all of it first")
            await driver.pilot.press("pagedown")
        await driver.until(lambda: not driver.lines("Look at all of it first:"), "the end in sight")
        await driver.pilot.press("pageup", "space")
        await ended(driver)
        assert desks.started == set(NAMES)


async def test_nothing_can_be_answered_while_all_are_left_out(desks: Desks) -> None:
    async with opened(desks.root, desks.state, TALL) as driver:
        await ask(driver)
        await driver.pilot.press("end", "left", "home", "space", "down", "space", "down", "space")
        assert driver.lines("All are left out")
        await driver.pilot.press("right", "right", "space")
        assert dialog(driver).is_current
        await driver.pilot.press("left", "left", "enter", "space", "right", "right", "space")
        await ended(driver)
        assert desks.started == {"west"}


async def test_what_changes_while_it_is_asked_for_is_asked_for_again_with_the_difference(desks: Desks) -> None:
    async with opened(desks.root, desks.state, TALL) as driver:
        await ask(driver)
        desks.program.write_text(f"{desks.program.read_text('utf-8')}\n# other\n", "utf-8")
        await driver.pilot.press("end", "right", "right", "space")
        await driver.until(lambda: bool(driver.lines("Approve exactly this")), "the second question")
        assert driver.lines("Changed since it was approved")
        assert desks.started == set()
        await driver.pilot.press("escape")
        await ended(driver)
        assert desks.started == set()


def test_each_thing_that_waits_is_named_once_and_what_is_approved_is_not(desks: Desks) -> None:
    skill = json.loads((desks.root / "skills/desks.yaml").read_text("utf-8"))
    (desks.root / "skills/more.yaml").write_text(json.dumps({**skill, "name": "local/more"}), "utf-8")
    workspace = Workspace(desks.root, state=desks.state)
    workspace.load()
    waiting = workspace.servers_waiting()
    assert len({identity.digest for identity in waiting}) == len(waiting)
    workspace.record_approvals(workspace.servers_waiting("local/desks")[:1])
    assert len(workspace.servers_waiting("local/desks")) == 2
    workspace.close()
