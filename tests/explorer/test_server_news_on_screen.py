"""A server that changes its tools while the screen is open: they are shown, and what changed is named."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from app_driver import WIDE, Driver, opened

from core.runtime.call import CallOptions
from core.workspace.news import ServerNews
from explorer.widgets.matrix_table import MatrixTable

DESK = Path(__file__).parents[1] / "core/workspace/servers/desk.py"
READS = {"annotations": {"readOnlyHint": True}}
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]


async def test_a_changed_listing_is_shown_and_named(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    listing = tmp_path / "listing.json"
    server = {"name": "desk", "command": sys.executable, "args": [str(DESK)], "env": {"LISTING": str(listing)}}
    skill = {"name": "local/desk", "description": "A desk.", "mcp_servers": [{**server, "legacy": True}]}

    def lists(**tools: Any) -> None:
        listing.write_text(json.dumps({"announce": READS, **tools}), encoding="utf-8")

    lists(old={**READS, "description": "Reads."}, gone=READS)
    async with opened(make_workspace({"skills/desk.yaml": json.dumps(skill)}), tmp_path / "state", WIDE) as driver:
        workspace = driver.main.workspace
        assert workspace is not None

        async def announce() -> None:
            options = CallOptions(approve=lambda _: True)
            await asyncio.to_thread(workspace.invoke, "local/desk", "desk/announce", {}, options)

        await announce()
        driver.main.skill_tree.reveal("local/desk")
        await driver.press("2")
        await driver.until(lambda: bool(driver.lines("desk/gone")), "the tools")

        lists(old={**READS, "description": "Sends."}, fresh=READS)
        await announce()

        await driver.until(lambda: bool(driver.lines("desk/fresh")), "the new tool")
        assert not driver.lines("desk/gone")
        await driver.until(lambda: bool(driver.lines("others now: added fresh; gone gone;")), "the notice")
        assert driver.lines("changed old.")
        await driver.press("escape", "slash", *"fresh")
        await driver.until(lambda: bool(driver.lines("local/desk ▸ desk/fresh")), "the new tool as a hit")
        await driver.press("escape")
        driver.main.skill_tree.reveal("local/desk", "desk/old")
        await driver.press("1")
        assert driver.lines("▲ beware")
        assert driver.lines("changed since it was first listed")
        driver.main.skill_tree.reveal("local/desk")
        await driver.press("2")
        await driver.until(lambda: bool(driver.lines("3 tools")), "the matrix")
        assert marked(driver) == {"desk/old"}
        driver.main.detail.focus_pane()
        await driver.press("slash", *"since")
        assert driver.lines("1 of 3 tools")


def marked(driver: Driver) -> set[str]:
    """Return the tools whose row in the matrix has the mark of something to look at first."""
    table = driver.main.query_one(MatrixTable)
    rows = [table.row(index, table.size.width).plain for index in range(table.row_count())]
    return {row.split()[0].lstrip("▌") for row in rows if "▲" in row}


async def test_a_server_that_changes_all_the_time_is_told_of_now_and_then(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    tree = {"skills/a.yaml": "name: local/a\ndescription: A.\n"}
    async with opened(make_workspace(tree), tmp_path / "state", WIDE) as driver:
        for number in range(20):
            for label in ("one", "two"):
                driver.main._heard_of_servers({label: ServerNews(label, added=(f"tool-{number}",))})
        await driver.until(lambda: bool(driver.lines("The tools of two")), "the notices")
        await driver.quiet()
        assert len(driver.lines("The tools of")) == 2
        assert driver.lines("The tools of one are others now: added tool-0.")
