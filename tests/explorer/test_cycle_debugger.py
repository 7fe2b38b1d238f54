"""From a skill that does not resolve to the include that closes the cycle, and to its removal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from app_driver import NARROW, NORMAL, Driver, opened

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]


def skill(name: str, *includes: str) -> str:
    return "\n".join([f"name: team/{name}", f"description: What {name} does.", "includes:", *includes, ""])


RING = {
    "skills/triage.yaml": skill("triage", "  - team/routing  # who is told"),
    "skills/routing.yaml": skill("routing", "  - team/escalation", "  - team/rota"),
    "skills/escalation.yaml": skill("escalation", "  - team/rota", "  - team/triage"),
    "skills/rota.yaml": "name: team/rota\ndescription: Who is on duty.\ntools: [builtin/read_file]\n",
    "skills/desk.yaml": skill("desk", "  - team/triage"),
}


async def at_the_cycle(driver: Driver) -> None:
    driver.main.skill_tree.reveal("team/routing")
    await driver.quiet()
    await driver.main.detail.switch("overview")
    driver.main.show_detail()
    await driver.quiet()
    page = driver.main.detail.pane
    line = next(y for y, text in enumerate(driver.screen_text.split("\n")) if "show the cycle" in text)
    await driver.pilot.click(page, offset=(8, line - page.region.y))
    await driver.quiet()


async def test_the_overview_leads_to_the_cycle_with_files_lines_text_cut_and_what_resolves_then(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(RING), tmp_path / "state", NORMAL) as driver:
        await at_the_cycle(driver)
        shown = [line[40:].strip() for line in driver.screen_text.split("\n")]
        at = next(i for i, line in enumerate(shown) if line.startswith("↺ cycle 1 of 1: 3 skills"))
        rows = [line.strip("▌│ ") for line in shown[at + 1 : at + 6]]
        assert "team/escalation  skills/escalation.yaml:5  - team/triage" in rows
        assert "team/triage      skills/triage.yaml:4      - team/routing  # who is told" in rows
        assert any(row.startswith("← cut here: then 4 skills would resolve") for row in rows)


async def test_f_shows_the_removal_of_the_include_and_only_a_yes_removes_it(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace(RING)
    before = (root / "skills/escalation.yaml").read_text()
    async with opened(root, tmp_path / "state", NARROW) as driver:
        await at_the_cycle(driver)
        while "escalation.yaml" not in str(driver.main.detail.here()):
            await driver.press("down")
        assert driver.lines("f Remove include")
        await driver.press("f")
        assert driver.lines("-  - team/triage")
        await driver.press("enter")
        assert (root / "skills/escalation.yaml").read_text() == before
        await driver.press("f", "right", "space")
        await driver.until(lambda: bool(driver.lines("✓ resolved")), "the workspace without the cycle")
        assert (root / "skills/escalation.yaml").read_text() == before.replace("  - team/triage\n", "")
        assert not driver.lines("cycle")


async def test_from_each_problem_of_a_cycle_f_removes_what_its_sentence_advises(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace(RING)
    async with opened(root, tmp_path / "state", NORMAL) as driver:
        rows = driver.main.problems.problem_list
        await driver.press("p")
        for at in range(3):
            found = rows.problem(at)
            assert found.hint
            assert found.hint.startswith("remove the include of `team/triage` by `team/escalation`")
            rows.cursor = at
            await driver.quiet()
            await driver.until(lambda: bool(driver.lines("f remove the include of team/triage")), "the remedy")
            await driver.press("f")
            await driver.until(lambda: bool(driver.lines("--- a/skills/escalation.yaml")), "the difference")
            assert driver.lines("-  - team/triage")
            await driver.press("escape")


async def test_the_cycles_open_at_the_include_to_cut_and_f_on_another_says_that_it_is_another(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(RING), tmp_path / "state", NARROW) as driver:
        await at_the_cycle(driver)
        assert driver.main.detail.here() == ("skills/escalation.yaml", 5)
        await driver.press("f")
        assert not driver.lines("Another cut")
        assert driver.lines("-  - team/triage")
        await driver.press("escape", "down")
        await driver.press("f")
        said = " ".join(driver.screen_text.replace("│", " ").split())
        assert "Another cut is advised: remove the include of `team/triage` by `team/escalation`" in said
        assert "This removes that include." in said
        assert not driver.lines("-  - team/triage")


async def test_the_cursor_of_the_cycle_lights_the_include_in_the_drawing_and_e_means_its_line(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    async with opened(make_workspace(RING), tmp_path / "state", NORMAL) as driver:
        await at_the_cycle(driver)
        graph = driver.main.detail.pane
        seen = set()
        for _ in range(3):
            await driver.press("down")
            seen.add((driver.main.detail.here(), graph.canvas.selected))  # type: ignore[attr-defined]
        assert (("skills/triage.yaml", 4), "team/triage") in seen
        assert (("skills/routing.yaml", 4), "team/routing") in seen


async def test_a_cycle_longer_than_the_reach_says_how_to_see_all_of_it(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    ring = {f"skills/s{n}.yaml": skill(f"s{n}", f"  - team/s{(n + 1) % 9}") for n in range(9)}
    async with opened(make_workspace(ring), tmp_path / "state", NORMAL) as driver:
        driver.main.skill_tree.reveal("team/s4")
        await driver.quiet()
        await driver.press("3")
        assert driver.lines("a longer cycle: reach further")
        await driver.press("z")
        assert driver.lines("cycle 1 of 1: 9 skills include each other")
