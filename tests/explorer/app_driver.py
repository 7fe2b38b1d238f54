"""Driving the whole application: open a folder, wait until it is loaded and quiet, look at what is on the screen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.strip import Strip
from workers_at_rest import workers_at_rest

from explorer.app import ExplorerApp
from explorer.screens.main import MainScreen
from explorer.services.settings import Settings
from explorer.widgets.status_header import StatusHeader

NORMAL = (120, 36)
NARROW = (80, 24)
WIDE = (160, 50)
PATIENCE = 1_000


class Driver:
    """The application under a Pilot."""

    def __init__(self, app: ExplorerApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def main(self) -> MainScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    @property
    def watched(self) -> bool:
        """Whether the header says how the files are watched."""
        return self.main.query_one(StatusHeader).watched

    async def until(self, condition: Callable[[], bool], what: str = "") -> None:
        """Let the application work until ``condition`` holds; a bounded number of turns."""
        for _ in range(PATIENCE):
            if condition():
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"it never came: {what or condition}")

    async def quiet(self) -> None:
        """Wait until no worker runs and the detail has followed the cursor."""
        await self.pilot.pause()
        for _ in range(PATIENCE):
            if not self.main.following and not self.app.workers:
                break
            await workers_at_rest(self.app)
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.quiet()

    @property
    def screen_text(self) -> str:
        """What stands on the screen, line by line."""
        return "\n".join(strip.text.rstrip() for strip in self.strips)

    @property
    def strips(self) -> list[Strip]:
        """The lines of the screen with their styles."""
        return self.app.screen._compositor.render_strips()

    def lines(self, text: str) -> list[str]:
        return [line for line in self.screen_text.split("\n") if text in line]


@asynccontextmanager
async def opened(
    root: Path, state: Path, size: tuple[int, int] = NORMAL, settings: Settings | None = None
) -> AsyncIterator[Driver]:
    """Open ``root`` and wait until it is shown."""
    app = ExplorerApp(root, state=state, settings=settings)
    async with app.run_test(size=size, notifications=True) as pilot:
        driver = Driver(app, pilot)
        await driver.until(lambda: not driver.main.reading, "the end of loading")
        await driver.quiet()
        yield driver
