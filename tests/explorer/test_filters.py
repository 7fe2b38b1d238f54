"""Filters take in what is typed or pasted, as far as it makes sense, and lead to what was looked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from app_driver import opened
from textual import events

from explorer.services.finder import LONGEST, Entry, Finder
from explorer.widgets.filter_input import FilterInput
from explorer.widgets.tools_matrix import ToolsMatrix

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]


def skill(name: str, *more: str) -> str:
    return "\n".join([f"name: {name}", f"description: What {name} does.", *more, ""])


TREE = {
    "skills/a.yaml": skill("local/a", "builtin_groups:", "  - git_operations"),
    "skills/b.yaml": skill("local/b"),
}


async def test_a_huge_paste_into_a_filter_is_cut_to_its_first_line_and_cap(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("slash")
        field = driver.main.tree_area.query_one(FilterInput)
        field.post_message(events.Paste("local/b\n" + "x y " * 20_000))
        await driver.quiet()
        assert field.value == "local/b"
        field.post_message(events.Paste("x y " * 20_000))
        await driver.quiet()
        assert len(field.value) == LONGEST


def test_the_finder_looks_at_no_more_of_a_query_than_the_cap() -> None:
    finder = Finder()
    finder.add(Entry("local/" + "a" * LONGEST))
    assert finder.find("a" * LONGEST + "b" * 70_000, 5)[1] == 1


async def test_the_page_below_the_matrix_follows_the_row_after_a_filter_without_hits(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("2", "end", "slash", *"zzzz")
        await driver.press(*["backspace"] * 4)
        matrix = driver.main.query_one(ToolsMatrix)
        record = matrix.table.record
        assert record is not None
        page = matrix.query_one("#matrix-why")
        shown = "\n".join(page.render_line(y).text for y in range(page.size.height))
        assert record.description[:12] in shown
        assert matrix._why is not None
        assert matrix._why.tool == record.name
