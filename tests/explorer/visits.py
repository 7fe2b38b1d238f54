"""Visits of the application that take a picture now and then; each picture is one state of one place."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from app_driver import Driver

from core.runtime.call import ExecutionIdentity
from explorer.services.loader import Loader, LoadProgressed

SAMPLE = Path(__file__).parents[2] / "sample_workspace"
BROKEN = SAMPLE / "broken"


@dataclass(frozen=True)
class Stop:
    """Where a visit halts: ``reveal`` a skill or a tool of one, press ``keys``, then take the picture ``name``."""

    name: str
    keys: tuple[str, ...] = ()
    reveal: str = ""

    async def reach(self, driver: Driver) -> None:
        if self.reveal:
            skill, _, tool = self.reveal.partition(" ")
            driver.main.tree_area.clear_filter()
            driver.main.show_tree()
            await driver.quiet()
            driver.main.skill_tree.reveal(skill, tool or None)
            await driver.quiet()
        for key in self.keys:
            await driver.press(key)
        driver.app.clear_notifications()
        await driver.quiet()


def typed(text: str) -> tuple[str, ...]:
    return tuple({" ": "space", ":": "colon"}.get(char, char) for char in text)


NORMAL_STATES = (
    Stop("start"),
    Stop("overview", ("1",), "local/release-desk"),
    Stop("tool", ("1",), "local/release-desk local/bump-version"),
    Stop("tools", ("2", "down", "down", "right", "right", "right", "right"), "local/release-desk"),
    Stop("tools filtered", ("slash", *typed("writes:yes"), "enter")),
    Stop("tools without a match", ("slash", *typed("zzz"))),
    Stop("tools help", ("escape", "f1")),
    Stop("why", ("escape", "w")),
    Stop("graph", ("escape", "3"), "local/release-desk"),
    Stop("graph without a match", ("slash", *typed("zzz"))),
    Stop("source", ("escape", "4"), "local/release-desk"),
    Stop("try", ("5",), "local/changelog local/changelog-reader"),
    Stop("history without a call", ("6",), "local/docs"),
    Stop("filter", ("slash", *typed("git"))),
    Stop("filter without a match", (*typed("zzz"),)),
    Stop("palette", ("escape", "ctrl+p", *typed("notes"))),
)
BROKEN_STATES = (
    Stop("broken start"),
    Stop("problems", ("p",)),
    Stop("fix", ("f",)),
    Stop("unresolved", ("escape", "1"), "team/routing"),
    Stop("source with findings", ("4",)),
    Stop("cycle", ("3", "c")),
    Stop("removing an include", ("f",)),
)
EMPTY_STATES = (
    Stop("empty tree"),
    Stop("empty overview", ("1",)),
    Stop("empty tools", ("2",)),
    Stop("empty graph", ("3",)),
    Stop("empty try", ("5",)),
    Stop("empty history", ("6",)),
)
ODD_NAME = "local/a-skill-whose-name-is-so-long-that-no-column-of-any-layout-can-hold-it-whole"
ODD_TOOL = "local/a-tool-with-a-name-that-is-longer-than-the-column-it-stands-in"
ODD = {
    "skills/odd.yaml": f"""name: {ODD_NAME}
description: 日本語の説明文です。 Ünïcödé, 👩‍👩‍👧 und e\u0301 in einem langen Satz, der mehr als eine Zeile braucht.
tools: [builtin/read_file, {ODD_TOOL}]
includes: [local/an-include-with-a-long-name-too]
agent_skill_folders: [技能/説明書]
""",
    "skills/two.yaml": """name: local/an-include-with-a-long-name-too
description: 二番目
builtin_groups: [git_operations]
""",
    "tools/t.yaml": f"name: {ODD_TOOL}\ndescription: 長い道具\nsource: custom\ncode: "
    "|\n  def run():\n    return '漢字'\n",
    "技能/説明書/SKILL.md": "---\nname: 説明書\ndescription: 使い方を説明します。\n---\n# 手順\n\n1. 読む\n",
}
ODD_STATES = (
    Stop("odd overview", ("1",), ODD_NAME),
    Stop("odd tools", ("2", "down", "down")),
    Stop("odd graph", ("3",)),
    Stop("odd source", ("4",)),
)


EARLY = [f"{space}/skill-{n}" for space in ("local", "team") for n in range(12)]


@pytest.fixture
def stuck_loader(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A load that says that it has come as far as 2,150 of 10,000 files, and goes on only once the event is set."""
    go_on = threading.Event()
    run = Loader.run

    def stuck(self: Loader, stop: threading.Event, *more: Any) -> None:
        self.post(LoadProgressed(stop, 2_150, 10_000, EARLY))
        while not (go_on.wait(0.01) or stop.is_set()):
            pass
        run(self, stop, *more)

    monkeypatch.setattr(Loader, "run", stuck)
    yield go_on
    go_on.set()


def several_servers() -> tuple[ExecutionIdentity, ...]:
    """Return what a dialog for two servers shows; the second has changed since it was approved."""
    details = (("workspace", "/ws"), ("argument 1", "--port"), ("argument 2", "8080"), ("environment", "KEY, PATH"))
    warning = "changes which program or library runs: PATH"
    return tuple(
        ExecutionIdentity(str(n) * 64, "mcp-stdio", f"MCP server {name}", "skills/a.yaml", n, details, None, *more)
        for n, (name, *more) in enumerate((("notes",), ("time", (warning,), ("+ argument 2: 8080",))), 3)
    )
