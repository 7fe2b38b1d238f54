"""Tools of an actor: the merged set, each tool once, with the skills that give it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from app_driver import opened

from core.workspace import Workspace
from explorer.services.actor_tools import actor_tools
from explorer.services.outline import Kind
from explorer.services.subject import Subject

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
TREE = {
    "actors/bot.yaml": "name: local/bot\nskills: [local/a, local/b, local/gone]\n",
    "skills/a.yaml": "name: local/a\ndescription: A.\ntools: [builtin/read_file, builtin/write_file]\n",
    "skills/b.yaml": "name: local/b\ndescription: B.\ntools: [builtin/read_file]\nbuiltin_groups: [git_operations]\n",
}


def test_a_tool_that_two_skills_give_stands_once_and_names_both(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    workspace = Workspace(make_workspace(TREE), state=tmp_path / "state")
    workspace.load()
    found = actor_tools(workspace, "local/bot")
    assert found is not None
    names = [record.name for record in found.records]
    assert names.count("builtin/read_file") == 1
    assert found.given_by["builtin/read_file"] == ("local/a", "local/b")
    assert found.given_by["builtin/write_file"] == ("local/a",)
    assert set(names) == set(found.given_by)
    assert actor_tools(workspace, "local/nobody") is None


async def test_the_tools_tab_of_an_actor_is_the_matrix_of_its_skills(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        driver.main.detail.show(Subject(Kind.ACTOR, "local/bot"))
        await driver.press("2")
        assert driver.lines("6 tools  1 given by several skills")
        assert driver.lines("2 Tools 6")
        assert driver.lines("given by       local/a")
        assert any(line.strip(" │").startswith("local/b") for line in driver.screen_text.split("\n"))
        await driver.press("down", "enter")
        assert driver.main.detail.subject == Subject(Kind.TOOL, "builtin/write_file", "local/a", "builtin/write_file")
