"""The drawing of the include graph, read back from its characters."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picture_tracer import Tracer

from core.diagnostics import Place
from core.resolve.canvas import Canvas, glyph
from core.resolve.layout import TooLarge, draw
from core.resolve.views import GraphEdge, GraphNode, IncludeGraph, SkillStatus
from core.resolve.width import text_width

Pair = tuple[str, str]


def graph(edges: list[Pair], names: list[str] | None = None, ghosts: frozenset[str] = frozenset()) -> IncludeGraph:
    known = dict.fromkeys([*(names or ()), *(name for edge in edges for name in edge)])
    nodes = tuple(GraphNode(name, None, SkillStatus.RESOLVED, name in ghosts) for name in known)
    return IncludeGraph(nodes, tuple(GraphEdge(start, end, Place("s.yaml")) for start, end in edges))


NAMES = ["a", "local/b", "team/a-longer-name", "技能/漢字", "e", "f", "g", "h", "i", "j"]


@st.composite
def graphs(draw: st.DrawFn) -> list[Pair]:
    names = NAMES[: draw(st.integers(1, len(NAMES)))]
    return draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=25, unique=True))


@given(graphs())
@settings(max_examples=300, deadline=None)
def test_the_drawn_lines_lead_back_to_exactly_the_edges(edges: list[Pair]) -> None:
    canvas = draw(graph(edges, NAMES))
    assert Tracer(canvas).edges() == sorted(edges)


@given(st.integers(20, 60), st.integers(1, 4), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_larger_graphs_read_back_too(count: int, fan: int, random: Random) -> None:
    edges = _random_edges(count, fan, random)
    assert Tracer(draw(graph(edges))).edges() == sorted(edges)


def _random_edges(count: int, fan: int, random: Random) -> list[Pair]:
    picks = [(random.randrange(count), random.randrange(count)) for _ in range(count * fan)]
    return list(dict.fromkeys((f"n{a}", f"n{b}") for a, b in picks))


@given(graphs())
@settings(max_examples=100, deadline=None)
def test_every_edge_knows_its_cells_and_they_make_an_unbroken_line(edges: list[Pair]) -> None:
    canvas = draw(graph(edges, NAMES))
    grid = _grid(canvas.lines)
    covered = set()
    for path in canvas.edges:
        cells = [(x, y) for x, y, _ in path.cells()]
        for (x, y), (next_x, next_y) in pairwise(cells):
            assert abs(x - next_x) + abs(y - next_y) == 1
        assert all(grid.get(cell, " ") != " " for cell in cells)
        covered.update(cells)
    labels = {(r.x + at, r.y) for r in canvas.nodes.values() for at in range(r.width)}
    assert not covered & labels
    assert {cell for cell, char in grid.items() if char != " "} - labels == covered


def _grid(lines: tuple[str, ...]) -> dict[tuple[int, int], str]:
    grid = {}
    for y, line in enumerate(lines):
        x = 0
        for char in line:
            grid[x, y] = char
            grid.update({(x + more, y): char for more in range(1, text_width(char))})
            x += text_width(char)
    return grid


def test_a_chain_is_one_straight_line() -> None:
    assert draw(graph([("a", "b"), ("b", "c")])).lines == ("a──▸b──▸c",)


def test_a_diamond_shows_where_two_lines_become_one() -> None:
    edges = [("top", "left"), ("top", "right"), ("left", "base"), ("right", "base")]
    assert draw(graph(edges)).lines == (
        "top─┬─▸left──╤═▸base",
        "    ╰─▸right─╯",
    )


def test_an_edge_that_closes_a_cycle_comes_out_below_its_start_and_points_back() -> None:
    canvas = draw(graph([("a", "b"), ("b", "a")]))
    assert canvas.lines == (
        "a─┬─▸b",
        "  ╰─◂╯",
    )
    assert [(path.start, path.end, path.backward) for path in canvas.edges] == [("a", "b", False), ("b", "a", True)]


def test_a_node_that_includes_itself_is_marked() -> None:
    assert draw(graph([("a", "a")])).lines == ("a ↺",)


def test_a_name_that_no_file_defines_is_marked() -> None:
    assert draw(graph([("a", "b")], ghosts=frozenset({"b"}))).lines == ("a──▸b ?",)


def test_nodes_without_edges_stand_one_below_the_other() -> None:
    assert draw(graph([], ["a", "b"])).lines == ("a", "b")


def test_an_empty_graph_is_an_empty_drawing() -> None:
    canvas = draw(graph([]))
    assert (canvas.lines, canvas.width, canvas.edges) == ((), 0, ())


def test_crossing_lines_are_drawn_differently_from_joining_ones() -> None:
    canvas = draw(graph([("a", "x"), ("b", "x"), ("a", "y"), ("b", "y")]))
    cells = [(x, y) for y in range(canvas.height) for x in range(canvas.width)]
    crossings = [(x, y) for x, y in cells if _crosses(canvas, x, y)]
    assert crossings
    for x, y in crossings:
        assert canvas.lines[y][x] in "│║"


def _crosses(canvas: Canvas, x: int, y: int) -> bool:
    paths = [canvas.edges[number] for number in canvas.edges_at(x, y)]
    ways = {toward for path in paths for cx, cy, toward in path.cells() if (cx, cy) == (x, y)}
    return ways == {3, 12}


def test_long_labels_are_cut_by_the_cells_they_take() -> None:
    canvas = draw(graph([("漢" * 30, "b")]), most_label=9)
    assert canvas.lines == ("漢漢漢漢…──▸b",)
    assert canvas.nodes["漢" * 30].width == 9


@given(graphs())
@settings(max_examples=100, deadline=None)
def test_a_lit_line_is_the_whole_way_of_its_edges_but_for_what_is_drawn_through_it(edges: list[Pair]) -> None:
    canvas = draw(graph(edges, NAMES))
    grid = _grid(canvas.lines)
    for name in canvas.nodes:
        numbers = canvas.edges_of(name)
        ways = {(x, y) for number in numbers for x, y, _ in canvas.edges[number].cells()}
        lit = canvas.highlight(numbers)
        assert lit <= ways
        assert all(grid[cell] in "│║" and set(canvas.edges_at(*cell)) - set(numbers) for cell in ways - lit)


def test_where_lines_meet_a_lit_one_keeps_the_joint() -> None:
    canvas = draw(graph([("top", "left"), ("top", "right")]))
    (number,) = canvas.edges_of("right")
    joint = (4, 0)
    assert joint in canvas.highlight((number,))
    assert canvas.lines[0][4] == "┬"


def test_a_cell_of_a_label_names_its_node() -> None:
    canvas = draw(graph([("top", "left")]))
    assert canvas.node_at(1, 0) == "top"
    assert canvas.node_at(3, 0) is None


def test_names_with_controls_are_shown_not_passed_on() -> None:
    (line,) = draw(graph([("a\x1b[31m\n", "b")])).lines
    assert "\x1b" not in line
    assert line == "a␛[31m␊──▸b"


@pytest.mark.parametrize("double", [False, True])
def test_every_direction_has_a_character(double: bool) -> None:
    drawn = {glyph(directions, upright_double=double) for directions in range(1, 16)}
    assert " " not in drawn
    assert drawn


def test_a_chain_of_five_thousand_is_drawn() -> None:
    canvas = draw(graph([(f"c{n}", f"c{n + 1}") for n in range(5_000)]))
    assert canvas.height == 1
    assert len(canvas.nodes) == 5_001


def test_a_complete_graph_of_forty_is_drawn_whole() -> None:
    edges = [(f"k{a:02}", f"k{b:02}") for a in range(40) for b in range(40) if a != b]
    assert Tracer(draw(graph(edges))).edges() == sorted(edges)


def test_what_is_too_large_to_draw_says_so() -> None:
    edges = [(f"c{n}", f"c{n + 1}") for n in range(400)]
    edges += [(f"c{n}", f"c{m}") for n in range(0, 400, 2) for m in range(n + 2, 400, 2)]
    with pytest.raises(TooLarge):
        draw(graph(edges))
