"""The main screen over real files: moving, opening, filtering, problems, reloading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from app_driver import NARROW, NORMAL, WIDE, opened
from visits import typed

from explorer.messages import OpenSkill, OpenTool

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_workspace"
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]


def skill(name: str, *more: str) -> str:
    return "\n".join([f"name: {name}", f"description: What {name} does.", *more, ""])


TREE = {
    "skills/a.yaml": skill("local/a", "includes:", "  - local/b", "tools:", "  - builtin/read_file"),
    "skills/b.yaml": skill("local/b", "builtin_groups:", "  - git_operations"),
    "skills/c.yaml": skill("team/c", "includes:", "  - team/gone"),
}
UNQUOTED = "name: team/c\ndescription: Use when: it breaks\n"


async def test_opening_shows_the_first_skill_beside_the_tree(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        text = driver.screen_text
        assert "3 skills" in text
        assert "What local/a does." in text
        assert "✗ 1" in text


async def test_the_detail_follows_the_cursor(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("down")
        assert "What local/b does." in driver.screen_text


async def test_a_skill_unfolds_to_includes_and_tools_and_folds_again(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("right", "right", "right")
        assert driver.lines("▾ includes")
        assert driver.lines("▸ built-in tools")
        await driver.press("left", "left", "left")
        assert not driver.lines("▾ includes")


async def test_the_filter_finds_skills_and_tools_and_escape_brings_the_tree_back(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("slash", *"git_log")
        assert driver.lines("builtin/git_log")
        assert not driver.lines("▾ team")
        await driver.press("enter", "down", "escape")
        assert driver.lines("▾ team")
        assert driver.main.skill_tree.node is not None
        assert driver.main.skill_tree.node.name == "builtin/git_log"


async def test_a_filter_without_hits_says_so(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("slash", *"zzz")
        assert driver.lines("Nothing matches; esc clears the")


async def test_a_problem_leads_to_its_line_in_source(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        driver.main.problems.problem_list.focus()
        await driver.press("enter")
        assert driver.main.detail.source.path == "skills/c.yaml"
        assert driver.main.detail.source.line == 4
        assert driver.lines("✗ `team/c` includes `team/gone`")


async def test_n_goes_from_problem_to_problem(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    tree = {**TREE, "skills/d.yaml": skill("team/d", "includes:", "  - team/lost")}
    async with opened(make_workspace(tree), tmp_path / "state") as driver:
        await driver.press("n")
        assert driver.main.detail.source.path == "skills/d.yaml"
        await driver.press("n")
        assert driver.main.detail.source.path == "skills/c.yaml"
        await driver.press("N")
        assert driver.main.detail.source.path == "skills/d.yaml"


async def test_a_fix_is_previewed_and_applied(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    tree = {**TREE, "skills/c.yaml": UNQUOTED}
    root = make_workspace(tree)
    async with opened(root, tmp_path / "state") as driver:
        await driver.press("f")
        assert driver.lines("-description: Use when: it breaks")
        assert driver.lines('+description: "Use when: it breaks"')
        assert "esc Close" in driver.screen_text.split("\n")[-1]
        assert "Graph" not in driver.screen_text.split("\n")[-1]
        await driver.press("right", "enter")
        assert '"Use when: it breaks"' in (root / "skills/c.yaml").read_text(encoding="utf-8")
        assert "Fixed skills/c.yaml" in driver.screen_text
        await driver.until(lambda: "✗ 0" in driver.screen_text, "fresh findings")


async def test_a_fix_that_is_not_wanted_changes_nothing(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    tree = {**TREE, "skills/c.yaml": UNQUOTED}
    root = make_workspace(tree)
    async with opened(root, tmp_path / "state") as driver:
        await driver.press("f", "escape", "f", "enter")
        assert (root / "skills/c.yaml").read_text(encoding="utf-8") == tree["skills/c.yaml"]


async def test_a_reload_keeps_cursor_open_rows_and_tab(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    root = make_workspace(TREE)
    async with opened(root, tmp_path / "state") as driver:
        await driver.press("right", "down", "4")
        before = driver.main.skill_tree.state.cursor
        (root / "skills/0.yaml").write_text(skill("local/0"), encoding="utf-8")
        await driver.press("r")
        await driver.until(lambda: "4 skills" in driver.screen_text, "the new skill")
        assert driver.main.skill_tree.state.cursor == before
        assert driver.main.detail.tab == "source"
        assert driver.lines("▸ built-in tools")


async def test_a_restart_brings_back_what_was_open(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    root = make_workspace(TREE)
    async with opened(root, tmp_path / "state") as driver:
        await driver.press("right", "4", "escape", "down", "ctrl+t")
        before, theme = driver.main.skill_tree.state.cursor, driver.app.theme
    async with opened(root, tmp_path / "state") as driver:
        assert driver.main.skill_tree.state.cursor == before
        assert driver.main.detail.tab == "source"
        assert driver.app.theme == theme == "explorer-light"


async def test_a_skill_that_is_gone_after_a_reload_leaves_the_cursor_in_the_tree(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace(TREE)
    async with opened(root, tmp_path / "state") as driver:
        await driver.press("down")
        (root / "skills/b.yaml").unlink()
        await driver.press("r")
        await driver.until(lambda: "2 skills" in driver.screen_text, "the smaller workspace")
        assert driver.main.skill_tree.node is not None


async def test_on_a_narrow_terminal_tree_and_detail_take_turns(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", NARROW) as driver:
        assert driver.lines("▾ local")
        assert not driver.lines("What local/a does.")
        await driver.press("enter")
        assert not driver.lines("▾ local")
        assert driver.lines("What local/a does.")
        await driver.press("escape")
        assert driver.lines("▾ local")


async def test_on_a_narrow_terminal_problems_are_one_line_that_opens(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", NARROW) as driver:
        assert len(driver.lines("team/gone")) == 0
        await driver.press("p")
        assert driver.lines("skills/c.yaml:4:5")
        await driver.press("p")
        assert len(driver.lines("team/gone")) == 0


async def test_an_empty_folder_says_what_was_looked_for_and_writes_a_first_skill_when_asked_to(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace({"notes.txt": "x"})
    async with opened(root, tmp_path / "state") as driver:
        assert "No skill yet" in driver.screen_text
        assert "YAML files with the keys of a skill" in driver.screen_text
        await driver.press("enter")
        assert "+name: local/first-skill" in driver.screen_text
        assert not (root / "skills").exists()
        await driver.press("right", "enter")
        await driver.until(lambda: bool(driver.lines("✓ resolved")), "the new skill")
        assert (root / "skills" / "first-skill.yaml").read_text().startswith("# A skill")
        assert driver.lines("first-skill")


async def test_a_folder_that_vanishes_leaves_what_was_shown(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    root = make_workspace(TREE)
    async with opened(root, tmp_path / "state") as driver:
        root.rename(tmp_path / "elsewhere")
        await driver.press("r")
        await driver.until(lambda: "cannot read the workspace" in driver.screen_text, "the reason")
        assert driver.lines("▾ local")


async def test_the_mouse_selects_opens_and_folds(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        tree = driver.main.skill_tree
        await driver.pilot.click(tree, offset=(10, 2))
        await driver.quiet()
        assert tree.node is not None
        assert tree.node.name == "local/b"
        await driver.pilot.click(tree, offset=(4, 1))
        await driver.quiet()
        assert driver.lines("▸ includes")
        await driver.pilot.click("TabStrip", offset=(40, 1))
        await driver.quiet()
        assert driver.main.detail.tab == "source"
        await driver.pilot.click("ProblemsTitle")
        await driver.quiet()
        assert not driver.main.problems.opened


async def test_copying_gives_the_name_of_the_row(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("y")
        assert driver.app.clipboard == "local/a"
        driver.main.problems.problem_list.focus()
        await driver.press("y")
        assert driver.app.clipboard.startswith("skills/c.yaml:4:5: error: ")


async def test_help_lists_only_keys_that_work_here(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("question_mark")
        text = driver.screen_text
        assert "Fold the row, or go to its parent." in text
        assert "Show a SKILL.md as text" not in text
        await driver.press("escape")
        assert "Fold the row" not in driver.screen_text


async def test_the_palette_finds_tools_and_opens_them(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("ctrl+p", *"git_log")
        await driver.until(lambda: bool(driver.lines("builtin/git_log  tool of local/b")), "the hit")
        await driver.press("enter")
        await driver.until(lambda: driver.main.detail.tab == "tools", "the tool")
        assert driver.main.detail.subject is not None
        assert driver.main.detail.subject.tool == "builtin/git_log"


@pytest.mark.parametrize(
    ("words", "shown", "said"),
    [("csv", "CSV  c", "Copied CSV."), ("export markdown", "Copy table  m", "Copied a Markdown table.")],
)
async def test_the_palette_holds_what_the_present_place_can_do_and_does_it_there(
    words: str, shown: str, said: str, make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("ctrl+p", *typed(words))
        assert not driver.lines(shown)
        await driver.press("escape")
        driver.main.skill_tree.reveal("local/b")
        await driver.press("2", "ctrl+p", *typed(words))
        await driver.until(lambda: bool(driver.lines(shown)), "the hit")
        await driver.press("enter")
        await driver.until(lambda: bool(driver.lines(said)), "the copy")


@pytest.mark.parametrize("size", [NARROW, NORMAL, WIDE, (20, 5)])
async def test_every_size_holds_the_sample(size: tuple[int, int], tmp_path: Path) -> None:
    async with opened(SAMPLE, tmp_path / "state", size) as driver:
        for key in ("down", "enter", "2", "4", "1", "escape", "p"):
            await driver.press(key)
        assert driver.app.crash == ""


async def test_opening_a_skill_that_the_filter_hides_closes_the_filter(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("slash", *"local/a", "enter")
        driver.main.post_message(OpenSkill("team/c"))
        await driver.quiet()
        assert not driver.main.tree_area.filtering
        assert driver.main.skill_tree.node is not None
        assert driver.main.skill_tree.node.name == "team/c"
        assert "What team/c does." in driver.screen_text


async def test_opening_a_hit_leaves_the_filter_as_it_is(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        await driver.press("slash", *"local", "enter")
        driver.main.post_message(OpenSkill("local/b"))
        await driver.quiet()
        assert driver.main.tree_area.filtering
        assert "What local/b does." in driver.screen_text


async def test_a_tool_of_an_included_skill_stays_the_subject(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state") as driver:
        driver.main.post_message(OpenTool("local/a", "builtin/git_log"))
        await driver.quiet()
        await driver.pilot.pause(0.1)
        assert driver.main.detail.subject is not None
        assert driver.main.detail.subject.tool == "builtin/git_log"
        assert driver.main.detail.tab == "tools"
