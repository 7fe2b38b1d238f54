"""What a new user comes for, done with only the keys that the screen names at that moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from app_driver import NORMAL, Driver, opened
from test_cycle_debugger import RING

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
KNOWN = {"up", "down", "left", "right", "enter", "escape"}
MOST_PRESSES = 60
"""What fits into a minute at a press a second."""
TOOL = """\
name: local/file-ticket
description: Files a ticket.
source: custom
capability: {read_only: true, writes: false}
input_schema:
  type: object
  required: [ticket]
  properties:
    ticket:
      type: object
      required: [title]
      properties: {title: {type: string}, tags: {type: array, items: {type: string}}}
    wait: {type: number, default: 0}
code: |
  import time
  def run(ticket, wait=0):
      time.sleep(wait)
      return {"filed": ticket["title"], "letters": len(ticket["title"])}
"""
OFFICE = {
    "skills/office.yaml": "name: team/office\ndescription: Works with tickets.\nincludes: [team/filing]\n",
    "skills/filing.yaml": "name: team/filing\ndescription: Files tickets.\ntools: [local/file-ticket]\n"
    "overrides: {local/file-ticket: {writes: true, read_only: false}}\n",
    "tools/file-ticket.yaml": TOOL,
}
PLAIN = {
    "skills/filing.yaml": "name: team/filing\ndescription: Files tickets.\ntools: [local/file-ticket]\n",
    "tools/file-ticket.yaml": TOOL,
}


class NewUser:
    """Knows arrows, enter, escape and what the screen says; counts the presses."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.presses = 0

    async def press(self, key: str, word: str = "") -> None:
        """Press ``key``: one that everybody knows, or one that stands on the screen before ``word``."""
        if key not in KNOWN:
            shown = {"slash": "/", "pagedown": "page down"}.get(key, key)
            assert re.search(rf"(?<!\w){re.escape(f'{shown} {word}')}", self.text), f"{shown} {word} in\n{self.text}"
        self.presses += 1
        await self.driver.pilot.press(key)
        await self.driver.pilot.pause()
        if not any(worker.group == "call" for worker in self.driver.app.workers):
            await self.driver.quiet()

    async def type(self, text: str) -> None:
        self.presses += len(text)
        await self.driver.press(*("space" if letter == " " else letter for letter in text))

    async def go_to(self, text: str, key: str = "down") -> None:
        """Press ``key`` until ``text`` stands behind the mark of the cursor."""
        while not any(text in line.split("▌", 1)[-1] for line in self.text.split("\n") if "▌" in line):
            await self.press(key)
            assert self.presses <= MOST_PRESSES, f"the way to {text} in\n{self.text}"

    async def answer(self, text: str) -> None:
        """Read what would happen to its end, go to an answer and give it."""
        ready = ("page down More", "space answers")
        await self.driver.until(lambda: any(said in self.text for said in ready), "the whole question")
        while "page down More" in self.text:
            await self.press("pagedown", "More")
        while f"[{text}" not in self.text:
            await self.press("right")
        await self.press("space", "answers")

    @property
    def text(self) -> str:
        return self.driver.screen_text

    async def sees(self, text: str) -> None:
        await self.driver.until(lambda: text in self.text, text)
        assert self.presses <= MOST_PRESSES


async def test_why_a_tool_is_marked_as_writing_is_found_out(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(OFFICE), tmp_path / "state", NORMAL) as driver:
        user = NewUser(driver)
        await user.go_to("office")
        await user.press("enter")
        await user.press("2", "Tools")
        await user.go_to("local/file-ticket")
        await user.press("w", "Why")
        await user.sees("team/office ▸ team/filing")
        assert re.search(r"writes +yes +\* overridden, was no +skills/filing.yaml:4", user.text), user.text


async def test_an_include_cycle_is_found_and_broken(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(RING), tmp_path / "state", NORMAL) as driver:
        user = NewUser(driver)
        await user.press("p", "Problems")
        await user.go_to("cycle")
        await user.press("f", "Fix")
        await user.sees("-  - team/triage")
        await user.press("right")
        await user.press("enter")
        await user.sees("✗ 0")
        assert "cycle" not in user.text


async def test_a_tool_is_run_with_nested_arguments_cancelled_run_again_with_a_change_and_compared(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(PLAIN), tmp_path / "state", NORMAL) as driver:
        user = NewUser(driver)
        await user.go_to("filing")
        await user.press("t", "Try")
        await user.press("enter")
        await user.type("Lost keys")
        await user.press("down")
        await user.press("down")
        await user.type("600")
        await user.press("ctrl+r", "Run")
        await user.sees("Approve exactly this")
        await user.answer("Run once")
        await user.sees("● running")
        await user.press("escape", "Cancel")
        await user.sees("Cancelled by you")
        await user.press("f4", "Form")
        await user.press("ctrl+n", "Not set")
        await user.press("ctrl+r", "Run")
        await user.sees("Approve exactly this")
        await user.answer("Run once")
        await user.sees('filed  "Lost keys"')
        await user.press("c", "Compare with run 1")
        await user.sees('-   "wait": 600')
        await user.sees('+   "letters": 9')
