"""The compliance points of ADR-030 and of the skill protocol, each through the workspace as a front end uses it.

The name of a test says which point it holds. Those of source uniformity are in ``test_four_sources.py`` beside this
file and in ``tests/core/sources/test_uniformity.py``, one run for each source; the protocol's types and every row of
its error table are in ``tests/core/test_protocol.py``.
"""

from __future__ import annotations

from typing import Any

import pytest
from office import READS, SKILL, Office, error_of
from pydantic import ValidationError

from core.protocol import SkillDefinition, SkillErrorType, SkillFailure, SkillMetadata
from core.workspace import Workspace

EIGHT = {f"issue_{number}": READS for number in range(8)}


def opened(office: Office) -> Workspace:
    """Open the workspace with its servers discovered."""
    workspace = office.open()
    workspace.discover(approve=office.approve)
    return workspace


def names(workspace: Workspace, skill: str) -> list[str]:
    return [record.name for record in workspace.catalogue.flatten(skill).records]


def codes(workspace: Workspace) -> set[str]:
    return {diagnostic.code for diagnostic in workspace.diagnostics}


@pytest.fixture
def adr(office: Office) -> Office:
    """The example of ADR-030's hierarchical composition: 5 + 3 + 8 + 1 + 1 tools."""
    office.lists(EIGHT)
    files = ["read_file", "write_file", "edit_file", "delete_file", "copy_file"]
    office.skill("local/file-ops", tools=[f"builtin/{name}" for name in files])
    office.skill("local/git-ops", tools=["builtin/git_status", "builtin/git_diff", "builtin/git_log"])
    office.skill("local/github", mcp_servers=[office.server("github")])
    office.write(
        "agents/deploy-to-staging/SKILL.md", "---\nname: deploy-to-staging\ndescription: Deploys.\n---\nPush.\n"
    )
    office.custom("run-migrations", "return 1", "{writes: true}")
    office.skill(
        "local/full-stack-ops",
        includes=["local/file-ops", "local/git-ops", "local/github"],
        tools=["local/run-migrations"],
        agent_skill_folders=["agents/deploy-to-staging"],
    )
    return office


# ---------------------------------------------------------------- ADR-030: skill YAML validation


def test_adr_030_parsing_all_four_source_sections_parse_to_a_valid_flattened_set(office: Office) -> None:
    office.write("agents/a/SKILL.md", "---\nname: a\ndescription: A.\n---\nDo it.\n")
    office.skill(
        builtin_groups=["git_operations"],
        tools=[
            office.custom("named", "return 1"),
            {"name": "inline", "description": "I.", "source": "custom", "code": "x"},
        ],
        mcp_servers=[office.server()],
        agent_skill_folders=["agents/a"],
    )
    flat = opened(office).catalogue.flatten(SKILL)
    assert flat.status == "resolved"
    assert flat.metadata.source_types == ["agent_skill", "builtin", "custom", "mcp:desk"]
    assert {record.status for record in flat.records} == {"ready"}
    assert flat.metadata.tool_count == len(flat.records) == 4 + 2 + 6 + 1


@pytest.mark.parametrize("section", ["builtin_groups", "tools", "mcp_servers", "agent_skill_folders"])
def test_adr_030_parsing_each_section_alone_gives_its_tools(office: Office, section: str) -> None:
    office.write("agents/a/SKILL.md", "---\nname: a\ndescription: A.\n---\nDo it.\n")
    entries: dict[str, list[Any]] = {
        "builtin_groups": ["git_operations"],
        "tools": [office.custom("named", "return 1")],
        "mcp_servers": [office.server()],
        "agent_skill_folders": ["agents/a"],
    }
    office.skill(**{section: entries[section]})
    workspace = opened(office)
    assert workspace.catalogue.flatten(SKILL).status == "resolved"
    assert len(names(workspace, SKILL)) == {"builtin_groups": 4, "mcp_servers": 6}.get(section, 1)


def test_adr_030_parsing_a_section_of_the_wrong_kind_is_told_at_its_place(office: Office) -> None:
    office.skill(mcp_servers="desk", tools=["builtin/read_file"])
    workspace = office.open()
    [found] = [d for d in workspace.diagnostics if d.severity == "error"]
    assert (found.place.path, "mcp_servers" in found.message) == ("skills/office.yaml", True)


# ---------------------------------------------------------------- ADR-030: flattening


def test_adr_030_flattening_the_documented_example_has_eighteen_tools(adr: Office) -> None:
    workspace = opened(adr)
    found = names(workspace, "local/full-stack-ops")
    assert len(found) == len(set(found)) == 18
    assert found[-2:] == ["local/run-migrations", "agent_skill/deploy-to-staging"]
    assert [name for name in found if name.startswith("github/")] == [f"github/issue_{n}" for n in range(8)]


def test_adr_030_flattening_applies_the_override_of_the_including_skill_there_alone(adr: Office) -> None:
    include = {"name": "local/github", "overrides": {"github/issue_1": {"human_approval_required": True}}}
    adr.skill("local/careful", includes=[include])
    workspace = opened(adr)

    def asks(skill: str) -> set[str]:
        records = workspace.catalogue.flatten(skill).records
        return {record.name for record in records if record.capability.human_approval_required}

    assert (asks("local/careful"), asks("local/github")) == ({"github/issue_1"}, set())


def test_adr_030_flattening_merges_what_included_skills_include(adr: Office) -> None:
    adr.skill("local/above", includes=["local/full-stack-ops"])
    workspace = opened(adr)
    assert names(workspace, "local/above") == names(workspace, "local/full-stack-ops")


def test_adr_030_flattening_detects_a_circular_reference(adr: Office) -> None:
    adr.skill("local/git-ops", includes=["local/full-stack-ops"])
    workspace = adr.open()
    flat = workspace.catalogue.flatten("local/git-ops")
    assert [str(error.error_type) for error in flat.errors] == ["cycle_detected"]
    assert "include/cycle" in codes(workspace)
    error = error_of(adr.call(workspace, "builtin/git_log", skill="local/git-ops"))
    assert error.error_type is SkillErrorType.CYCLE_DETECTED


# ---------------------------------------------------------------- ADR-030: actor binding


def test_adr_030_actor_binding_merges_the_sets_of_all_its_skills(adr: Office) -> None:
    adr.skill("local/more", tools=["builtin/read_file", "builtin/git_blame"])
    adr.write("actors/bot.yaml", "name: local/bot\nskills: [local/full-stack-ops, local/more]\n")
    workspace = opened(adr)
    actor = workspace.catalogue.actor("local/bot")
    merged = dict.fromkeys([*names(workspace, "local/full-stack-ops"), *names(workspace, "local/more")])
    assert [record.name for record in actor.records] == list(merged)
    assert actor.skills == (("local/full-stack-ops", "resolved"), ("local/more", "resolved"))


def test_adr_030_actor_binding_tells_of_a_skill_that_is_not_there_and_binds_the_others(adr: Office) -> None:
    adr.write("actors/bot.yaml", "name: local/bot\nskills: [local/git-ops, local/gti-ops]\n")
    workspace = adr.open()
    actor = workspace.catalogue.actor("local/bot")
    assert len(actor.records) == 3
    assert [str(error.error_type) for error in actor.errors] == ["skill_not_found"]
    assert any("local/gti-ops" in d.message and "local/git-ops" in d.message for d in workspace.diagnostics)


@pytest.mark.parametrize("line", ["skills: ['local/*']", "skills: [local/git-ops]\ntools: [builtin/read_file]"])
def test_adr_030_actor_binding_knows_no_wildcard_and_no_tool_outside_a_skill(adr: Office, line: str) -> None:
    adr.write("actors/bot.yaml", f"name: local/bot\n{line}\n")
    workspace = adr.open()
    assert [d for d in workspace.diagnostics if d.place.path == "actors/bot.yaml"]
    assert "builtin/read_file" not in [r.name for r in workspace.catalogue.actor("local/bot").records]


# ---------------------------------------------------------------- ADR-030: consistency of what is resolved


def test_adr_030_registry_consistency_a_missing_include_fails_gracefully(adr: Office) -> None:
    adr.skill("local/half", includes=["local/nowhere", "local/git-ops"])
    workspace = adr.open()
    flat = workspace.catalogue.flatten("local/half")
    assert (flat.status, len(flat.records)) == ("partial", 3)
    [error] = flat.errors
    assert error.error_type is SkillErrorType.RESOLUTION_FAILURE
    assert "local/nowhere" in error.message
    assert workspace.catalogue.flatten("local/git-ops").status == "resolved"


def test_adr_030_registry_consistency_a_missing_tool_fails_gracefully(adr: Office) -> None:
    adr.skill("local/half", tools=["local/nowhere", "builtin/read_file"])
    workspace = adr.open()
    flat = workspace.catalogue.flatten("local/half")
    assert (flat.status, [record.name for record in flat.records]) == ("partial", ["builtin/read_file"])
    assert [error.error_type for error in flat.errors] == [SkillErrorType.RESOLUTION_FAILURE]


def test_adr_030_registry_consistency_an_unknown_skill_is_not_found_with_the_nearest_names(adr: Office) -> None:
    workspace = adr.open()
    with pytest.raises(SkillFailure) as raised:
        workspace.catalogue.flatten("local/gti-ops")
    assert raised.value.error.error_type is SkillErrorType.SKILL_NOT_FOUND
    assert "local/git-ops" in raised.value.error.details["nearest"]
    error = error_of(adr.call(workspace, "x", skill="local/gti-ops"))
    assert error.error_type is SkillErrorType.SKILL_NOT_FOUND


# ---------------------------------------------------------------- skills_protocol: gating


@pytest.mark.parametrize("flags", ["{writes: true}", "{}", "{read_only: false}", "{read_only: true, writes: true}"])
def test_protocol_gating_a_read_only_skill_never_triggers_a_tool_that_may_write(office: Office, flags: str) -> None:
    tool = office.custom("probe", "open('made', 'w').close()", flags)
    office.skill(read_only=True, tools=[tool])
    outcome = office.call(office.open(), tool, real=True)
    assert error_of(outcome).error_type is SkillErrorType.PERMISSION_DENIED
    assert (office.asked, (office.root / "made").exists()) == ([], False)


def test_protocol_gating_metadata_says_what_the_resolved_tools_can_do(adr: Office) -> None:
    workspace = opened(adr)
    said = {name: workspace.catalogue.flatten(name).metadata for name in ("local/git-ops", "local/full-stack-ops")}
    assert (said["local/git-ops"].read_only, said["local/git-ops"].writes) == (True, False)
    assert (said["local/full-stack-ops"].read_only, said["local/full-stack-ops"].writes) == (False, True)


def test_protocol_gating_a_definition_that_claims_read_only_over_a_writer_is_refused(adr: Office) -> None:
    workspace = opened(adr)
    flat, file = workspace.catalogue.flatten("local/file-ops"), workspace.catalogue.file("local/file-ops")
    assert file is not None
    claim = SkillMetadata(name="local/file-ops", description="x", read_only=True)
    with pytest.raises(ValidationError):
        SkillDefinition(skill=file.model, resolved_tools=list(flat.records), metadata=claim)
    SkillDefinition(skill=file.model, resolved_tools=list(flat.records), metadata=flat.metadata)


# ---------------------------------------------------------------- skills_protocol: error mapping

RAISED = {
    "ValueError('a cycle here')": "cycle_detected",
    "ValueError('x was Not Found')": "skill_not_found",
    "ValueError('anything else')": "resolution_failure",
    "PermissionError('no')": "permission_denied",
    "RuntimeError('activation broke')": "tool_activation_failure",
    "RuntimeError('anything else')": "tool_execution_failure",
}


@pytest.mark.parametrize(("raised", "kind"), RAISED.items())
def test_protocol_error_mapping_what_a_tool_raises_follows_the_table(office: Office, raised: str, kind: str) -> None:
    tool = office.custom("probe", f"raise {raised}")
    office.skill(tools=[tool])
    error = error_of(office.call(office.open(), tool))
    assert str(error.error_type) == kind
    assert (error.skill_name, error.tool_name) == (SKILL, tool)
    assert (error.details["raised_by"], error.details["exception"]) == ("tool", raised.partition("(")[0])


def test_protocol_error_mapping_arguments_against_the_schema_are_a_validation_error(office: Office) -> None:
    office.skill(tools=["builtin/read_file"])
    error = error_of(office.call(office.open(), "builtin/read_file", {"path": 7}))
    assert error.error_type is SkillErrorType.VALIDATION_ERROR
    assert (error.skill_name, error.tool_name) == (SKILL, "builtin/read_file")


def test_protocol_error_mapping_a_tool_whose_code_is_missing_fails_at_activation(office: Office) -> None:
    office.write("tools/gone.yaml", "name: local/gone\ndescription: G.\nsource: custom\nentry_point: gone.py:run\n")
    office.skill(tools=["local/gone"])
    error = error_of(office.call(office.open(), "local/gone"))
    assert error.error_type is SkillErrorType.TOOL_ACTIVATION_FAILURE


def test_protocol_error_mapping_the_servers_own_error_is_an_execution_failure_with_its_words(office: Office) -> None:
    office.skill()
    outcome = office.call(office.open(), "desk/fail", {"a": 1})
    assert error_of(outcome).error_type is SkillErrorType.TOOL_EXECUTION_FAILURE
    assert '"a": 1' in error_of(outcome).message
