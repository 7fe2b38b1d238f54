"""The Overview of a registered skill says since when it is, and whether it still is the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from app_driver import Driver, opened

from core.workspace import Workspace
from explorer.services.outline import Kind
from explorer.services.subject import Subject, may_stand

TREE = {
    "tools/shout.yaml": "name: local/shout\ndescription: S.\nsource: custom\ncode: return 1\n",
    "skills/clock.yaml": "name: local/clock\ndescription: Tells the time.\ntools: [local/shout]\n",
}
CLOCK = Subject(Kind.SKILL, "local/clock", "local/clock")


@pytest.fixture
def root(make_workspace: Callable[..., Path]) -> Path:
    return make_workspace(TREE)


def registered(driver: Driver) -> str:
    lines = driver.main.detail.query_one("#overview").text.splitlines()  # type: ignore[attr-defined]
    return next((line for line in lines if line.strip().startswith("registered")), "")


async def test_a_change_of_the_files_is_seen_beside_what_is_registered(root: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    workspace = Workspace(root, state=state)
    workspace.load()
    assert not may_stand(workspace, CLOCK)
    workspace.registrations.register(["local/clock"])
    assert may_stand(workspace, CLOCK)
    async with opened(root, state) as driver:
        driver.main.detail.show(CLOCK)
        await driver.until(lambda: "· current" in registered(driver), "that it is as it was registered")
        (root / "tools/shout.yaml").write_text(TREE["tools/shout.yaml"] + "capability: {unsafe: true}\n", "utf-8")
        await driver.until(lambda: "· drifted: 1 tool changed" in registered(driver), "that it is another now")
