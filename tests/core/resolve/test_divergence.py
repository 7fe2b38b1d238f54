"""One tool by several ways: joined cautiously, told once where the ways first meet (resolution, part 1)."""

from __future__ import annotations

from resolve_builder import Builder, Files, Resolve, codes, record, skill, tool

from core.model import ToolStatus
from core.resolve import divergence
from core.resolve.catalogue import Catalogue

CAREFUL = "includes:\n  - name: local/base\n    overrides:\n      local/t: {human_approval_required: true}\n"


def diamond(**more: str) -> Files:
    found = {**tool(), **skill("base", "tools: [local/t]\n"), **skill("left", CAREFUL)}
    for name, body in {"right": "includes: [local/base]\n", **more}.items():
        found.update(skill(name, body))
    return found


def test_the_more_cautious_value_holds_and_the_place_is_the_include_that_brings_another(resolve: Resolve) -> None:
    catalogue = resolve(diamond(top="includes:\n  - local/right\n  - local/left\n"))
    assert record(catalogue, "local/top").capability.human_approval_required is True
    (found,) = catalogue.diagnostics()
    assert (found.code, found.severity) == ("tool/override-divergence", "warning")
    assert (found.skill, found.tool) == ("local/top", "local/t")
    assert (found.place.path, found.place.line, found.place.column) == ("skills/top.yaml", 5, 5)
    assert [item.place.line for item in found.related] == [4]
    assert "`human_approval_required`" in found.message


def test_an_override_of_the_merging_skill_settles_it(resolve: Resolve) -> None:
    body = "includes: [local/right, local/left]\noverrides:\n  local/t: {human_approval_required: true}\n"
    catalogue = resolve(diamond(top=body))
    assert codes(catalogue) == []


def test_settling_another_field_settles_nothing(resolve: Resolve) -> None:
    body = "includes: [local/right, local/left]\noverrides:\n  local/t: {unsafe: true}\n"
    assert codes(resolve(diamond(top=body))) == ["tool/override-divergence"]


def test_settling_reading_settles_writing(resolve: Resolve) -> None:
    reader = tool(capability="{read_only: true}")
    writing = "includes:\n  - {name: local/base, overrides: {local/t: {writes: true}}}\n"
    settled = "includes: [local/right, local/left]\noverrides:\n  local/t: {writes: true}\n"
    assert codes(resolve({**diamond(top=settled), **reader, **skill("left", writing)})) == []


def test_ways_that_say_the_same_don_t_diverge(resolve: Resolve) -> None:
    catalogue = resolve(diamond(other=CAREFUL, top="includes: [local/left, local/other]\n"))
    assert codes(catalogue) == []


def test_it_is_told_where_the_ways_first_meet_and_not_again_above(resolve: Resolve) -> None:
    catalogue = resolve(
        diamond(
            top="includes: [local/right, local/left]\n",
            above="includes: [local/top]\n",
            again="includes: [local/above, local/base]\n",
        )
    )
    assert [(found.code, found.skill) for found in catalogue.diagnostics()] == [
        ("include/redundant", "local/again"),
        ("tool/override-divergence", "local/top"),
    ]


def test_a_further_value_that_joins_above_is_told_again(resolve: Resolve) -> None:
    lax = "includes:\n  - {name: local/base, overrides: {local/t: {human_approval_required: false}}}\n"
    catalogue = resolve(
        diamond(top="includes: [local/right, local/left]\n", lax=lax, above="includes: [local/top, local/lax]\n")
    )
    assert [found.skill for found in catalogue.diagnostics()] == ["local/above", "local/top"]


def test_listing_a_tool_beside_an_include_that_changes_it_diverges_at_the_entry(resolve: Resolve) -> None:
    (found,) = resolve(diamond(top="includes: [local/left]\ntools:\n  - local/t\n")).diagnostics()
    assert (found.code, found.place.line, found.place.column) == ("tool/override-divergence", 5, 5)


def test_two_includes_of_one_skill_with_different_overrides_diverge(resolve: Resolve) -> None:
    body = "includes:\n  - local/base\n  - {name: local/base, overrides: {t: {unsafe: true}}}\n"
    catalogue = resolve(diamond(top=body))
    assert record(catalogue, "local/top").capability.unsafe is True
    assert codes(catalogue) == ["tool/override-divergence"]


def test_the_join_takes_the_least_timeout_the_union_of_effects_and_the_first_text(resolve: Resolve) -> None:
    left = "{timeout: 5, description: left, side_effects: [b, a], checkpoint_scope: left}"
    right = "{timeout: 9, description: right, side_effects: [c], checkpoint_scope: right}"
    catalogue = resolve(
        {
            **tool(),
            **skill("base", "tools: [local/t]\n"),
            **skill("l", f"includes: [local/base]\noverrides: {{local/t: {left}}}\n"),
            **skill("r", f"includes: [local/base]\noverrides: {{local/t: {right}}}\n"),
            **skill("top", "includes: [local/r, local/l]\n"),
        }
    )
    found = record(catalogue, "local/top")
    assert (found.timeout, found.description) == (5, "right")
    assert found.capability.side_effects == ["a", "b", "c"]
    assert found.capability.checkpoint_scope == "right"


def test_the_first_text_is_that_of_the_first_way_however_deep(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(),
            **skill("base", "tools: [local/t]\n"),
            **skill("deep", "includes: [local/base]\n"),
            **skill("named", "includes: [local/base]\noverrides: {local/t: {description: named}}\n"),
            **skill("a", "includes: [local/deep, local/named]\n"),
            **skill("b", "includes: [local/named, local/deep]\n"),
        }
    )
    assert record(catalogue, "local/a").description == "Itself."
    assert record(catalogue, "local/b").description == "named"


def test_different_definitions_of_one_name_are_an_error_at_both_places_and_can_t_be_called(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("a", "mcp_servers:\n  - {name: github, command: one, tools: [list]}\n"),
            **skill("b", "mcp_servers:\n  - {name: github, command: two, tools: [list, get]}\n"),
            **skill("top", "includes: [local/a, local/b]\n"),
            **skill("above", "includes: [local/top]\n"),
        }
    )
    found = catalogue.diagnostics()
    assert [(f.code, f.severity, f.place.path, f.place.line) for f in found] == [
        ("tool/name-collision", "error", "skills/a.yaml", 4),
        ("tool/name-collision", "error", "skills/b.yaml", 4),
    ]
    assert all("`local/top`" in f.message and f.tool == "github/list" for f in found)
    flat = catalogue.flatten("local/above")
    assert [(r.name, r.status) for r in flat.records] == [
        ("github/list", ToolStatus.UNAVAILABLE),
        ("github/get", ToolStatus.UNDISCOVERED),
    ]
    assert (flat.status, flat.metadata.tool_count) == ("resolved", 2)
    assert catalogue.flatten("local/a").records[0].status == "undiscovered"


def test_equal_servers_of_two_skills_are_one_definition(resolve: Resolve) -> None:
    server = "mcp_servers:\n  - {name: github, command: one, env: {TOKEN: x}, tools: [list]}\n"
    catalogue = resolve({**skill("a", server), **skill("b", server), **skill("top", "includes: [local/a, local/b]\n")})
    assert codes(catalogue) == []
    assert len(catalogue.flatten("local/top").records) == 1
    assert [(entry.decl.label, entry.skills) for entry in catalogue.servers()] == [("github", ("local/a", "local/b"))]


def test_two_tool_files_of_one_name_are_told_at_both_and_leave_the_tool_unavailable(resolve: Resolve) -> None:
    files = {**tool(), "tools/other.yaml": tool(capability="{read_only: true}")["tools/local-t.yaml"]}
    catalogue = resolve({**files, **skill("s", "tools: [local/t]\n")})
    assert [(f.code, f.place.path) for f in catalogue.diagnostics()] == [
        ("tool/name-collision", "tools/local-t.yaml"),
        ("tool/name-collision", "tools/other.yaml"),
    ]
    (found,) = catalogue.flatten("local/s").records
    assert found.status == "unavailable"
    assert found.gate_capability.counts_as_writing
    row = catalogue.skill("local/s")
    assert row is not None
    assert (row.tools, row.summary.write_tools, row.summary.read_only_tools) == (1, 1, 0)


def test_an_override_of_a_name_with_two_definitions_is_told_once(resolve: Resolve) -> None:
    files = {**tool(), "tools/other.yaml": tool()["tools/local-t.yaml"]}
    catalogue = resolve({**files, **skill("s", "tools: [local/t]\noverrides:\n  local/t: {writes: false}\n")})
    assert codes(catalogue) == ["tool/override-loosens", "tool/name-collision", "tool/name-collision"]


def test_a_custom_tool_can_t_take_the_name_of_a_builtin(resolve: Resolve) -> None:
    catalogue = resolve({**tool("builtin/read_file"), **skill("s", "tools: [builtin/read_file]\n")})
    assert codes(catalogue) == ["tool/name-collision"]
    assert [r.source for r in catalogue.flatten("local/s").records] == ["builtin"]


def test_a_server_and_a_custom_tool_can_share_a_name_only_apart(resolve: Resolve) -> None:
    server = "mcp_servers:\n  - {name: local, command: one, tools: [t]}\n"
    apart = {**tool(), **skill("a", "tools: [local/t]\n"), **skill("b", server)}
    assert codes(resolve(apart)) == []
    assert codes(resolve({**apart, **skill("top", "includes: [local/a, local/b]\n")})) == ["tool/name-collision"] * 2


def test_two_agent_skills_of_one_name_collide_where_a_set_has_both(resolve: Resolve) -> None:
    text = "---\nname: greet\ndescription: Greets people when they arrive.\n---\n1. Hello.\n"
    folders = {"x/greet/SKILL.md": text, "y/greet/SKILL.md": text.replace("Hello", "Hi")}
    catalogue = resolve({**folders, **skill("s", "agent_skill_folders:\n  - x/greet\n  - y/greet\n")})
    found = [f for f in catalogue.diagnostics() if f.code == "tool/name-collision"]
    assert [(f.place.path, f.place.line) for f in found] == [("skills/s.yaml", 4), ("skills/s.yaml", 5)]
    assert [r.status for r in catalogue.flatten("local/s").records] == ["unavailable"]


def many(count: int) -> Catalogue:
    builder = Builder()
    names = [f"local/t{number}" for number in range(count)]
    for name in names:
        builder.tool(name, writes=True)
    builder.skill("local/base", names)
    builder.skill("local/careful", includes=[("local/base", {name: {"unsafe": True} for name in names})])
    builder.skill("local/top", includes=["local/base", "local/careful"])
    return Catalogue(builder.declarations)


def test_a_skill_with_very_many_divergences_lists_some_and_counts_the_rest() -> None:
    found = [f for f in many(50).diagnostics() if f.code == "tool/override-divergence"]
    assert len(found) == divergence.MOST_OF_A_SKILL
    assert sum("30 more tools" in f.message for f in found) == 1
