"""Include cycles: found, told at each include, cut; large shapes answered at once (resolution, part 2)."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resolve_builder import Builder, Resolve, codes, skill

from core.diagnostics import Diagnostic
from core.protocol import SkillErrorType
from core.resolve.catalogue import Catalogue
from core.resolve.cycles import Budget, arrows, cycles_of, normal, pairs
from core.resolve.graph import components


def of(*edges: tuple[str, str]) -> Catalogue:
    """Return the catalogue of skills that include each other as the pairs say."""
    builder = Builder()
    names = sorted({name for edge in edges for name in edge})
    for name in names:
        builder.skill(f"local/{name}", includes=[f"local/{end}" for start, end in edges if start == name])
    return Catalogue(builder.declarations)


def cycle_findings(catalogue: Catalogue) -> list[Diagnostic]:
    return [found for found in catalogue.diagnostics() if found.code == "include/cycle"]


def test_each_include_of_a_cycle_is_told_at_its_own_line(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("a", "includes:\n  - local/b\n"),
            **skill("b", "includes:\n  - local/c\n"),
            **skill("c", "includes:\n  - local/leaf\n  - local/a\n"),
            **skill("leaf", "tools: [builtin/read_file]\n"),
            **skill("user", "includes: [local/a, local/leaf]\n"),
        }
    )
    found = catalogue.diagnostics()
    assert [(f.code, f.skill, f.place.path, f.place.line, f.place.column) for f in found] == [
        ("include/cycle", "local/a", "skills/a.yaml", 4, 5),
        ("include/cycle", "local/b", "skills/b.yaml", 4, 5),
        ("include/cycle", "local/c", "skills/c.yaml", 5, 5),
    ]
    assert "local/a -> local/b -> local/c -> local/a" in found[0].message
    assert "local/b -> local/c -> local/a -> local/b" in found[1].message
    assert [item.place.path for item in found[0].related] == ["skills/b.yaml", "skills/c.yaml"]


def test_the_proposed_cut_says_where_it_is_and_how_many_skills_resolve_then(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("a", "includes: [local/b]\n"),
            **skill("b", "includes:\n  - local/a\n"),
            **skill("user", "includes: [local/a]\n"),
        }
    )
    cut = "remove the include of `local/a` by `local/b` (skills/b.yaml:4): 3 skills would then resolve"
    assert {found.hint for found in cycle_findings(catalogue)} == {cut}
    assert catalogue.graph().suggested_cut == ("local/b", "local/a")
    assert catalogue.graph().cut_resolves == 3


def test_the_cut_is_the_include_that_breaks_most_cycles() -> None:
    catalogue = of(("a", "b"), ("b", "c"), ("c", "a"), ("b", "d"), ("d", "a"))
    assert catalogue.graph().suggested_cut == ("local/a", "local/b")


def test_a_cut_does_not_promise_what_another_fault_prevents(resolve: Resolve) -> None:
    broken = skill("a", "includes: [local/a]\ntools: [local/gone]\n")
    catalogue = resolve({**broken, **skill("u", "includes: [local/a]\n")})
    (found,) = cycle_findings(catalogue)
    assert found.hint == "remove the include of `local/a` by itself (skills/a.yaml:3)"


def test_a_self_include_is_a_cycle_of_one(resolve: Resolve) -> None:
    catalogue = resolve(skill("a", "includes: [local/a]\n"))
    (found,) = catalogue.diagnostics()
    assert "`local/a` includes itself, which closes a cycle: local/a -> local/a" in found.message
    assert catalogue.graph().cycles == (("local/a",),)
    (error,) = catalogue.flatten("local/a").errors
    assert (error.error_type, error.details["cycle"]) == (SkillErrorType.CYCLE_DETECTED, ["local/a"])


def test_a_diamond_is_no_cycle() -> None:
    catalogue = of(("top", "l"), ("top", "r"), ("l", "base"), ("r", "base"))
    assert codes(catalogue) == []
    assert all(row.status == "resolved" for row in catalogue.skills())


def test_a_skill_in_a_cycle_gives_nothing_to_others_and_keeps_what_is_healthy(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("a", "includes: [local/b, local/leaf]\ntools: [builtin/git_log]\n"),
            **skill("b", "includes: [local/a]\n"),
            **skill("leaf", "tools: [builtin/read_file]\n"),
            **skill("user", "includes: [local/a]\ntools: [builtin/git_diff]\n"),
        }
    )
    assert [str(row.status) for row in catalogue.skills()] == ["unresolved", "unresolved", "resolved", "partial"]
    assert [r.name for r in catalogue.flatten("local/a").records] == ["builtin/read_file", "builtin/git_log"]
    assert [r.name for r in catalogue.flatten("local/user").records] == ["builtin/git_diff"]
    assert [error.error_type for error in catalogue.flatten("local/a").errors] == ["cycle_detected"]
    assert not catalogue.flatten("local/user").metadata.read_only


def test_two_cycles_in_one_group_are_listed_shortest_first_and_an_include_is_told_once() -> None:
    catalogue = of(("a", "b"), ("b", "a"), ("b", "c"), ("c", "a"))
    assert catalogue.graph().cycles == (("local/a", "local/b"), ("local/a", "local/b", "local/c"))
    assert len(cycle_findings(catalogue)) == 4


def test_edges_outside_cycles_are_marked_so() -> None:
    edges = {(e.start, e.end): e.in_cycle for e in of(("u", "a"), ("a", "a"), ("a", "l")).graph().edges}
    assert edges == {
        ("local/u", "local/a"): False,
        ("local/a", "local/a"): True,
        ("local/a", "local/l"): False,
    }


def test_a_long_cycle_shows_twelve_names_and_at_most_fifty_includes() -> None:
    ring = of(*((f"n{at:03}", f"n{(at + 1) % 200:03}") for at in range(200)))
    found = cycle_findings(ring)
    assert len(found) == 50
    assert " -> … 189 more … -> " in found[0].message
    assert found[0].message.count("local/n") - found[0].message.count("`local/n") == 12
    assert len(ring.graph().cycles[0]) == 200
    (error,) = ring.flatten("local/n000").errors
    assert len(error.details["cycle"]) == 200
    assert len(error.details["edges"]) == 50


def test_cycles_beyond_fifty_are_counted() -> None:
    names = [f"n{at:02}" for at in range(40)]
    catalogue = of(*((a, b) for a in names for b in names if a != b))
    graph = catalogue.graph()
    assert (len(graph.cycles), graph.cycle_count) == (50, 780)
    assert len(graph.edges) == 1560
    assert all(edge.in_cycle for edge in graph.edges)
    found = cycle_findings(catalogue)
    assert len(found) == 100
    assert sum("730 more cycles among these 40 skills" in f.message for f in found) == 1


def test_a_lattice_with_two_to_the_fortieth_paths_is_ordinary() -> None:
    builder = Builder()
    builder.tool("local/t", writes=True)
    for layer in range(40):
        below = [f"local/l{layer + 1:02}-{side}" for side in range(2)] if layer < 39 else []
        for side in range(2):
            builder.skill(f"local/l{layer:02}-{side}", [] if below else ["local/t"], below)
    catalogue = Catalogue(builder.declarations)
    assert codes(catalogue) == []
    assert [r.name for r in catalogue.flatten("local/l00-0").records] == ["local/t"]
    why = catalogue.why("local/l00-0", "local/t")
    assert why.path_count == 2**39
    assert len(why.paths) == 20
    assert {len(path) for path in why.paths} == {40}


def test_a_chain_of_five_thousand_resolves() -> None:
    builder = Builder()
    builder.tool("local/t", read_only=True)
    builder.skill("local/c5000", ["local/t"])
    for at in range(5_000):
        builder.skill(f"local/c{at}", [], [f"local/c{at + 1}"])
    catalogue = Catalogue(builder.declarations)
    assert codes(catalogue) == []
    assert catalogue.flatten("local/c0").metadata.read_only
    assert len(catalogue.why("local/c0", "local/t").paths[0]) == 5_001
    assert all(row.status == "resolved" for row in catalogue.skills())


def test_a_broken_end_of_a_long_chain_breaks_all_above_it() -> None:
    builder = Builder()
    builder.skill("local/c3000", [], ["local/gone"])
    for at in range(3_000):
        builder.skill(f"local/c{at}", [], [f"local/c{at + 1}"])
    catalogue = Catalogue(builder.declarations)
    assert codes(catalogue) == ["include/missing"]
    (error,) = catalogue.flatten("local/c0").errors
    assert error.error_type == "resolution_failure"
    assert error.details["chain_length"] == 3_001
    assert error.details["cause"]["include"] == "local/gone"


edge_lists = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=24)


@given(edge_lists)
@settings(max_examples=300, deadline=None)
def test_components_are_those_of_networkx(edges: list[tuple[int, int]]) -> None:
    lists = [[b for a, b in edges if a == node] for node in range(8)]
    expected = {frozenset(found) for found in nx.strongly_connected_components(_digraph(edges))}
    assert {frozenset(found) for found in components(lists).members} == expected


@given(edge_lists)
@settings(max_examples=300, deadline=None)
def test_the_shortest_cycle_through_each_include_is_listed(edges: list[tuple[int, int]]) -> None:
    graph = _digraph(edges)
    lists = [list(dict.fromkeys(b for a, b in edges if a == node)) for node in range(8)]
    listed = set()
    for members in components(lists).cyclic(lists):
        found = cycles_of(lists, members, Budget())
        assert found.exact
        listed.update(found.listed)
    every = {normal(tuple(cycle)) for cycle in nx.simple_cycles(graph)}
    assert listed <= every
    for edge in graph.edges:
        through = [cycle for cycle in every if edge in set(pairs(cycle))]
        if through:
            shortest = min(map(len, through))
            assert any(len(cycle) == shortest and edge in set(pairs(cycle)) for cycle in listed)


def _digraph(edges: list[tuple[int, int]]) -> nx.DiGraph[int]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(8))
    graph.add_edges_from(edges)
    return graph


def test_a_search_out_of_steps_still_names_a_cycle_and_says_that_there_may_be_more() -> None:
    lists = [[(node + 1) % 30, (node + 2) % 30] for node in range(30)]
    found = cycles_of(lists, list(range(30)), Budget(left=1))
    assert found.listed
    assert not found.exact


@pytest.mark.parametrize(("count", "shown"), [(12, 12), (13, 13), (40, 13)])
def test_arrows_leave_out_the_middle(count: int, shown: int) -> None:
    assert len(arrows([str(n) for n in range(count)]).split(" -> ")) == shown
