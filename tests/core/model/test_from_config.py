"""``Skill.from_config``: both dialects of skill files, read to one model (language, part 3)."""

from __future__ import annotations

from typing import Any

import pytest

from core.model import Skill, ToolCapability

FLAT: dict[str, Any] = {"name": "local/a", "description": "A."}
TOOL = {"description": "Cleans.", "source": "custom", "code": "return 1"}


def skill(**sections: Any) -> Skill:
    return Skill.from_config({**FLAT, **sections})


def fault(**sections: Any) -> str:
    with pytest.raises(ValueError, match=r".") as caught:
        skill(**sections)
    return str(caught.value)


def test_a_flat_mapping_gives_a_skill() -> None:
    found = skill()
    assert (found.name, found.namespace, found.short_name, found.description) == ("local/a", "local", "a", "A.")
    assert found.version == "0.0.0"


@pytest.mark.parametrize(
    "wrapped",
    [
        {"skill": {**FLAT, "tools": ["local/t"]}},
        {"cleveragents": {"version": "3.0"}, "skill": {**FLAT, "tools": ["local/t"]}},
        {"cleveragents": {"version": "3.0"}, **FLAT, "tools": ["local/t"]},
        {"cleveragents": {}, "skill": {**FLAT, "tools": ["local/t"]}},
    ],
)
def test_a_wrapper_and_a_version_header_mean_the_same_as_the_flat_form(wrapped: dict[str, Any]) -> None:
    assert Skill.from_config(wrapped) == skill(tools=["local/t"])


def test_keys_beside_a_wrapper_are_an_error_that_names_both() -> None:
    with pytest.raises(ValueError, match=r"^tools: `tools` stands beside `skill:`"):
        Skill.from_config({"skill": FLAT, "tools": ["local/t"]})


@pytest.mark.parametrize(
    ("legacy", "canonical", "value"),
    [
        ("builtins", "builtin_groups", [{"group": "git_operations"}]),
        ("builtins", "builtin_groups", ["git_operations"]),
        ("tool_refs", "tools", ["local/t"]),
        ("inline_tools", "anonymous_tools", [TOOL]),
        ("inlineTools", "anonymous_tools", [TOOL]),
        ("mcpServers", "mcp_servers", [{"name": "s", "server": "srv"}]),
        ("agent_skills", "agent_skill_folders", [{"path": "x"}]),
        ("agent_skills_dirs", "agent_skill_folders", ["x"]),
        ("agentSkillFolders", "agent_skill_folders", ["x"]),
    ],
)
def test_another_spelling_of_a_section_means_the_same(legacy: str, canonical: str, value: list[Any]) -> None:
    assert skill(**{legacy: value}) == skill(**{canonical: value}) != skill()


def test_two_spellings_of_one_section_are_an_error() -> None:
    text = fault(builtin_groups=["git_operations"], builtins=["file_operations"])
    assert text.startswith("builtins: `builtins` says the same as `builtin_groups`")


@pytest.mark.parametrize(
    ("config", "place"),
    [
        ({"include": ["local/b"]}, "include: `include` is no key of a skill; did you mean `includes`?"),
        ({"tools": [{**TOOL, "writs": True}]}, "tools[0].writs: `writs` is no key of a tool; did you mean `writes`?"),
        ({"tools": [{**TOOL, "capability": {"unsave": True}}]}, "tools[0].capability.unsave: "),
        ({"mcp_servers": [{"server": "x", "name": "s", "approved": True}]}, "mcp_servers[0].approved: "),
        ({"agent_skill_folders": [{"path": "x", "pth": "y"}]}, "agent_skill_folders[0].pth: "),
        ({"includes": [{"name": "local/b", "overide": {}}]}, "includes[0].overide: "),
        ({"builtin_groups": [{"group": "git_operations", "all": True}]}, "builtin_groups[0].all: "),
        ({"tools": [{"name": "local/t", "overide": {}}]}, "tools[0].overide: "),
        (
            {"mcp_servers": [{"server": "x", "name": "s", "tool_filter": {"includes": []}}]},
            "mcp_servers[0].tool_filter",
        ),
        ({"tools": [{**TOOL, "lifecycle": {"exec": "x"}}]}, "tools[0].lifecycle.exec: "),
        ({"tools": [{**TOOL, "resource_slots": [{"name": "a", "kind": "x"}]}]}, "tools[0].resource_slots[0].kind: "),
    ],
)
def test_an_unknown_key_is_an_error_at_its_place(config: dict[str, Any], place: str) -> None:
    assert fault(**config).startswith(place)


def test_a_misspelt_key_is_not_missing_too() -> None:
    with pytest.raises(ValueError, match=r"^discription: .*did you mean `description`\?$"):
        Skill.from_config({"name": "local/a", "discription": "A."})


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"tools": "local/t"}, "tools: `tools` must be a list of tools, but is text; write a list, like `[one, two]`."),
        (
            {"includes": {"local/b": None}},
            "includes: `includes` must be a list of skills, but is a mapping; write a list, like `[one, two]`.",
        ),
        ({"mcp_servers": {}}, "mcp_servers: "),
        ({"agent_skill_folders": "x"}, "agent_skill_folders: "),
        ({"builtin_groups": [5]}, "builtin_groups[0]: "),
        ({"overrides": ["local/t"]}, "overrides[0]: "),
        ({"overrides": {"local/t": ["writes"]}}, "overrides.local/t: "),
        ({"version": 1.1}, "version: `version` must be text, in quotes, but is a number; put it in quotes."),
        ({"read_only": "perhaps"}, "read_only: `read_only` must be true or false, but is text; write true or false."),
        ({"input_schema": ["object"]}, "input_schema: "),
        ({"tools": [None]}, "tools[0]: "),
        ({"tools": [["local/t"]]}, "tools[0]: "),
        ({"tools": [{**TOOL, "capability": ["writes"]}]}, "tools[0].capability: "),
        ({"tools": [{**TOOL, "side_effects": True}]}, "tools[0].side_effects: "),
        ({"tools": [{**TOOL, "lifecycle": "x"}]}, "tools[0].lifecycle: "),
        ({"mcp_servers": [{"name": "s", "server": "x", "env": ["A=b"]}]}, "mcp_servers[0].env: "),
        ({"mcp_servers": [{"name": "s", "server": "x", "tools": "a"}]}, "mcp_servers[0].tools: "),
        ({"mcp_servers": [{"name": "s", "server": "x", "legacy": "old"}]}, "mcp_servers[0].legacy: "),
    ],
)
def test_a_value_of_the_wrong_kind_is_an_error_at_its_place(config: dict[str, Any], message: str) -> None:
    assert fault(**config).startswith(message)


def test_an_error_never_repeats_the_value_of_a_secret() -> None:
    assert "sk-live" not in fault(mcp_servers=[{"name": "s", "server": "x", "env": {"KEY": ["sk-live-1"]}}])


def test_all_faults_are_told_at_once() -> None:
    lines = fault(include=[], tools="x", version=1).splitlines()
    assert [line.split(":")[0] for line in lines] == ["include", "version", "tools"]


@pytest.mark.parametrize("config", [None, [], "name: local/a", 5])
def test_what_is_no_mapping_is_a_value_error(config: Any) -> None:
    with pytest.raises(ValueError, match="mapping"):
        Skill.from_config(config)


@pytest.mark.parametrize("missing", ["name", "description"])
def test_name_and_description_are_required(missing: str) -> None:
    with pytest.raises(ValueError, match=f"no `{missing}`"):
        Skill.from_config({key: value for key, value in FLAT.items() if key != missing})


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "a/b/c",
        "/",
        "local/",
        "/x",
        "local/x\n",
        "local /x",
        "../x",
        "local/d\u0435ploy",
        "local/\uff44",
        "",
        "a b/c",
    ],
)
def test_a_name_that_is_not_two_parts_of_plain_characters_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^name: "):
        Skill.from_config({"name": name, "description": "A."})


@pytest.mark.parametrize("name", ["local/a", "LOCAL/x", "_/_", "-/-", "--help/x", "MyOrg/Tool-Kit", "a1/2b"])
def test_a_name_may_hold_any_letters_digits_and_two_marks(name: str) -> None:
    assert Skill.from_config({"name": name, "description": "A."}).name == name


def test_a_foreign_letter_in_a_name_is_named_by_its_code() -> None:
    with pytest.raises(ValueError, match=r"U\+0435"):
        Skill.from_config({"name": "local/d\u0435ploy", "description": "A."})


def test_an_empty_section_is_as_good_as_none() -> None:
    nothing = dict.fromkeys(("tools", "includes", "mcp_servers", "overrides", "agent_skills", "read_only", "version"))
    assert skill(**nothing) == skill()


def test_a_reference_may_carry_an_override_in_four_shapes() -> None:
    shapes: list[dict[str, Any]] = [
        {"override": {"capability": {"human_approval_required": True}}},
        {"override": {"human_approval_required": True}},
        {"capability": {"human_approval_required": True}},
        {"human_approval_required": True},
    ]
    found = {str(skill(tools=[{"name": "local/t", **shape}]).tool_ref_overrides) for shape in shapes}
    assert found == {str({"local/t": {"human_approval_required": True}})}


def test_description_and_timeout_beside_a_reference_are_overrides() -> None:
    found = skill(tools=[{"name": "local/t", "description": "Mine.", "timeout": 5}])
    assert found.tool_ref_overrides == {"local/t": {"description": "Mine.", "timeout": 5}}


def test_overrides_of_a_tool_that_is_listed_twice_are_merged_cautiously() -> None:
    tools = [{"name": "local/t", "writes": True}, {"name": "local/t", "read_only": True, "unsafe": True}]
    assert skill(tools=tools).tool_ref_overrides == {"local/t": {"writes": True, "read_only": False, "unsafe": True}}


def test_an_include_may_carry_overrides_in_two_shapes() -> None:
    as_map = {"name": "local/b", "overrides": {"local/t": {"writes": True}}}
    as_list = {"name": "local/b", "tool_overrides": [{"tool": "local/t", "override": {"capability": {"writes": True}}}]}
    first, second = (skill(includes=[entry]).includes[0] for entry in (as_map, as_list))
    assert first == second
    assert first.overrides == {"local/t": {"writes": True}}


@pytest.mark.parametrize("field", ["name", "source", "code", "input_schema", "output_schema", "lifecycle", "tool_type"])
@pytest.mark.parametrize("where", ["overrides", "includes", "tools", "mcp_servers"])
def test_what_a_tool_is_cannot_be_overridden(where: str, field: str) -> None:
    overrides = {"local/t": {field: "x"}}
    sections: dict[str, Any] = {
        "overrides": overrides,
        "includes": [{"name": "local/b", "overrides": overrides}],
        "tools": [{"name": "local/t", "override": {field: "x"}}],
        "mcp_servers": [{"name": "s", "server": "x", "overrides": overrides}],
    }
    assert f"`{field}` can't be overridden" in fault(**{where: sections[where]})


def test_a_builtin_is_kept_under_its_canonical_name() -> None:
    found = skill(tools=["builtin/file-read", "builtin/git-status", "builtin/shell_execute"])
    assert found.tool_refs == ["builtin/read_file", "builtin/git_status", "builtin/shell_execute"]


def test_an_unknown_group_is_an_error_that_lists_the_groups() -> None:
    text = fault(builtin_groups=["network"])
    assert "file_operations, directory_operations, git_operations, shell_operations" in text


def test_an_inline_definition_may_stand_under_tools() -> None:
    found = skill(tools=["local/t", TOOL, {"entry_point": "x.py:run", "source": "wrapped", "description": "W."}])
    assert found.tool_refs == ["local/t"]
    assert [(tool.code, tool.entry_point, str(tool.source)) for tool in found.anonymous_tools] == [
        ("return 1", None, "custom"),
        (None, "x.py:run", "wrapped"),
    ]


@pytest.mark.parametrize("missing", ["description", "source"])
def test_an_inline_tool_needs_description_and_source(missing: str) -> None:
    assert f"no `{missing}`" in fault(anonymous_tools=[{k: v for k, v in TOOL.items() if k != missing}])


@pytest.mark.parametrize("source", ["mcp", "builtin", "agent_skill", "python"])
def test_an_inline_tool_is_custom_or_wrapped(source: str) -> None:
    assert "custom` or `wrapped`" in fault(anonymous_tools=[{**TOOL, "source": source}])


def test_an_inline_tool_runs_code_or_an_entry_point_but_not_both() -> None:
    assert "neither" in fault(anonymous_tools=[{"description": "A.", "source": "custom"}])
    assert "both" in fault(anonymous_tools=[{**TOOL, "entry_point": "x.py:run"}])


def test_the_name_of_an_inline_tool_has_no_slash() -> None:
    assert "write `clean`" in fault(tools=[{**TOOL, "name": "local/clean"}])


@pytest.mark.parametrize(
    "flags",
    [
        {"capability": {"writes": True, "side_effects": ["disk"]}},
        {"writes": True, "side_effects": ["disk"]},
        {"writes": True, "side_effects": "disk"},
        {"writes": True, "capability": {"writes": True, "side_effects": "disk"}},
    ],
)
def test_capability_flags_stand_nested_or_flat(flags: dict[str, Any]) -> None:
    capability = skill(tools=[{**TOOL, **flags}]).anonymous_tools[0].capability
    assert capability == ToolCapability(writes=True, side_effects=["disk"])


def test_flags_that_disagree_in_two_places_are_an_error() -> None:
    text = fault(tools=[{**TOOL, "writes": False, "capability": {"writes": True}}])
    assert text.startswith("tools[0].writes: `writes` is given twice")


def test_reading_only_and_writing_is_an_error() -> None:
    assert "both `read_only: true` and `writes: true`" in fault(tools=[{**TOOL, "read_only": True, "writes": True}])


def test_a_scope_may_be_one_text() -> None:
    found = skill(overrides={"local/t": {"write_scope": "docs/", "checkpoint_scope": "file"}})
    assert found.overrides == {"local/t": {"write_scope": ["docs/"], "checkpoint_scope": "file"}}


@pytest.mark.parametrize("timeout", [0, -1, 1.5, "300", True, None, float("inf"), float("nan")])
def test_a_timeout_that_is_no_count_of_seconds_is_refused(timeout: Any) -> None:
    assert "a whole number of seconds, 1 or more" in fault(tools=[{**TOOL, "timeout": timeout}])


def test_a_timeout_beyond_the_cap_is_refused_with_the_cap() -> None:
    assert "a whole number of seconds, 1,000,000,000 at most" in fault(tools=[{**TOOL, "timeout": 10**30}])


def test_resource_slots_may_be_a_list_or_a_map() -> None:
    as_list = [{"name": "db", "type": "local/database", "access": "read_write", "required": True}]
    as_map = {"db": {"type": "local/database", "access": "read_write", "required": True}}
    first = skill(tools=[{**TOOL, "resource_slots": as_list}])
    assert first == skill(tools=[{**TOOL, "resources": as_map}])
    assert first.anonymous_tools[0].resource_slots[0].type == "local/database"


def test_two_shapes_of_resource_slots_are_an_error() -> None:
    assert "says the same" in fault(tools=[{**TOOL, "resource_slots": [{"name": "a"}], "resources": {"b": {}}}])


@pytest.mark.parametrize("stage", ["discover", "activate", "execute", "deactivate"])
def test_a_lifecycle_hook_of_every_stage_is_kept(stage: str) -> None:
    assert skill(tools=[{**TOOL, "lifecycle": {stage: "hook"}}]).anonymous_tools[0].lifecycle == {stage: "hook"}


def test_a_tool_is_a_validation_only_if_it_says_so() -> None:
    tools = [{**TOOL, "name": "invalid_checker", "tool_type": "tool"}, {**TOOL, "tool_type": "validation"}]
    assert [tool.tool_type for tool in skill(tools=tools).anonymous_tools] == ["tool", "validation"]
    assert "`tool` or `validation`" in fault(tools=[{**TOOL, "tool_type": "check"}])


def test_a_sandbox_policy_is_one_of_three() -> None:
    found = skill(agent_skill_folders=[{"path": "./x", "sandbox_policy": "none"}])
    assert found.agent_skills[0].sandbox_policy == "none"
    assert "`none`, `restricted` or `full`" in fault(agent_skill_folders=[{"path": "x", "sandbox_policy": "maybe"}])


@pytest.mark.parametrize("field", ["input_schema", "output_schema"])
def test_a_schema_of_a_skill_needs_a_type(field: str) -> None:
    assert 'no "type"' in fault(**{field: {"properties": {}}})
    assert getattr(skill(**{field: {"type": "object"}}), field) == {"type": "object"}
