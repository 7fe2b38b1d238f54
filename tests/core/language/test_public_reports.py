"""Public bug reports about skill files, each with the input and the outcome that it asks for.

The numbers are those of the reports; where several describe one fault, one of them stands for all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.language.declarations import Declarations, SkillFile, ToolDecl
from core.model import Skill
from core.resolve.catalogue import Catalogue

HEAD = "name: local/a\ndescription: A.\n"
Load = Callable[[dict[str, Any]], Declarations]


def only(declared: Declarations) -> SkillFile:
    assert [d.message for d in declared.diagnostics if d.severity == "error"] == []
    return declared.skills[0]


def test_2481_a_wrapped_document_with_a_version_header_is_read(load: Load) -> None:
    file = only(load({"skills/a.yaml": 'cleveragents: {version: "3.0"}\nskill: {name: local/a, description: x}\n'}))
    assert (file.name, file.format_version) == ("local/a", "3.0")


def test_2490_builtins_name_groups(load: Load) -> None:
    declared = load({"skills/a.yaml": HEAD + "builtins: [{group: shell_operations}]\n"})
    only(declared)
    flat = Catalogue(declared).flatten("local/a")
    assert [(record.name, record.source) for record in flat.records] == [("builtin/shell_execute", "builtin")]


def test_2117_an_unknown_group_is_one_error_that_lists_the_valid_ones(load: Load) -> None:
    found = load({"skills/a.yaml": HEAD + "builtins: [{group: shells}]\n"}).diagnostics
    errors = [d for d in found if d.severity == "error"]
    assert [d.code for d in errors] == ["skill/unknown-group"]


def test_4554_the_legacy_folder_key_and_a_nameless_server_are_told_with_their_remedies(load: Load) -> None:
    declared = load(
        {
            "skills/a.yaml": HEAD
            + "agent_skills_dirs: [./packs]\nmcp_servers:\n  - command: npx\n    args: [-y, some-mcp]\n",
            "packs/SKILL.md": "---\nname: packs\ndescription: Packs boxes. Use it for tests of folders.\n---\n1. Go.\n",
        }
    )
    file = only(declared)
    told = {d.code: d for d in declared.diagnostics if d.place.path == "skills/a.yaml"}
    assert "agent_skill_folders" in str(told["skill/legacy-key"].hint)
    assert told["mcp/derived-name"].severity == "info"
    assert file.servers[0].label == "some-mcp"


def test_2112_anonymous_tools_and_nested_capabilities_are_understood(load: Load) -> None:
    text = "anonymous_tools: [{description: clean, source: custom, code: 'return 1', capability: {writes: true}}]\n"
    tools = only(load({"skills/a.yaml": HEAD + text})).tools
    assert [isinstance(tool, ToolDecl) and tool.capability.writes for tool in tools] == [True]


def test_2504_an_inline_tool_can_say_that_it_only_reads(load: Load) -> None:
    declared = load(
        {"skills/a.yaml": HEAD + "inline_tools: [{description: x, source: custom, code: return 1, read_only: true}]\n"}
    )
    summary = Catalogue(declared).flatten("local/a").metadata.capability_summary
    assert (summary.read_only_tools, summary.write_tools) == (1, 0)


def test_2116_a_sandbox_policy_is_kept_and_an_unknown_one_lists_the_three(load: Load) -> None:
    good = load({"skills/a.yaml": HEAD + "agent_skills: [{path: ./x, sandbox_policy: none}]\n"})
    assert good.skills[0].model.agent_skills[0].sandbox_policy == "none"
    bad = load({"skills/a.yaml": HEAD + "agent_skills: [{path: ./x, sandbox_policy: maybe}]\n"})
    message = next(d.message for d in bad.diagnostics if d.code == "skill/sandbox-policy")
    assert all(policy in message for policy in ("none", "restricted", "full"))


def test_2119_overrides_at_an_include_hold_in_the_parent_only(load: Load) -> None:
    declared = load(
        {
            "tools/t.yaml": "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\nwrites: true\n",
            "skills/c.yaml": "name: local/c\ndescription: C.\ntools: [local/t]\n",
            "skills/a.yaml": HEAD + "includes:\n  - name: local/c\n    tool_overrides:\n      - tool: local/t\n"
            "        override: {capability: {human_approval_required: true}}\n",
        }
    )
    catalogue = Catalogue(declared)
    asked = [catalogue.flatten(name).records[0].capability.human_approval_required for name in ("local/a", "local/c")]
    assert asked == [True, None]


def test_2494_an_override_of_a_tool_that_the_child_lacks_is_an_error_naming_it(load: Load) -> None:
    declared = load(
        {
            "skills/c.yaml": "name: local/c\ndescription: C.\ntools: [builtin/read_file]\n",
            "skills/a.yaml": HEAD + "includes: [{name: local/c, overrides: {local/t: {unsafe: true}}}]\n",
        }
    )
    errors = [d for d in Catalogue(declared).diagnostics() if d.severity == "error"]
    assert ["local/t" in d.message for d in errors] == [True]


def test_2124_tools_may_be_plain_texts_or_carry_an_override(load: Load) -> None:
    declared = load(
        {
            "tools/t.yaml": "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\nwrites: true\n",
            "skills/a.yaml": HEAD + "tools: [local/t]\n",
            "skills/b.yaml": "name: local/b\ndescription: B.\n"
            "tools: [{name: local/t, override: {capability: {human_approval_required: true}}}]\n",
        }
    )
    assert declared.diagnostics == []
    record = Catalogue(declared).flatten("local/b").records[0]
    flag = record.provenance["human_approval_required"]
    assert (flag.value, str(flag.origin), flag.path, flag.line) == (True, "overridden", "skills/b.yaml", 3)


def test_5013_flat_flags_of_a_tool_file_count(load: Load) -> None:
    declared = load({"tools/t.yaml": "name: local/t\nsource: custom\nwrites: true\n"})
    assert declared.tools[0].tool.capability.writes is True


def test_5013_flags_that_disagree_are_an_error_and_the_cautious_one_holds(load: Load) -> None:
    text = "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\nwrites: false\ncapability: {writes: true}\n"
    declared = load({"tools/t.yaml": text})
    assert [d.code for d in declared.diagnostics] == ["tool/given-twice"]
    assert declared.tools[0].tool.capability.writes is True


def test_2068_a_resources_map_gives_slots(load: Load) -> None:
    text = "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\n"
    declared = load(
        {"tools/t.yaml": text + "resources: {db: {type: local/database, access: read_write, required: true}}\n"}
    )
    assert [slot.name for slot in declared.tools[0].tool.model.resource_slots] == ["db"]


def test_5041_the_execute_hook_is_kept(load: Load) -> None:
    text = "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\nlifecycle: {execute: hook}\n"
    assert load({"tools/t.yaml": text}).tools[0].tool.model.lifecycle == {"execute": "hook"}


def test_8799_an_inline_tool_needs_no_namespace_and_keeps_the_name_that_it_is_given(load: Load) -> None:
    inline = "{name: clean, description: X., source: custom, code: return 1}"
    declared = load({"skills/a.yaml": HEAD + f"tools: [{inline}, {inline}]\n"})
    assert [tool.name for tool in declared.skills[0].tools] == ["local/a/clean"] * 2
    assert declared.diagnostics == []


def test_2400_nothing_of_an_inline_tool_is_dropped(load: Load) -> None:
    declared = load(
        {
            "skills/a.yaml": HEAD + "inline_tools:\n  - name: w\n    description: W.\n    source: custom\n"
            "    code: return 1\n    writes: true\n    checkpointable: true\n    side_effects: [disk]\n"
            "    input_schema: {type: object}\n"
        }
    )
    flat = Catalogue(declared).flatten("local/a")
    assert (flat.metadata.capability_summary.write_tools, flat.metadata.writes) == (1, True)
    assert (flat.records[0].capability.side_effects, flat.records[0].input_schema) == (["disk"], {"type": "object"})


def test_2893_every_key_of_a_server_is_shown_and_secrets_are_masked() -> None:
    entry = {
        "name": "s",
        "command": "srv",
        "args": ["-v"],
        "transport": "stdio",
        "env": {"TOKEN": "sk-live"},
        "headers": {"X-Key": "sk-live"},
    }
    shown = Skill.from_config({"name": "local/a", "description": "A.", "mcp_servers": [entry]}).as_cli_dict()
    assert shown["mcp_servers"][0].keys() == entry.keys()
    assert "sk-live" not in str(shown)


def test_4918_a_server_that_was_never_asked_is_not_said_to_have_no_tools(load: Load) -> None:
    declared = load({"skills/a.yaml": HEAD + "mcp_servers:\n  - server: mcp-text-editor\n"})
    flat = Catalogue(declared).flatten("local/a")
    assert flat.undiscovered_servers == ("mcp-text-editor",)
    assert flat.metadata.read_only is False


def test_4549_names_may_have_upper_case(load: Load) -> None:
    assert only(load({"skills/a.yaml": "name: MyOrg/Tool-Kit\ndescription: A.\n"})).name == "MyOrg/Tool-Kit"


def test_6129_a_validation_is_what_says_so(load: Load) -> None:
    tool = "description: T.\nsource: custom\ncode: return 1\n"
    declared = load(
        {
            "tools/a.yaml": f"name: local/invalid_checker\n{tool}tool_type: tool\n",
            "tools/b.yaml": f"name: local/run_tests\n{tool}tool_type: validation\n",
        }
    )
    assert [file.tool.model.tool_type for file in declared.tools] == ["tool", "validation"]


def test_3818_an_actor_is_bound_to_its_skills_and_a_pattern_is_an_error(load: Load) -> None:
    declared = load({"actors/x.yaml": "actors:\n  one: {skills: [local/a, local/b]}\n  two: {skills: ['local/*']}\n"})
    assert [name for name, _ in declared.actors[0].skills] == ["local/a", "local/b"]
    assert [d.code for d in declared.diagnostics] == ["actor/wildcard"]


def test_2501_an_actor_file_needs_no_provider(load: Load) -> None:
    assert load({"actors/x.yaml": "agents:\n  one: {skills: [local/a]}\n"}).diagnostics == []
