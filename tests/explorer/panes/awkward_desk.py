"""One real server with many awkward tools, and one Try pane on it that goes from tool to tool."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pane_app import PaneApp, press, screen_text, settle
from textual.pilot import Pilot

from core.workspace import Workspace
from explorer.messages import AskApproval, Consent
from explorer.widgets.try_pane import TryPane

SERVER = Path(__file__).with_name("awkward_server.py")
SKILL = "local/desk"
PATIENCE = 2_000


class Desk:
    """The pane, driven by keys alone, and what stands on its screen."""

    def __init__(self, workspace: Workspace, app: PaneApp, pilot: Pilot[None]) -> None:
        self.workspace, self.app, self.pilot = workspace, app, pilot

    async def choose(self, tool: str) -> None:
        """Look at another tool; its form is as it is at first."""
        self.app.query_one(TryPane).show(self.workspace, SKILL, f"awkward/{tool}")
        await settle(self.pilot)

    async def press(self, *keys: str) -> None:
        """Press keys and wait for what they start, calls included."""
        await press(self.pilot, keys)

    async def until(self, text: str) -> None:
        """Wait until ``text`` stands on the screen."""
        for _ in range(PATIENCE):
            if text in self.screen:
                return
            await self.pilot.pause(0.01)
        raise AssertionError(f"it never came: {text}\n{self.screen}")

    async def copied(self) -> str:
        """What the copy key puts on the clipboard."""
        self.app._clipboard = ""
        await self.press("y")
        return self.app.clipboard

    @property
    def screen(self) -> str:
        """What stands on the screen."""
        return screen_text(self.app)

    def lacks(self, texts: Iterable[str]) -> list[str]:
        """Which of ``texts`` don't stand on the screen."""
        return [text for text in texts if text not in self.screen]

    async def shows(self, *texts: str) -> None:
        """Wait until all of ``texts`` stand on the screen."""
        for text in texts:
            await self.until(text)
        assert self.lacks(texts) == [], self.screen


def agree(ask: AskApproval) -> None:
    """Let whatever wants to run do so."""
    ask.answer.set_result(Consent.ONCE)


@asynccontextmanager
async def desk_of(folder: Path, tools: Mapping[str, Any], size: tuple[int, int]) -> AsyncIterator[Desk]:
    """A desk whose server lists ``tools``; each is what ``awkward_server`` wants of an entry."""
    (folder / "tools.json").write_text(json.dumps(tools), "utf-8")
    server = {"name": "awkward", "command": sys.executable, "args": [str(SERVER), str(folder / "tools.json")]}
    (folder / "desk/skills").mkdir(parents=True)
    skill = {"name": SKILL, "description": "Awkward.", "mcp_servers": [{**server, "legacy": True}]}
    (folder / "desk/skills/desk.yaml").write_text(json.dumps(skill), "utf-8")
    workspace = Workspace(folder / "desk", state=folder / "state")
    workspace.load()
    workspace.discover(approve=lambda _identity: True)
    app = PaneApp(TryPane)
    app.on_approval = agree
    try:
        async with app.run_test(size=size) as pilot:
            yield Desk(workspace, app, pilot)
    finally:
        workspace.close()
