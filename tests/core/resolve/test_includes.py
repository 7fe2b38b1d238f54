"""Includes that are missing, repeated or redundant, and what follows from them (resolution, part 2)."""

from __future__ import annotations

import pytest
from resolve_builder import Resolve, codes, skill, tool

from core.protocol import SkillErrorType, SkillFailure
from core.resolve.views import SkillStatus


def test_a_missing_include_is_told_at_its_name_with_the_nearest_one_and_a_fix(resolve: Resolve) -> None:
    catalogue = resolve(
        {**skill("b", "includes:\n  - local/git-opps\n"), **skill("git-ops", "builtin_groups: [git_operations]\n")}
    )
    (found,) = catalogue.diagnostics()
    assert (found.code, found.severity, found.skill) == ("include/missing", "error", "local/b")
    assert (found.place.path, found.place.line, found.place.column) == ("skills/b.yaml", 4, 5)
    assert found.message == "`local/b` includes `local/git-opps`, which no file defines; did you mean `local/git-ops`?"
    assert found.hint == "did you mean `local/git-ops`?"
    assert found.fix is not None
    assert [edit.text for edit in found.fix.edits] == ["local/git-ops"]


def test_a_missing_include_like_nothing_else_names_none(resolve: Resolve) -> None:
    (found,) = resolve(skill("b", "includes: [team/entirely-different]\n")).diagnostics()
    assert (found.hint, found.fix) == ("correct the name, or write the skill", None)
    assert found.message.endswith("which no file defines; correct the name, or write the skill.")


def test_a_fix_is_not_offered_where_it_would_close_a_cycle(resolve: Resolve) -> None:
    catalogue = resolve({**skill("user", "includes: [local/basee]\n"), **skill("base", "includes: [local/user]\n")})
    (found,) = catalogue.diagnostics()
    assert found.hint == "did you mean `local/base`?"
    assert found.fix is None


def test_a_fix_is_not_offered_between_names_that_are_equally_near(resolve: Resolve) -> None:
    catalogue = resolve({**skill("deploy-a"), **skill("deploy-b"), **skill("s", "includes: [local/deploy-c]\n")})
    (found,) = catalogue.diagnostics()
    assert found.hint == "did you mean `local/deploy-a` or `local/deploy-b`?"
    assert found.fix is None


@pytest.mark.parametrize(
    ("entry", "hint"),
    [
        ("agent_skill/greet", "an Agent Skill comes with its folder: list that under `agent_skill_folders:`"),
        ("m/list", "the tools of the MCP server `m` come with it: delete this entry"),
    ],
)
def test_listing_what_comes_with_another_section_says_so(resolve: Resolve, entry: str, hint: str) -> None:
    body = f"tools: [{entry}]\nmcp_servers: [{{name: m, command: srv}}]\n"
    (found,) = resolve(skill("s", body)).diagnostics()
    assert (found.code, found.hint) == ("tool/unknown", hint)


def test_including_a_tool_says_where_it_belongs(resolve: Resolve) -> None:
    (found,) = resolve({**tool(), **skill("s", "includes: [local/t]\n")}).diagnostics()
    assert found.hint == "it is a tool: list it under `tools:`"
    assert found.fix is None


def test_listing_a_skill_as_a_tool_says_where_it_belongs(resolve: Resolve) -> None:
    (found,) = resolve({**skill("base"), **skill("s", "tools: [local/base]\n")}).diagnostics()
    assert (found.code, found.hint) == ("tool/unknown", "it is a skill: list it under `includes:`")


def test_what_includes_a_partial_skill_gets_what_is_there_and_no_finding_of_its_own(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("a", "includes: [local/b]\n"),
            **skill("b", "includes: [local/c]\ntools: [builtin/git_log]\n"),
            **skill("c", "includes: [local/gone]\ntools: [builtin/read_file]\n"),
        }
    )
    assert codes(catalogue) == ["include/missing"]
    assert [row.status for row in catalogue.skills()] == [SkillStatus.PARTIAL] * 3
    flat = catalogue.flatten("local/a")
    assert [record.name for record in flat.records] == ["builtin/read_file", "builtin/git_log"]
    assert (flat.metadata.read_only, flat.read_only) == (False, False)
    (error,) = flat.errors
    assert (error.error_type, error.skill_name) == (SkillErrorType.RESOLUTION_FAILURE, "local/a")
    assert error.details["chain"] == ["local/a", "local/b", "local/c"]
    assert error.details["cause"]["include"] == "local/gone"
    assert error.details["path"] == "skills/a.yaml"
    assert "`local/c` includes `local/gone`, which no file defines" in error.message


def test_a_missing_include_names_both_skills_in_its_error(resolve: Resolve) -> None:
    (error,) = resolve(skill("parent", "includes: [local/nope]\n")).flatten("local/parent").errors
    assert error.error_type == "resolution_failure"
    assert (error.skill_name, error.details["include"]) == ("local/parent", "local/nope")
    assert (error.details["path"], error.details["line"]) == ("skills/parent.yaml", 3)


def test_including_a_skill_whose_file_is_broken_adds_no_finding(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            "skills/bad.yaml": "name: local/bad\ndescription: Use when: it hurts\n",
            **skill("user", "includes: [local/bad]\ntools: [builtin/read_file]\n"),
        }
    )
    assert codes(catalogue) == []
    row = catalogue.skill("local/user")
    assert row is not None
    assert (row.status, row.includes[0].ghost, row.includes[0].status) == ("partial", False, "unresolved")
    (error,) = catalogue.flatten("local/user").errors
    assert error.details["cause"] == "skills/bad.yaml"


def test_a_broken_file_whose_name_is_readable_is_a_skill_that_does_not_resolve(resolve: Resolve) -> None:
    catalogue = resolve({"skills/bad.yaml": "name: local/bad\ndescription: Use when: it hurts\n"})
    row = catalogue.skill("local/bad")
    assert row is not None
    assert (row.status, row.place.path, row.tools) == ("unresolved", "skills/bad.yaml", 0)
    assert catalogue.file("local/bad") is None
    flat = catalogue.flatten("local/bad")
    assert (len(flat.records), flat.read_only, flat.metadata.read_only) == (0, False, False)
    assert [error.error_type for error in flat.errors] == ["resolution_failure"]
    (node,) = catalogue.graph().nodes
    assert (node.name, node.path, node.ghost) == ("local/bad", "skills/bad.yaml", False)


def test_a_repeated_include_is_told_once_where_it_is_repeated(resolve: Resolve) -> None:
    catalogue = resolve({**skill("a", "includes: [local/b, local/b]\n"), **skill("b", "tools: [builtin/read_file]\n")})
    assert codes(catalogue) == []  # the reader of the file tells it
    assert [record.name for record in catalogue.flatten("local/a").records] == ["builtin/read_file"]
    assert len(catalogue.graph().edges) == 1


def test_an_include_that_another_include_brings_is_redundant(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("a", "includes:\n  - local/b\n  - local/c\n"),
            **skill("b", "includes: [local/mid]\n"),
            **skill("mid", "includes: [local/c]\n"),
            **skill("c", "tools: [builtin/read_file]\n"),
        }
    )
    (found,) = catalogue.diagnostics()
    assert (found.code, found.severity, found.place.line) == ("include/redundant", "info", 5)


def test_an_include_that_changes_a_flag_is_not_redundant(resolve: Resolve) -> None:
    files = {**tool(), **skill("c", "tools: [local/t]\n")}
    over = "includes: [local/c]\noverrides:\n  local/t: {unsafe: true}\n"
    catalogue = resolve({**files, **skill("b", over), **skill("a", "includes: [local/b, local/c]\n")})
    assert codes(catalogue) == ["tool/override-divergence"]
    with_own = "includes:\n  - local/b\n  - {name: local/c, overrides: {local/t: {idempotent: true}}}\n"
    assert "include/redundant" not in codes(resolve({**files, **skill("b", over), **skill("a", with_own)}))


def test_includes_say_their_state_and_place(resolve: Resolve) -> None:
    body = "includes:\n  - local/gone\n  - local/a\n  - local/ok\n"
    catalogue = resolve({**skill("a", body), **skill("ok", "tools: [builtin/read_file]\n")})
    row = catalogue.skill("local/a")
    assert row is not None
    assert [(i.name, str(i.status), i.line, i.column, i.ghost, i.in_cycle) for i in row.includes] == [
        ("local/gone", "unresolved", 4, 5, True, False),
        ("local/a", "unresolved", 5, 5, False, True),
        ("local/ok", "resolved", 6, 5, False, False),
    ]
    assert catalogue.included_by("local/ok") == ("local/a",)
    assert catalogue.included_by("local/gone") == ("local/a",)
    assert catalogue.included_by("local/nobody") == ()


def test_a_missing_tool_or_agent_skill_makes_a_skill_partial(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("t", "tools:\n  - builtin/read_file\n  - builtin/reed_file\n"),
            **skill("f", "agent_skill_folders: [agent/gret]\n"),
            "agent/greet/SKILL.md": "---\nname: greet\ndescription: Greets people when they arrive.\n---\n1. Hello.\n",
        }
    )
    assert [(found.code, found.place.path, found.place.line) for found in catalogue.diagnostics()] == [
        ("skill/agent-folder-missing", "skills/f.yaml", 3),
        ("tool/unknown", "skills/t.yaml", 5),
    ]
    assert catalogue.diagnostics()[0].hint == "did you mean `agent/greet`?"
    assert {row.status for row in catalogue.skills()} == {SkillStatus.PARTIAL}
    (error,) = catalogue.flatten("local/t").errors
    assert (error.tool_name, error.details["tool"]) == ("builtin/reed_file", "builtin/reed_file")
    assert error.details["nearest"][0] == "builtin/read_file"


def test_a_tool_whose_file_is_broken_is_not_told_again(resolve: Resolve) -> None:
    catalogue = resolve(
        {"tools/bad.yaml": "name: local/bad\ndescription: Use when: it hurts\n", **skill("s", "tools: [local/bad]\n")}
    )
    assert codes(catalogue) == []
    row = catalogue.skill("local/s")
    assert row is not None
    assert row.status == "partial"


def test_an_unusable_agent_skill_is_listed_as_unavailable(resolve: Resolve) -> None:
    catalogue = resolve({"bad/SKILL.md": "no frontmatter here\n", **skill("s", "agent_skill_folders: [bad]\n")})
    flat = catalogue.flatten("local/s")
    assert flat.status == "partial"
    assert "skill/agent-folder-missing" not in codes(catalogue)
    assert [record.status for record in flat.records] in (["unavailable"], [])


def test_warnings_leave_a_skill_resolved(resolve: Resolve) -> None:
    catalogue = resolve({**tool(), **skill("s", "tools: [local/t]\noverrides:\n  local/t: {writes: false}\n")})
    row = catalogue.skill("local/s")
    assert row is not None
    assert (codes(catalogue), row.status) == (["tool/override-loosens"], "resolved")


def test_an_agent_skill_that_is_asked_for_as_a_skill_says_what_it_is(resolve: Resolve) -> None:
    text = "---\nname: mail-sorter\ndescription: Sorts the mail of an office. Use it daily.\n---\n1. Go.\n"
    catalogue = resolve({"packs/mail-sorter/SKILL.md": text})
    for name in ("mail-sorter", "agent_skill/mail-sorter"):
        with pytest.raises(SkillFailure, match=r"agent_skill_folders: \[packs/mail-sorter\]"):
            catalogue.flatten(name)
