"""What comes into sight first: the counts, and the selected skill of a drawing that is larger than its pane."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from app_driver import NARROW, opened

from core.workspace import Counts
from explorer.presenters.header import header_line
from explorer.widgets.graph_canvas import GraphCanvas

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
SKILLS = 40


async def test_the_selected_skill_of_a_large_drawing_is_in_sight(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    names = [f"local/s{n:02}" for n in range(SKILLS)]
    tree = {
        f"skills/{n:02}.yaml": f"name: {name}\ndescription: D.\nincludes: [local/z{n:02}]\n"
        for n, name in enumerate(names)
    }
    tree |= {f"skills/z{n:02}.yaml": f"name: local/z{n:02}\ndescription: D.\n" for n in range(SKILLS)}
    async with opened(make_workspace(tree), tmp_path / "state", NARROW) as driver:
        driver.main.skill_tree.reveal(names[-1])
        await driver.quiet()
        await driver.press("3", "z", "z")
        canvas = driver.main.query_one(GraphCanvas)
        await driver.until(lambda: canvas.canvas is not None and len(canvas.canvas.nodes) > SKILLS, "the whole")
        await driver.until(lambda: bool(driver.lines(f"{names[-1]}──▸")), "the selected skill")


def test_the_counts_stay_in_a_narrow_header_and_the_watch_gives_way() -> None:
    line = header_line("big", Counts(2_000, 258, 1, 2_251, 0, 0, 766), None, "watching", 80).plain
    assert "2,000 skills · 258 tools" in line
    assert "watching" not in line


async def test_after_a_jump_to_another_file_the_overview_is_about_what_that_file_declares(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    tree = {
        "actors/bot.yaml": "name: local/bot\nskills: [local/a, local/gone]\n",
        "skills/a.yaml": "name: local/a\ndescription: What a is for.\n",
    }
    async with opened(make_workspace(tree), tmp_path / "state", NARROW) as driver:
        driver.main.skill_tree.reveal("local/a")
        await driver.press("1")
        assert driver.lines("What a is for.")
        await driver.press("p", "enter", "1")
        assert not driver.lines("What a is for.")
        assert driver.lines("An actor: it reaches the tools of its skills")
