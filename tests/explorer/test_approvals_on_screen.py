"""What is approved is listed on the screen, shown in full and taken back there; a real server and real tools."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from app_driver import NARROW, NORMAL, Driver, opened

from explorer.screens.approvals import ApprovalsScreen
from explorer.screens.confirm import ConfirmScreen
from explorer.screens.fix import FixScreen
from explorer.services.outline import Kind
from explorer.services.subject import Subject
from explorer.widgets.approval_list import ApprovalList

SERVER = {"name": "time", "command": sys.executable, "args": ["-m", "mcp_server_time", "--local-timezone=UTC"]}
TREE = {
    "tools/shout.yaml": "name: local/shout\ndescription: S.\nsource: custom\ncode: |\n  return 'loud words'\n",
    "skills/clock.yaml": "name: local/clock\ndescription: Tells the time.\ntools: [local/shout]\n"
    f"mcp_servers: [{json.dumps(SERVER)}]\n",
}
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def root(make_workspace: MakeWorkspace) -> Path:
    return make_workspace(TREE)


async def approve_all(driver: Driver) -> None:
    workspace = driver.main.workspace
    assert workspace is not None
    workspace.record_approvals(workspace.all_identities())
    await driver.quiet()


async def show(driver: Driver, subject: Subject) -> None:
    driver.main.skill_tree.focus()
    driver.main.detail.show(subject)
    await driver.quiet()


async def approvals(driver: Driver) -> ApprovalList:
    await driver.press("A")
    await driver.until(lambda: isinstance(driver.app.screen, ApprovalsScreen), "the approvals")
    rows = driver.app.screen.query_one(ApprovalList)
    await driver.until(lambda: rows.approvals is not None, "what is approved")
    await driver.pilot.pause()
    return rows


SERVER_PAGE = Subject(Kind.SERVER, "time", "local/clock")
TOOL_PAGE = Subject(Kind.TOOL, "local/shout", "local/clock", "local/shout")


async def discovered(driver: Driver) -> None:
    driver.main.skill_tree.reveal("local/clock")
    await driver.quiet()
    await driver.pilot.press("d")
    await driver.until(lambda: bool(driver.main.workspace and driver.main.workspace.discovered), "the tools")
    await driver.quiet()


async def test_where_nothing_is_approved_the_list_says_what_asks_for_it(root: Path, tmp_path: Path) -> None:
    async with opened(root, tmp_path / "state", NARROW) as driver:
        await approvals(driver)
        assert "Nothing is approved in this workspace." in driver.screen_text
        assert "Revoke" not in driver.screen_text
        await driver.press("escape")
        assert len(driver.app.screen_stack) == 1


async def test_each_approval_has_a_row_and_enter_shows_all_of_it(root: Path, tmp_path: Path) -> None:
    async with opened(root, tmp_path / "state") as driver:
        await approve_all(driver)
        rows = await approvals(driver)
        assert {a.title for a in rows.approvals or ()} == {"tool local/shout", "MCP server time"}
        assert driver.lines("skills/clock.yaml:4")
        assert driver.lines("tools/shout.yaml:1")
        assert "r Revoke" in driver.screen_text.split("\n")[-1]
        rows.cursor = next(i for i, a in enumerate(rows.approvals or ()) if a.kind == "custom")
        await driver.press("enter")
        assert driver.lines("loud words")
        assert driver.lines((rows.approvals or ())[rows.cursor].digest)
        await driver.press("escape")
        assert isinstance(driver.app.screen, ApprovalsScreen)


async def test_approvals_of_other_workspaces_are_neither_listed_nor_taken_back(
    root: Path, make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    from core.workspace import Workspace

    other = tmp_path / "other"
    (other / "tools").mkdir(parents=True)
    (other / "tools/o.yaml").write_text(TREE["tools/shout.yaml"].replace("shout", "other"), "utf-8")
    (other / "o.yaml").write_text("name: local/o\ndescription: O.\ntools: [local/other]\n", "utf-8")
    elsewhere = Workspace(other, state=tmp_path / "state")
    elsewhere.load()
    elsewhere.record_approvals(elsewhere.all_identities())
    elsewhere.close()
    async with opened(root, tmp_path / "state") as driver:
        await approve_all(driver)
        rows = await approvals(driver)
        assert len(rows.approvals or ()) == 2
        await driver.press("R", "right", "enter")
        await driver.until(lambda: rows.approvals == (), "the end of them")
        assert [a.title for a in driver.main.workspace.approvals.entries()] == ["tool local/other"]


async def test_taking_back_asks_first_and_ends_the_server_that_runs(root: Path, tmp_path: Path) -> None:
    async with opened(root, tmp_path / "state") as driver:
        await approve_all(driver)
        await discovered(driver)
        await show(driver, SERVER_PAGE)
        assert driver.lines("● connected")
        rows = await approvals(driver)
        server = next(a for a in rows.approvals or () if a.title == "MCP server time")
        rows.cursor = (rows.approvals or ()).index(server)
        await driver.until(lambda: server.digest in rows.running, "the server that runs")
        assert [line for line in driver.lines("● runs") if "MCP server time" in line]

        await driver.press("delete")
        assert isinstance(driver.app.screen, FixScreen)
        await driver.press("enter")
        assert server in (rows.approvals or ())
        await driver.press("delete", "right", "enter")

        await driver.until(lambda: server not in (rows.approvals or ()), "the end of the approval")
        assert server.digest not in driver.main.workspace.running()
        assert not driver.main.workspace.discovered
        await driver.press("escape")
        await show(driver, SERVER_PAGE)
        await driver.until(lambda: bool(driver.lines("asked at the first call")), "that it is not approved")
        assert driver.lines("known once it has been")


async def test_the_dialog_that_takes_back_follows_what_ends_behind_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(root, tmp_path / "state") as driver:
        await approve_all(driver)
        rows = await approvals(driver)
        running = frozenset(a.digest for a in rows.approvals or ())
        monkeypatch.setattr(driver.main.workspace, "running", lambda: running)
        await driver.until(lambda: rows.running == running, "what runs")
        await driver.press("R")
        assert driver.lines("2 of 2 approvals")
        running = frozenset()
        await driver.until(lambda: bool(driver.lines("0 of 2 approvals")), "that all has ended")


async def test_what_another_program_takes_back_leaves_the_list(root: Path, tmp_path: Path) -> None:
    from core.registry.approvals import Approvals

    async with opened(root, tmp_path / "state") as driver:
        await approve_all(driver)
        rows = await approvals(driver)
        Approvals(tmp_path / "state", root).revoke()
        await driver.until(lambda: rows.approvals == (), "the empty list")


async def test_the_page_of_a_server_lists_its_tools_once_it_has_been_asked(root: Path, tmp_path: Path) -> None:
    async with opened(root, tmp_path / "state") as driver:
        await show(driver, SERVER_PAGE)
        assert driver.lines("no: asked at the first call")
        await approve_all(driver)
        await discovered(driver)
        await show(driver, SERVER_PAGE)
        digest = next(a.digest for a in driver.main.workspace.approvals.here() if a.kind == "mcp-stdio")
        assert "known once it has been" not in driver.screen_text
        for said in ("has 2 tools", "get_current_time", "convert_time", digest[:12], "takes it back"):
            assert driver.lines(said), said


async def test_the_page_of_a_tool_says_whether_it_is_approved_and_whether_it_has_changed(
    root: Path, tmp_path: Path
) -> None:
    async with opened(root, tmp_path / "state", NORMAL) as driver:
        await show(driver, TOOL_PAGE)
        assert driver.lines("no: asked at the first call")
        await approve_all(driver)
        await driver.press("A", "escape")
        assert driver.lines("A takes it back")
        tool = root / "tools/shout.yaml"
        tool.write_text(tool.read_text("utf-8").replace("loud", "other"), "utf-8")
        await driver.press("r")
        await driver.until(lambda: bool(driver.lines("changed since it was approved")), "that it has changed")


async def test_a_server_that_no_file_defines_is_not_said_to_wait_for_an_approval(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    lost = make_workspace({"skills/l.yaml": "name: local/l\ndescription: L.\nmcp_servers: [{name: lost}]\n"})
    async with opened(lost, tmp_path / "state") as driver:
        await show(driver, Subject(Kind.SERVER, "lost", "local/l"))
        await driver.until(lambda: bool(driver.lines("it does not resolve")), "what is said of it")


async def test_the_approval_dialog_says_how_a_yes_is_taken_back(root: Path, tmp_path: Path) -> None:
    async with opened(root, tmp_path / "state") as driver:
        driver.main.skill_tree.reveal("local/clock")
        await driver.quiet()
        await driver.pilot.press("d")
        await driver.until(lambda: isinstance(driver.app.screen, ConfirmScreen), "the dialog")
        await driver.pilot.press("end")
        await driver.pilot.pause()
        assert driver.lines("An approval holds until it is taken back")
        await driver.pilot.press("escape")


async def test_the_palette_finds_the_approvals(root: Path, tmp_path: Path) -> None:
    async with opened(root, tmp_path / "state") as driver:
        await driver.press("ctrl+p", *"approvals")
        await driver.until(lambda: bool(driver.lines("take approvals back")), "the command")
        await driver.pilot.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, ApprovalsScreen), "the approvals")
