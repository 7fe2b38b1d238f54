"""Actors and what they reach; claims to be read-only (ADR-030, Actor Binding; language, parts 3 and 7)."""

from __future__ import annotations

import pytest
from resolve_builder import Files, Resolve, codes, skill, tool

from core.protocol import SkillFailure


def actor(name: str, *skills: str) -> Files:
    return {f"actors/{name}.yaml": f"name: local/{name}\nskills:\n" + "".join(f"  - {s}\n" for s in skills)}


def test_an_actor_gets_the_union_of_its_skills_with_overlaps_shown_once(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("a", "tools: [builtin/git_log, builtin/read_file]\n"),
            **skill("b", "tools: [builtin/read_file, builtin/git_diff]\n"),
            **actor("bot", "local/a", "local/b"),
        }
    )
    view = catalogue.actor("local/bot")
    assert [r.name for r in view.records] == ["builtin/git_log", "builtin/read_file", "builtin/git_diff"]
    assert view.records[1].first_hops == ["local/a", "local/b"]
    assert (view.records[1].from_skill, view.records[1].direct) == ("local/a", False)
    assert view.skills == (("local/a", "resolved"), ("local/b", "resolved"))
    assert (view.errors, view.place.path) == ((), "actors/bot.yaml")
    assert catalogue.actors() == ("local/bot",)
    assert catalogue.actors_of("local/a") == ("local/bot",)
    assert catalogue.actors_of("local/nobody") == ()


def test_an_overlap_takes_the_more_cautious_flags(resolve: Resolve) -> None:
    careful = "includes:\n  - {name: local/a, overrides: {local/t: {human_approval_required: true}}}\n"
    catalogue = resolve(
        {**tool(), **skill("a", "tools: [local/t]\n"), **skill("b", careful), **actor("bot", "local/a", "local/b")}
    )
    (found,) = catalogue.actor("local/bot").records
    assert found.capability.human_approval_required is True


def test_an_overlap_of_different_definitions_can_t_be_called(resolve: Resolve) -> None:
    servers = [f"mcp_servers: [{{name: m, command: {command}, tools: [x]}}]\n" for command in ("one", "two")]
    catalogue = resolve({**skill("a", servers[0]), **skill("b", servers[1]), **actor("bot", "local/a", "local/b")})
    (found,) = catalogue.actor("local/bot").records
    assert (found.name, found.status) == ("m/x", "unavailable")


def test_an_actor_of_an_unknown_skill_is_told_with_the_nearest_name(resolve: Resolve) -> None:
    catalogue = resolve(
        {**skill("deploy", "tools: [builtin/read_file]\n"), **actor("bot", "local/deploy", "local/depoly")}
    )
    (found,) = catalogue.diagnostics()
    assert (found.code, found.severity, found.place.path, found.place.line, found.place.column) == (
        "actor/unknown-skill",
        "error",
        "actors/bot.yaml",
        4,
        5,
    )
    assert found.hint == "did you mean `local/deploy`?"
    view = catalogue.actor("local/bot")
    assert view.skills == (("local/deploy", "resolved"), ("local/depoly", "unresolved"))
    assert [(e.error_type, e.skill_name) for e in view.errors] == [("skill_not_found", "local/depoly")]


def test_an_actor_of_a_circular_skill_gets_the_rest_and_the_reason(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("ring", "includes: [local/ring]\ntools: [builtin/git_log]\n"),
            **skill("ok", "tools: [builtin/read_file]\n"),
            **actor("bot", "local/ring", "local/ok"),
        }
    )
    view = catalogue.actor("local/bot")
    assert [r.name for r in view.records] == ["builtin/read_file"]
    assert [e.error_type for e in view.errors] == ["cycle_detected"]
    assert codes(catalogue) == ["include/cycle"]


def test_asking_for_an_unknown_actor_gives_the_nearest_names(resolve: Resolve) -> None:
    with pytest.raises(SkillFailure) as caught:
        resolve({**skill("s"), **actor("release-bot", "local/s")}).actor("local/release-bt")
    assert caught.value.error.details["nearest"] == ["local/release-bot"]


def test_skills_that_nobody_uses_are_told_only_where_there_are_actors(resolve: Resolve) -> None:
    files = {
        **skill("used", "includes: [local/below]\n"),
        **skill("below"),
        **skill("alone", "includes: [local/alone2]\n"),
    }
    files |= skill("alone2")
    assert codes(resolve(files)) == []
    catalogue = resolve({**files, **actor("bot", "local/used")})
    assert [(f.code, f.severity, f.skill) for f in catalogue.diagnostics()] == [("skill/unused", "info", "local/alone")]


def test_tools_that_no_skill_lists_are_told_only_where_there_are_actors(resolve: Resolve) -> None:
    files = {**tool("local/t"), **tool("local/u"), **skill("s", "tools: [local/u]\n")}
    assert codes(resolve(files)) == []
    catalogue = resolve({**files, **actor("bot", "local/s")})
    assert [(f.code, f.severity, f.tool) for f in catalogue.diagnostics()] == [("tool/unreachable", "info", "local/t")]


@pytest.mark.parametrize("path", ["skills/bad.yaml", "actors/bad.yaml"])
def test_who_uses_what_is_not_judged_while_a_file_can_t_be_read(resolve: Resolve, path: str) -> None:
    files = {**tool(), **skill("s"), **skill("alone"), **actor("bot", "local/s")}
    assert codes(resolve(files)) == ["skill/unused", "tool/unreachable"]
    assert codes(resolve({**files, path: "name: local/bad\nskills: {\n"})) == []


def test_agent_skills_that_no_skill_offers_are_unassigned(resolve: Resolve) -> None:
    text = "---\nname: {0}\ndescription: Greets people when they arrive.\n---\n1. Hello.\n"
    catalogue = resolve(
        {
            "x/a/SKILL.md": text.format("a"),
            "x/b/SKILL.md": text.format("b"),
            **skill("s", "agent_skill_folders: [x/a]\n"),
        }
    )
    assert [found.path for found in catalogue.unassigned().agent_skills] == ["x/b"]


def claim(body: str) -> Files:
    return skill("s", f"{body}read_only: true\n")


def test_a_claim_to_be_read_only_holds_for_readers_of_all_sources(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(capability="{read_only: true}"),
            **claim("tools: [local/t, builtin/read_file]\nagent_skill_folders: [greet]\n"),
            "greet/SKILL.md": "---\nname: greet\ndescription: Greets people when they arrive.\n---\n1. Hello.\n",
        }
    )
    assert codes(catalogue) == []
    assert catalogue.flatten("local/s").read_only


def test_a_broken_claim_shows_the_chain_to_what_writes(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **tool(),
            **skill("base", "tools: [local/t]\n"),
            **skill("mid", "includes: [local/base]\n"),
            **claim("includes: [local/mid]\n"),
        }
    )
    (found,) = catalogue.diagnostics()
    assert (found.code, found.severity, found.skill, found.tool) == (
        "skill/read-only-broken",
        "error",
        "local/s",
        "local/t",
    )
    assert found.place.line == 4
    assert "`local/t` writes, by way of local/s -> local/mid -> local/base" in found.message
    assert [(item.place.path, item.place.line) for item in found.related] == [("tools/local-t.yaml", 5)]
    flat = catalogue.flatten("local/s")
    assert (flat.metadata.read_only, flat.read_only) == (False, True)


def test_a_claim_is_broken_by_what_is_assumed_to_write(resolve: Resolve) -> None:
    (found,) = resolve({**tool(capability=""), **claim("tools: [local/t]\n")}).diagnostics()
    assert "`local/t` may write, as nothing says otherwise" in found.message
    assert [(item.place.path, item.place.line) for item in found.related] == [("skills/s.yaml", 3)]


def test_a_claim_that_a_built_in_breaks_names_where_it_comes_from(resolve: Resolve) -> None:
    for entry in ("tools: [builtin/write_file]\n", "builtin_groups: [file_operations]\n"):
        (found,) = resolve(claim(entry)).diagnostics()
        assert [(item.place.path, item.place.line) for item in found.related] == [("skills/s.yaml", 3)]


def test_a_built_in_that_does_not_exist_is_called_no_built_in(resolve: Resolve) -> None:
    (found,) = resolve(skill("s", "tools: [builtin/raed_file]\n")).diagnostics()
    assert "no built-in tool is called so; did you mean `builtin/read_file`?" in found.message
    assert found.fix is not None
    (found,) = resolve(skill("s", "tools: [builtin/zzzzzzz]\n")).diagnostics()
    assert found.hint is not None
    assert found.hint.startswith("the groups of built-in tools are file_operations")


def test_a_claim_is_broken_by_side_effects(resolve: Resolve) -> None:
    files = {**tool(capability="{read_only: true, side_effects: [network]}"), **claim("tools: [local/t]\n")}
    (found,) = resolve(files).diagnostics()
    assert "`local/t` has side effects" in found.message


def test_a_claim_is_broken_by_a_server_whose_tools_are_not_known(resolve: Resolve) -> None:
    server = skill("m", "mcp_servers: [{name: issues, command: issue-server}]\n")
    (found,) = resolve({**server, **claim("includes: [local/m]\n")}).diagnostics()
    assert "the tools of the MCP server `issues` are not known yet, by way of local/s -> local/m" in found.message


def test_a_claim_can_t_be_saved_by_an_override_of_a_declared_writer(resolve: Resolve) -> None:
    catalogue = resolve({**tool(), **claim("tools: [local/t]\noverrides:\n  local/t: {read_only: true}\n")})
    assert codes(catalogue) == ["tool/override-loosens", "skill/read-only-broken"]


def test_very_many_broken_claims_are_all_told(resolve: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.resolve.claims.MOST_EXPLAINED", 1)
    claims = {**skill("a", "tools: [local/t]\nread_only: true\n"), **skill("b", "tools: [local/t]\nread_only: true\n")}
    found = resolve({**tool(), **claims}).diagnostics()
    assert [(f.code, f.tool) for f in found] == [
        ("skill/read-only-broken", "local/t"),
        ("skill/read-only-broken", None),
    ]
