"""The tree as data: what stands below what, and what is made only when looked at."""

from __future__ import annotations

from dataclasses import replace

from fakes import FakeCatalogue, FakeWorkspace, row, story, tool

from core.resolve.views import IncludeView, SkillStatus
from explorer.services.outline import Kind, Node, Outline


def names(nodes: list[Node] | tuple[Node, ...]) -> list[str]:
    return [node.label for node in nodes]


def outline() -> Outline:
    return Outline(story())  # type: ignore[arg-type]  # a fake with the real views


def below(tree: Outline, *labels: str) -> tuple[Node, ...]:
    nodes = tree.roots()
    for label in labels:
        nodes = tree.children(next(n for n in nodes if n.label == label))
    return nodes


def test_actors_come_first_then_namespaces_then_unassigned_sources() -> None:
    assert names(outline().roots()) == ["Actors", "local", "team", "Unassigned"]


def test_a_skill_opens_to_its_includes_and_its_own_tools_by_source() -> None:
    assert names(below(outline(), "local", "release-desk")) == ["includes", "own tools"]
    assert names(below(outline(), "local", "file-ops", "built-in tools")) == ["read_file", "write_file"]
    assert names(below(outline(), "local", "release-desk", "includes")) == ["file-ops", "notes"]


def test_an_actor_opens_to_its_skills() -> None:
    assert names(below(outline(), "Actors", "local/release-bot")) == ["local/release-desk"]


def test_an_include_that_closes_a_cycle_or_leads_nowhere_does_not_open() -> None:
    catalogue = FakeCatalogue()
    includes = (
        IncludeView("local/a", SkillStatus.UNRESOLVED, "skills/a.yaml", 3, in_cycle=True),
        IncludeView("local/gone", SkillStatus.UNRESOLVED, "skills/a.yaml", 4, ghost=True),
    )
    catalogue.rows["local/a"] = row("local/a", [], status=SkillStatus.UNRESOLVED)
    catalogue.rows["local/a"] = replace(catalogue.rows["local/a"], includes=includes)
    tree = Outline(FakeWorkspace(catalogue))  # type: ignore[arg-type]
    assert [n.expandable for n in below(tree, "local", "a", "includes")] == [False, False]


def test_only_what_is_unfolded_is_made() -> None:
    tree = outline()
    rows = tree.rows({("namespace", "local")})
    assert names(rows) == ["Actors", "local", "file-ops", "notes", "release-desk", "team", "Unassigned"]
    assert [node.depth for node in rows] == [0, 0, 1, 1, 1, 0, 0]


def test_a_chain_of_more_includes_than_the_stack_is_deep_unfolds_without_recursion() -> None:
    catalogue, depth = FakeCatalogue(), 1_200
    for n in range(depth):
        catalogue.rows[f"x/s{n}"] = row(f"x/s{n}", [], (f"x/s{n + 1}",))
    catalogue.rows[f"x/s{depth}"] = row(f"x/s{depth}", [tool("x/t")])
    tree = Outline(FakeWorkspace(catalogue))  # type: ignore[arg-type]
    opened = {("namespace", "x")}
    node = next(n for n in tree.children(tree.roots()[0]) if n.name == "x/s0")
    for _ in range(depth):
        branch = tree.children(node)[0]
        opened |= {node.key, branch.key}
        node = tree.children(branch)[0]
    assert len(tree.rows(opened)) > 2 * depth


def test_the_way_to_a_tool_leads_through_its_branch() -> None:
    way = outline().way_to("local/release-desk", "local/changelog-reader")
    assert names(way) == ["local", "release-desk", "own tools", "changelog-reader"]
    assert outline().way_to("local/none") == []


def test_the_key_of_a_row_is_the_same_after_a_reload() -> None:
    assert [n.key for n in outline().roots()] == [n.key for n in outline().roots()]


def test_rows_know_what_they_stand_for() -> None:
    tree = outline()
    assert [n.kind for n in below(tree, "Unassigned")] == [Kind.AGENT_SKILL]
    assert {n.skill for n in below(tree, "local", "file-ops", "built-in tools")} == {"local/file-ops"}
