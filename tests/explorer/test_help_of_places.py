"""Help says what the place is for that has the focus."""

from __future__ import annotations

from pathlib import Path

from app_driver import opened
from visits import SAMPLE

from explorer.widgets.overview import Overview


async def test_each_place_has_help_of_its_own(tmp_path: Path) -> None:
    said: dict[str, str] = {}
    async with opened(SAMPLE, tmp_path) as driver:
        for place, keys in {
            "tree": (),
            "tree filter": ("slash", "a"),
            "overview": ("escape", "1"),
            "tools": ("2",),
            "tools filter": ("slash", "a"),
            "graph": ("escape", "3"),
            "graph search": ("slash", "a"),
            "source": ("escape", "4"),
            "history": ("6",),
            "problems": ("p",),
        }.items():
            if place == "overview":
                driver.main.skill_tree.reveal("local/release-desk")
            await driver.press(*keys, "f1")
            said[place] = driver.app.screen.query_one(Overview).text.split("\n")[0].strip()
            await driver.press("escape")
    assert len(set(said.values())) == len(said), said
    assert all(text.endswith(".") or len(text) > 60 for text in said.values()), said
    assert said["tools filter"].startswith("Filters the rows of Tools")
    assert said["tree filter"].startswith("Narrows the tree")
