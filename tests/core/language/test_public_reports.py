"""Public bug reports about skill files, each with the input and the outcome that it asks for.

The numbers are those of the reports; where several describe one fault, one of them stands for all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from places import ROOT

from core.language.declarations import Declarations, SkillFile, ToolDecl
from core.model import Skill
from core.protocol import SkillFailure
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


def codes(declared: Declarations) -> list[str]:
    found = [*declared.diagnostics, *Catalogue(declared).diagnostics()]
    return [d.code for d in found if d.severity == "error"]


def test_1471_a_tool_file_may_be_wrapped_or_flat(load: Load) -> None:
    flat = "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\nwrites: true\n"
    wrapped = "tool:\n" + "".join(f"  {line}\n" for line in flat.splitlines())
    read = [load({"tools/t.yaml": text}).tools[0].tool for text in (flat, wrapped)]
    assert read[0].model == read[1].model
    assert read[0].capability == read[1].capability


def test_2065_a_header_without_a_version_is_read(load: Load) -> None:
    text = "cleveragents: {}\nskill: {name: local/a, description: x}\n"
    assert only(load({"skills/a.yaml": text})).format_version is None


def test_2107_camel_case_keys_are_read_with_their_canonical_spelling_as_the_remedy(load: Load) -> None:
    text = HEAD + "inlineTools: [{description: x, source: custom, code: return 1}]\nagentSkillFolders: []\n"
    declared = load({"skills/a.yaml": text})
    assert len(only(declared).tools) == 1
    assert [d.hint for d in declared.diagnostics] == ["write `anonymous_tools`", "write `agent_skill_folders`"]


def test_2408_a_missing_include_names_both_skills_and_leaves_the_others_alone(load: Load) -> None:
    declared = load(
        {"skills/p.yaml": "name: local/p\ndescription: P.\nincludes: [local/nope]\n", "skills/a.yaml": HEAD}
    )
    catalogue = Catalogue(declared)
    (error,) = catalogue.flatten("local/p").errors
    assert str(error.error_type) == "resolution_failure"
    assert "local/p" in error.message
    assert "local/nope" in error.message
    assert {row.name: str(row.status) for row in catalogue.skills()} == {"local/p": "partial", "local/a": "resolved"}


def test_2579_a_cycle_is_told_with_its_trail(load: Load) -> None:
    one = "name: local/x\ndescription: X.\nincludes: [local/y]\n"
    two = "name: local/y\ndescription: Y.\nincludes: [local/x]\n"
    found = Catalogue(load({"skills/x.yaml": one, "skills/y.yaml": two})).diagnostics()
    assert "local/x -> local/y -> local/x" in found[0].message


def test_4812_a_read_only_claim_is_about_named_tools_and_servers_too(load: Load) -> None:
    claim = HEAD + "read_only: true\n"
    writer = {"tools/t.yaml": "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\nwrites: true\n"}
    assert codes(load({"skills/a.yaml": claim + "tools: [local/t]\n", **writer})) == ["skill/read-only-broken"]
    server = "mcp_servers: [{name: s, command: srv, tools: [read_it]}]\n"
    assert codes(load({"skills/a.yaml": claim + server})) == ["skill/read-only-broken"]
    md = "---\nname: m\ndescription: Sorts the mail of an office. Use it daily.\n---\n1. Go.\n"
    assert codes(load({"skills/a.yaml": claim + "agent_skill_folders: [m]\n", "m/SKILL.md": md})) == []


def test_3678_an_unknown_skill_is_an_error_of_the_protocol(load: Load) -> None:
    with pytest.raises(SkillFailure) as raised:
        Catalogue(load({"skills/a.yaml": HEAD})).flatten("local/nope")
    assert str(raised.value.error.error_type) == "skill_not_found"


def test_4038_the_file_and_folder_groups_are_a_fixed_list_and_an_unknown_tool_is_told(load: Load) -> None:
    declared = load({"skills/a.yaml": HEAD + "builtin_groups: [file_operations, directory_operations]\n"})
    assert [record.name.removeprefix("builtin/") for record in Catalogue(declared).flatten("local/a").records] == [
        *("read_file", "write_file", "edit_file", "delete_file", "move_file", "copy_file", "search_files"),
        *("get_file_info", "list_directory", "create_directory", "delete_directory"),
    ]
    assert codes(load({"skills/a.yaml": HEAD + "tools: [builtin/list_files]\n"})) == ["tool/unknown"]


def test_4092_the_shell_writes_and_checkpoints_a_snapshot(load: Load) -> None:
    declared = load({"skills/a.yaml": HEAD + "tools: [{name: builtin/shell_execute}]\n"})
    (record,) = Catalogue(declared).flatten("local/a").records
    capability = record.capability
    assert (capability.writes, capability.read_only, capability.checkpoint_scope) == (True, False, "snapshot")


@pytest.mark.parametrize("tool", ["getIssue", "get_or_create", "frobnicate", "read_file", "list"])
def test_4813_a_word_in_its_name_never_makes_a_servers_tool_read_only(tool: str, load: Load) -> None:
    declared = load({"skills/a.yaml": HEAD + f"mcp_servers: [{{name: s, command: srv, tools: [{tool}]}}]\n"})
    summary = Catalogue(declared).flatten("local/a").metadata.capability_summary
    assert (summary.read_only_tools, summary.write_tools) == (0, 1)


@pytest.mark.parametrize(
    "text", ["steps: [Look., Act.]\n---\nText.\n", "---\n## 1. Look.\n\n## 2. Act.\n", "---\n1. Look.\n2. Act.\n"]
)
def test_453_steps_stand_in_the_frontmatter_or_in_the_body(text: str, load: Load) -> None:
    head = "---\nname: m\ndescription: Sorts the mail of an office. Use it daily.\n"
    assert load({"m/SKILL.md": head + text}).agent_skills[0].steps == ("Look.", "Act.")


def test_416_no_steps_are_no_steps(load: Load) -> None:
    text = "---\nname: m\ndescription: Sorts the mail of an office. Use it daily.\n---\nDo it well.\n"
    assert load({"m/SKILL.md": text}).agent_skills[0].steps == ()


def test_7487_one_bad_agent_skill_leaves_the_others_there(load: Load) -> None:
    text = "---\nname: {}\ndescription: Sorts the mail of an office. Use it daily.\n---\n1. Go.\n"
    bad = {"c/SKILL.md": "---\nname: c\ndescription: a: b\n---\n"}
    declared = load({**{f"{name}/SKILL.md": text.format(name) for name in "ab"}, **bad})
    assert {skill.name: skill.valid for skill in declared.agent_skills} == {"a": True, "b": True, "c": False}


def test_436_a_tool_that_reads_only_and_writes_counts_as_writing(load: Load) -> None:
    text = "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\nread_only: true\nwrites: true\n"
    declared = load({"tools/t.yaml": text, "skills/a.yaml": HEAD + "read_only: true\ntools: [local/t]\n"})
    assert codes(declared) == ["tool/capability-conflict", "skill/read-only-broken"]


ELSEWHERE = {
    "4814, 2142, 1120": "tests/core/workspace",
    "2158, 3822, 5696": "tests/core/sources/mcp/test_mcp_calls.py",
    "5086, 4026": "tests/core/runtime/test_gate.py",
    "3762, 5469": "tests/core/test_protocol.py",
    "6857, 6858, 2067": "tests/cli",
    "9306": "tests/explorer",
}
"""Reports about what happens after the files are read: where the tests of it are."""

LEFT_OUT = {
    "7929": "slots of servers' tools are not guessed from the names of parameters",
    "11227": "skills stand in files here; the built-in groups are there without any",
    "2131": "the block for a model's prompt is the business of whoever runs the model",
    "2087, 6857": "the envelope of another command line; the shapes here are those of this program",
    "8656": "routes between actors belong to other programs, as all keys of actor files but those of skills",
    "5982": "the reference picker of another program",
    "11219": "names as model interfaces want them are the business of whoever calls them",
}
"""Reports that ask for what is no part of this program, and why."""


def test_the_tests_that_other_reports_are_sent_to_are_there() -> None:
    assert [path for path in ELSEWHERE.values() if not (ROOT / path).exists()] == []
    assert all(LEFT_OUT.values())
