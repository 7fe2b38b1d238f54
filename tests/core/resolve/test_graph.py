"""The include graph around a skill and its exports; include paths of a tool (interfaces, part 1)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resolve_builder import Builder, Resolve, skill

from core.protocol import SkillFailure
from core.resolve.catalogue import Catalogue
from core.resolve.export import to_dot, to_mermaid, to_text
from core.resolve.paths import include_paths


@pytest.fixture
def chain() -> Catalogue:
    builder = Builder()
    builder.tool("local/t", read_only=True)
    for name, below in (("a", "b"), ("b", "c"), ("c", "d"), ("d", "gone")):
        builder.skill(f"local/{name}", ["local/t"] if name == "d" else [], [f"local/{below}"])
    return Catalogue(builder.declarations)


def names(catalogue: Catalogue, name: str | None = None, radius: int | None = None) -> list[str]:
    return [node.name.removeprefix("local/") for node in catalogue.graph(name, radius).nodes]


def test_the_graph_has_ghosts_for_what_no_file_defines(chain: Catalogue) -> None:
    nodes = {node.name: (node.ghost, node.path) for node in chain.graph().nodes}
    assert nodes["local/gone"] == (True, None)
    assert nodes["local/d"] == (False, "skills/local-d.yaml")
    assert [(e.start, e.end) for e in chain.graph().edges][-1] == ("local/d", "local/gone")


@pytest.mark.parametrize(
    ("radius", "expected"), [(None, ["a", "b", "c", "d", "gone"]), (1, ["a", "b", "c"]), (0, ["b"])]
)
def test_the_graph_around_a_skill_goes_as_far_as_asked(
    chain: Catalogue, radius: int | None, expected: list[str]
) -> None:
    assert names(chain, "local/b", radius) == expected


def test_the_graph_around_a_skill_leaves_its_siblings_out(resolve: Resolve) -> None:
    files = {**skill("top", "includes: [local/l, local/r]\n"), **skill("l"), **skill("r")}
    assert names(resolve(files), "local/l") == ["l", "top"]


def test_a_graph_around_nothing_is_a_failure_with_the_nearest_names(chain: Catalogue) -> None:
    with pytest.raises(SkillFailure):
        chain.graph("local/zzz")
    assert names(chain, "local/gone", 1) == ["d", "gone"]


def test_cycles_and_cut_are_those_of_the_part_that_is_shown() -> None:
    builder = Builder()
    for name, below in (("a", ["a"]), ("x", ["y"]), ("y", ["x"]), ("z", ["y"])):
        builder.skill(f"local/{name}", [], [f"local/{end}" for end in below])
    catalogue = Catalogue(builder.declarations)
    assert (catalogue.graph("local/a").cycles, catalogue.graph("local/a").suggested_cut) == (
        (("local/a",),),
        ("local/a", "local/a"),
    )
    assert catalogue.graph("local/z").cycles == (("local/x", "local/y"),)
    assert catalogue.graph("local/z", 1).cycles == ()
    assert catalogue.graph().cycle_count == 2


def test_text_is_the_drawing_with_the_cycles_below() -> None:
    builder = Builder()
    builder.skill("local/a", [], ["local/b"])
    builder.skill("local/b", [], ["local/a", "local/gone"])
    text = to_text(Catalogue(builder.declarations).graph())
    assert text.splitlines()[0].startswith("local/a ↺─┬─▸local/b ↺")
    assert "local/gone ?" in text
    assert "↺ local/a -> local/b -> local/a\n" in text
    assert text.endswith("cut: remove the include of local/b by local/a\n")


def test_a_graph_too_large_to_draw_is_listed() -> None:
    builder = Builder()
    for at in range(300):
        below = [f"local/c{other:03}" for other in range(at + 1, 300) if other == at + 1 or (other + at) % 2]
        builder.skill(f"local/c{at:03}", [], below)
    lines = to_text(Catalogue(builder.declarations).graph()).splitlines()
    assert lines[298] == "local/c298 ▸ local/c299"
    assert lines[299] == "local/c299"


def test_mermaid_and_dot_mark_cycles_and_ghosts() -> None:
    builder = Builder()
    builder.skill("local/a", [], ["local/a", "local/gone"])
    graph = Catalogue(builder.declarations).graph()
    assert to_mermaid(graph).splitlines() == [
        "flowchart LR",
        '  n0["local/a"]',
        '  n1["local/gone ?"]:::ghost',
        "  n0 ==> n0",
        "  n0 --> n1",
        "  classDef ghost stroke-dasharray: 4 3",
    ]
    assert to_dot(graph).splitlines()[3:-1] == [
        '  "local/a";',
        '  "local/gone" [style=dashed];',
        '  "local/a" -> "local/a" [color=red, style=bold];',
        '  "local/a" -> "local/gone";',
    ]


def test_names_can_t_break_out_of_an_export() -> None:
    evil = 'x"]; click n0 "javascript:1"\n\x1b[0m\\'
    builder = Builder()
    builder.skill("local/a", [], [evil])
    graph = Catalogue(builder.declarations).graph()
    for text in (to_mermaid(graph), to_dot(graph), to_text(graph)):
        assert "\x1b" not in text
    assert '"]; click' not in to_mermaid(graph)
    assert r"x\"]; click" in to_dot(graph)
    assert "\\\\" in to_dot(graph)


def test_why_gives_the_paths_shortest_first_and_the_flags(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("top", "includes: [local/long, local/short]\ntools: [builtin/read_file]\n"),
            **skill("long", "includes: [local/mid]\n"),
            **skill("mid", "tools: [builtin/read_file]\n"),
            **skill("short", "tools: [builtin/read_file]\n"),
        }
    )
    why = catalogue.why("local/top", "builtin/read_file")
    assert why.paths == (
        ("local/top",),
        ("local/top", "local/short"),
        ("local/top", "local/long", "local/mid"),
    )
    assert (why.path_count, why.tool) == (3, "builtin/read_file")
    assert why.flags["read_only"].value is True
    assert catalogue.why("local/top", "builtin/file-read").tool == "builtin/read_file"


def test_why_of_a_tool_that_is_not_there_gives_the_nearest(chain: Catalogue) -> None:
    with pytest.raises(SkillFailure) as caught:
        chain.why("local/a", "local/tt")
    error = caught.value.error
    assert (error.error_type, error.tool_name) == ("resolution_failure", "local/tt")
    assert error.details["nearest"] == ["local/t"]
    with pytest.raises(SkillFailure) as caught:
        chain.why("local/zzz", "local/t")
    assert caught.value.error.error_type == "skill_not_found"


@st.composite
def dags(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(1, 7))
    return [draw(st.lists(st.integers(n + 1, count - 1), unique=True)) if n < count - 1 else [] for n in range(count)]


@given(dags(), st.sets(st.integers(0, 6)))
@settings(max_examples=300, deadline=None)
def test_paths_are_all_paths_shortest_first(children: list[list[int]], goals: set[int]) -> None:
    goals = {goal for goal in goals if goal < len(children)}
    parents = [[p for p in range(len(children)) if node in children[p]] for node in range(len(children))]
    every = [path for path in _walk(children, [0]) if path[-1] in goals]
    found, count = include_paths(children, parents, 0, goals, most=1_000)
    assert count == len(every)
    assert sorted(found) == sorted(every)
    assert [len(path) for path in found] == sorted(len(path) for path in every)
    few, _ = include_paths(children, parents, 0, goals, most=3)
    assert few == found[:3]


def _walk(children: list[list[int]], path: list[int]) -> list[list[int]]:
    return [path, *(longer for child in children[path[-1]] for longer in _walk(children, [*path, child]))]
