"""The include graph on the screen: moving, reaching, finding, cycles."""

from __future__ import annotations

from typing import Any

import pytest
from pane_app import PaneApp, press, screen_text, settle
from pane_fakes import NASTY, FakeCatalogue, FakeWorkspace, graph_of

from core.diagnostics import Place
from core.protocol import SkillFailure
from core.resolve.layout import draw
from core.resolve.views import GraphEdge, GraphNode, IncludeGraph, SkillStatus
from explorer.messages import Notify, OpenPlace, OpenSkill
from explorer.presenters.graph import canvas_row
from explorer.services.graph_nav import GraphNav
from explorer.widgets.graph_canvas import GraphCanvas
from explorer.widgets.graph_view import GraphView

INCLUDES = {
    "local/desk": ["local/files", "local/notes"],
    "local/notes": ["local/log", "local/files"],
    "team/triage": ["team/routing"],
    "team/routing": ["team/triage", "team/gone"],
}
CYCLE = ("team/routing", "team/triage")


class Graphs(FakeCatalogue):
    """Remembers what was asked for."""

    asked: list[tuple[str | None, int | None]]

    def graph(self, name: str | None = None, radius: int | None = None) -> IncludeGraph:
        self.asked.append((name, radius))
        return self.whole

    def skill(self, name: str) -> Any:
        return None if name == "team/gone" else object()


def workspace(graph: IncludeGraph | None = None) -> FakeWorkspace:
    found = graph or graph_of(INCLUDES, cycle=CYCLE, ghosts=("team/gone",))
    catalogue = Graphs({}, found)
    catalogue.asked = []
    text = "name: x\ndescription: y\nincludes:\n  - team/one  # first\n  - team/two\n"
    return FakeWorkspace(catalogue, texts={edge.place.path: text for edge in found.edges})


def app(of: FakeWorkspace, skill: str | None = "local/desk") -> PaneApp:
    def after(running: PaneApp) -> None:
        running.query_one(GraphView).show(of, skill, None)  # type: ignore[arg-type]
        running.query_one(GraphCanvas).focus()

    return PaneApp(GraphView, after)


def selected(running: PaneApp) -> str:
    return running.query_one(GraphCanvas).selected


def test_arrows_follow_edges_sideways_and_columns_up_and_down() -> None:
    graph = graph_of(INCLUDES)
    nav = GraphNav(graph, draw(graph))
    assert nav.right("local/desk") in ("local/files", "local/notes")
    assert nav.left("local/log") == "local/notes"
    assert nav.left("local/desk") == "local/desk"
    assert nav.down("local/desk") != "local/desk"
    assert nav.up(nav.down("local/desk")) == "local/desk"
    assert nav.matches("team rout") == ["team/routing"]
    assert nav.matches("[/nope]") == []


def test_wide_characters_keep_their_columns_when_lines_are_coloured() -> None:
    content = canvas_row("漢字──▸b", (0, 9), [(0, 4, "bold"), (7, 8, "bold")], frozenset({4}), frozenset(), (7, 8))
    assert content.plain == "漢字──▸b"
    assert [(span.start, span.end) for span in content.spans if "reverse" in str(span.style)] == [(5, 6)]


@pytest.mark.parametrize(("part", "shown"), [((0, 3), "漢 "), ((1, 6), " 字ab"), ((4, 9), "ab"), ((9, 12), "")])
def test_half_a_wide_character_at_the_edge_of_what_is_in_sight_is_blank(part: tuple[int, int], shown: str) -> None:
    content = canvas_row("漢字ab", part, [(4, 6, "bold")], {4}, set(), None)
    assert content.plain == shown
    assert all(0 <= span.start < span.end <= len(shown) for span in content.spans)


async def test_the_graph_stands_around_the_skill_two_steps_far_and_reaches_further_on_demand() -> None:
    of = workspace()
    async with (running := app(of)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert "local/desk  and two steps around it" in screen_text(running)
        await press(pilot, ["z"])
        assert "and all above and below it" in screen_text(running)
        await press(pilot, ["z"])
        assert "in the whole workspace" in screen_text(running)
        assert all(line in screen_text(running) for line in draw(of.catalogue.whole).lines)
        await press(pilot, ["z"])
        assert of.catalogue.asked == [("local/desk", 2), ("local/desk", None), (None, None), ("local/desk", 1)]  # type: ignore[attr-defined]


async def test_arrows_move_between_skills_and_enter_opens_one() -> None:
    async with (running := app(workspace())).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert selected(running) == "local/desk"
        await press(pilot, ["right", "enter"])
        assert running.asked_for(OpenSkill) == [OpenSkill(selected(running))]
        assert selected(running) in ("local/files", "local/notes")


async def test_a_skill_that_no_file_defines_says_so() -> None:
    async with (running := app(workspace())).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["slash", *"gone", "enter", "enter"])
        assert selected(running) == "team/gone"
        assert "No file defines team/gone." in running.asked_for(Notify)[0].text
        assert "team/gone ?" in screen_text(running)


async def test_finding_goes_from_hit_to_hit() -> None:
    async with (running := app(workspace())).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["slash", *"team", "enter"])
        first = selected(running)
        await press(pilot, ["n"])
        assert selected(running) != first
        await press(pilot, ["N"])
        assert selected(running) == first


async def test_a_cycle_shows_each_include_with_place_text_and_the_proposed_cut() -> None:
    async with (running := app(workspace())).run_test(size=(160, 36)) as pilot:
        await settle(pilot)
        shown = screen_text(running)
        assert "cycle 1 of 1: 2 skills include each other" in shown
        assert "team/routing  skills/routing.yaml:4  - team/one  # first" in shown
        assert "← cut here" in shown
        assert "team/triage   skills/triage.yaml:4" in shown
        await press(pilot, ["c", "enter"])  # the cursor begins at the include to cut
        assert running.asked_for(OpenPlace) == [OpenPlace("skills/triage.yaml", 4, 5)]
        await press(pilot, ["c"])
        assert running.query_one(GraphCanvas).has_focus


async def test_space_draws_the_graph_around_the_selected_skill() -> None:
    of = workspace()
    async with (running := app(of)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["slash", *"triage", "enter", "space"])
        assert of.catalogue.asked[-1] == ("team/triage", 2)  # type: ignore[attr-defined]
        assert "team/triage  and two steps" in screen_text(running)


async def test_the_same_skill_again_keeps_the_cursor() -> None:
    of = workspace()
    async with (running := app(of)).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await press(pilot, ["right"])
        before = selected(running)
        running.query_one(GraphView).show(of, "local/desk", None)  # type: ignore[arg-type]
        await settle(pilot)
        assert selected(running) == before


async def test_a_click_selects_and_the_drawing_is_copied_as_text() -> None:
    async with (running := app(workspace())).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        canvas = running.query_one(GraphCanvas)
        assert canvas.canvas is not None
        rect = canvas.canvas.nodes["team/triage"]
        await pilot.click(GraphCanvas, offset=(rect.x + 2, rect.y))
        await settle(pilot)
        assert selected(running) == "team/triage"
        await press(pilot, ["y"])
        assert running.clipboard == "\n".join(canvas.canvas.lines) + "\n"


async def test_a_chain_of_a_thousand_is_drawn_without_a_widget_for_each_and_stays_navigable() -> None:
    chain = {f"a/s{n}": [f"a/s{n + 1}"] for n in range(1000)}
    async with (running := app(workspace(graph_of(chain)), "a/s0")).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert len(running.query("*")) < 20
        await press(pilot, ["right"] * 5)
        assert selected(running) == "a/s5"
        assert "a/s5" in screen_text(running)


async def test_what_cannot_be_drawn_is_said() -> None:
    of = workspace(IncludeGraph((), ()))
    async with (running := app(of, None)).run_test() as pilot:
        await settle(pilot)
        assert "nothing to draw" in screen_text(running)


async def test_a_skill_that_is_gone_is_said() -> None:
    class Gone(Graphs):
        def graph(self, name: str | None = None, radius: int | None = None) -> IncludeGraph:
            self.flatten("local/none")
            raise AssertionError

    of = FakeWorkspace(Gone())
    with pytest.raises(SkillFailure):
        of.catalogue.graph("x")
    async with (running := app(of)).run_test() as pilot:
        await settle(pilot)
        assert "no skill is called local/none" in screen_text(running)


async def test_nasty_names_and_source_lines_are_shown_and_do_nothing() -> None:
    place = Place("skills/[/nope].yaml", 1, 1)
    nodes = tuple(GraphNode(name, None, SkillStatus.UNRESOLVED, True) for name in (NASTY, "a/[@click=app.quit]b"))
    edges = (GraphEdge(nodes[0].name, nodes[1].name, place, True), GraphEdge(nodes[1].name, nodes[0].name, place, True))
    graph = IncludeGraph(nodes, edges, ((nodes[0].name, nodes[1].name),), 1)
    of = workspace(graph)
    of.texts["skills/[/nope].yaml"] = f"{NASTY}\n"
    async with (running := app(of, NASTY)).run_test(size=(160, 40)) as pilot:
        await settle(pilot)
        await press(pilot, ["right", "left", "c", "down"])
        shown = screen_text(running)
        assert "[@click=app.quit]" in shown
        assert not any(ord(char) < 32 and char != "\n" for char in shown)
        assert "\u202e" not in shown
