"""The flattened set: order, first positions, who contributes, which includes lead there (resolution, part 1)."""

from __future__ import annotations

import pytest
from resolve_builder import Resolve, skill

from core.protocol import SkillErrorType, SkillFailure
from core.resolve.catalogue import Catalogue

FILE_OPS = """\
name: local/file-ops
description: Reads and changes files.
tools: [builtin/read_file, builtin/write_file, builtin/edit_file, builtin/delete_file, builtin/move_file]
"""
GIT_OPS = "name: local/git-ops\ndescription: History.\ntools: [builtin/git_status, builtin/git_diff, builtin/git_log]\n"
GITHUB = """\
name: local/github
description: Issues and pull requests.
mcp_servers:
  - name: github
    command: github-mcp-server
    tools: [list_issues, get_issue, create_issue, add_comment, list_prs, get_pr, create_pr, merge_pr]
"""
FULL_STACK = """\
name: local/full-stack-ops
description: All that a full-stack change needs.
includes: [local/file-ops, local/git-ops, local/github]
tools: [local/run-migrations]
agent_skill_folders: [agent_skills/deploy-to-staging]
"""
MIGRATIONS = "name: local/run-migrations\ndescription: M.\nsource: custom\ncode: return 1\ncapability: {writes: true}\n"
DEPLOY = "---\nname: deploy-to-staging\ndescription: Deploys the current branch to staging.\n---\n1. Build.\n"


@pytest.fixture
def adr(resolve: Resolve) -> Catalogue:
    return resolve(
        {
            "skills/file-ops.yaml": FILE_OPS,
            "skills/git-ops.yaml": GIT_OPS,
            "skills/github.yaml": GITHUB,
            "skills/full-stack-ops.yaml": FULL_STACK,
            "tools/run-migrations.yaml": MIGRATIONS,
            "agent_skills/deploy-to-staging/SKILL.md": DEPLOY,
        }
    )


def names(catalogue: Catalogue, skill: str) -> list[str]:
    return [record.name for record in catalogue.flatten(skill).records]


def test_the_example_of_adr_030_has_its_18_tools_in_order(adr: Catalogue) -> None:
    found = names(adr, "local/full-stack-ops")
    assert len(found) == 18
    assert found == [
        *names(adr, "local/file-ops"),
        *names(adr, "local/git-ops"),
        *names(adr, "local/github"),
        "local/run-migrations",
        "agent_skill/deploy-to-staging",
    ]
    assert adr.diagnostics() == []


def test_records_of_all_four_sources_have_the_same_shape(adr: Catalogue) -> None:
    records = adr.flatten("local/full-stack-ops").records
    assert {record.source for record in records} == {"builtin", "mcp:github", "custom", "agent_skill"}
    shapes = {frozenset(record.as_dict()) for record in records}
    assert len(shapes) == 1
    assert all(set(record.as_dict()["capability"]) == set(records[0].as_dict()["capability"]) for record in records)


def test_metadata_counts_the_whole_set(adr: Catalogue) -> None:
    metadata = adr.flatten("local/full-stack-ops").metadata
    assert (metadata.tool_count, metadata.writes, metadata.read_only) == (18, True, False)
    assert metadata.source_types == ["agent_skill", "builtin", "custom", "mcp:github"]
    summary = metadata.capability_summary
    assert (summary.read_only_tools, summary.write_tools) == (5, 13)
    assert (summary.mcp_sources, summary.agent_skill_sources) == (1, 1)


def test_definitions_run_parallel_to_records(adr: Catalogue) -> None:
    flat = adr.flatten("local/full-stack-ops")
    assert len(flat.definitions) == len(flat.records)
    assert [type(definition).__name__ for definition in flat.definitions[-2:]] == [
        "CustomDefinition",
        "AgentDefinition",
    ]
    assert flat.definitions[8].tool == "list_issues"  # type: ignore[union-attr]


def test_own_parts_come_in_the_order_of_the_sections_whatever_the_file_says(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            "skills/s.yaml": (
                "name: local/s\ndescription: S.\n"
                "agent_skill_folders: [greet]\n"
                "mcp_servers: [{name: m, command: m-server, tools: [x]}]\n"
                "tools:\n  - local/t\n  - {name: here, description: H., source: custom, code: return 1}\n"
                "builtin_groups: [git_operations]\n"
                "includes: [local/base]\n"
            ),
            "skills/base.yaml": "name: local/base\ndescription: B.\ntools: [builtin/read_file]\n",
            "tools/t.yaml": "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\n",
            "greet/SKILL.md": "---\nname: greet\ndescription: Greets people when they arrive.\n---\n1. Say hello.\n",
        }
    )
    git = [f"builtin/git_{part}" for part in ("status", "diff", "log", "blame")]
    assert names(catalogue, "local/s") == [
        "builtin/read_file",
        *git,
        "local/t",
        "local/s/here",
        "m/x",
        "agent_skill/greet",
    ]


def test_a_name_met_again_keeps_its_first_position(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("a", "includes: [local/b, local/c]\ntools: [builtin/read_file]\n"),
            **skill("b", "tools: [builtin/git_log, builtin/read_file]\n"),
            **skill("c", "tools: [builtin/git_diff, builtin/git_log]\n"),
        }
    )
    assert names(catalogue, "local/a") == ["builtin/git_log", "builtin/read_file", "builtin/git_diff"]


def test_a_record_says_who_contributes_it_and_through_which_includes(resolve: Resolve) -> None:
    catalogue = resolve(
        {
            **skill("top", "includes: [local/l, local/r]\ntools: [builtin/git_log]\n"),
            **skill("l", "includes: [local/base]\n"),
            **skill("r", "includes: [local/base]\ntools: [builtin/git_log]\n"),
            **skill("base", "tools: [builtin/read_file]\n"),
        }
    )
    read, log = catalogue.flatten("local/top").records
    assert (read.name, read.from_skill, read.direct) == ("builtin/read_file", "local/base", False)
    assert read.first_hops == ["local/l", "local/r"]
    assert (log.name, log.from_skill, log.direct, log.first_hops) == ("builtin/git_log", "local/r", True, ["local/r"])


def test_a_set_answers_by_name_and_by_slice_without_making_every_record(adr: Catalogue) -> None:
    records = adr.flatten("local/full-stack-ops").records
    assert records.find("local/run-migrations") == 16  # type: ignore[attr-defined]
    assert records.find("local/other") is None  # type: ignore[attr-defined]
    assert [record.name for record in records[-2:]] == ["local/run-migrations", "agent_skill/deploy-to-staging"]
    assert records[-1] is records[17]
    assert [record.name for record in records.direct] == [  # type: ignore[attr-defined]
        "local/run-migrations",
        "agent_skill/deploy-to-staging",
    ]
    with pytest.raises(IndexError):
        records[18]


def test_asking_for_an_unknown_skill_gives_the_nearest_names(adr: Catalogue) -> None:
    with pytest.raises(SkillFailure) as caught:
        adr.flatten("local/git-opps")
    error = caught.value.error
    assert (error.error_type, error.skill_name) == (SkillErrorType.SKILL_NOT_FOUND, "local/git-opps")
    assert error.details["nearest"][0] == "local/git-ops"
    assert adr.skill("local/git-opps") is None
    assert adr.file("local/git-opps") is None


def test_an_empty_workspace_has_nothing_and_no_faults(resolve: Resolve) -> None:
    catalogue = resolve({})
    assert (catalogue.skills(), catalogue.actors(), catalogue.servers(), catalogue.diagnostics()) == ((), (), (), [])
    assert catalogue.tool_total() == 0
    assert catalogue.graph().nodes == ()


def test_a_skill_without_tools_is_resolved_and_empty(resolve: Resolve) -> None:
    row = resolve({"skills/s.yaml": "name: local/s\ndescription: S.\n"}).skill("local/s")
    assert row is not None
    assert (row.status, row.tools, row.sources) == ("resolved", 0, ())


def test_tools_of_the_workspace_are_counted_once_each(adr: Catalogue) -> None:
    assert adr.tool_total() == 18
