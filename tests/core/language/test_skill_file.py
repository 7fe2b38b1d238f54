"""Skill files: declarations with places, and faults exactly where they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.diagnostics import Diagnostic
from core.language.declarations import Declarations, SkillFile, ToolDecl
from core.model.declared import ToolRefDecl

HEAD = "name: local/a\ndescription: A.\n"
Findings = Callable[..., list[Diagnostic]]
Where = Callable[[Diagnostic], tuple[int, int, int, int]]
Fixed = Callable[[str, Diagnostic], str]
Load = Callable[[dict[str, str]], Declarations]


@pytest.fixture
def skill(load: Load) -> Callable[[str], SkillFile]:
    def of(text: str) -> SkillFile:
        declared = load({"skills/a.yaml": text})
        assert [d.message for d in declared.diagnostics if d.severity == "error"] == []
        return declared.skills[0]

    return of


def at(file: SkillFile, span: int) -> tuple[int, int, int | None, int | None]:
    place = file.place(span)
    return place.line, place.column, place.end_line, place.end_column


def test_every_entry_knows_its_place(skill: Any) -> None:
    file = skill(
        HEAD
        + "builtin_groups: [git_operations]\n"  # line 3
        + "includes:\n  - local/b\n  - name: local/c\n    overrides: {t: {unsafe: true}}\n"  # 4 to 7
        + "tools:\n  - local/t\n  - name: builtin/file-read\n    timeout: 5\n"  # 8 to 11
        + "mcp_servers:\n  - {name: s, server: srv, tools: [x]}\n"  # 12, 13
        + "overrides:\n  local/t:\n    unsafe: true\n"  # 14 to 16
        + "read_only: true\n"  # 17
    )
    assert at(file, file.name_span) == (1, 7, 1, 14)
    assert at(file, file.groups[0].span) == (3, 18, 3, 32)
    assert [at(file, include.span)[:2] for include in file.includes] == [(5, 5), (6, 11)]
    assert at(file, file.includes[1].overrides[0].span) == (7, 17, 7, 18)
    assert at(file, file.includes[1].overrides[0].field_spans["unsafe"]) == (7, 29, 7, 33)
    assert [at(file, tool.span)[:2] for tool in file.tools] == [(9, 5), (10, 11)]
    reference = file.tools[1]
    assert isinstance(reference, ToolRefDecl)
    assert (reference.name, reference.written) == ("builtin/read_file", "builtin/file-read")
    assert reference.override is not None
    assert at(file, reference.override.field_spans["timeout"])[:2] == (11, 14)
    assert at(file, file.servers[0].span)[:2] == (13, 12)
    assert file.servers[0].allow is not None
    assert at(file, file.servers[0].allow[0][1])[:2] == (13, 36)
    assert at(file, file.overrides[0].span)[:2] == (15, 3)
    assert file.read_only_span is not None
    assert at(file, file.read_only_span) == (17, 12, 17, 16)


def test_inline_tools_are_named_by_their_place_among_the_unnamed_ones(skill: Any) -> None:
    inline = "{description: X., source: custom, code: return 1"
    file = skill(
        f"{HEAD}tools:\n  - {inline}}}\n  - local/t\n  - {inline}, name: clean}}\n  - {inline}}}\n"
        f"anonymous_tools:\n  - {inline}}}\n"
    )
    assert [tool.name for tool in file.tools] == [
        "local/a/inline-1",
        "local/t",
        "local/a/clean",
        "local/a/inline-2",
        "local/a/inline-3",
    ]


def test_inline_tools_keep_the_names_they_are_given_even_if_they_share_one(load: Load) -> None:
    inline = "{name: x, description: X., source: custom, code: return 1}"
    declared = load({"skills/a.yaml": f"{HEAD}tools: [{inline}, {inline}]\nanonymous_tools: [{inline}]\n"})
    assert [tool.name for tool in declared.skills[0].tools] == ["local/a/x"] * 3
    assert declared.diagnostics == []


def test_the_flags_of_an_inline_tool_know_their_places(skill: Any) -> None:
    file = skill(
        f"{HEAD}tools:\n  - description: X.\n    source: custom\n    code: return 1\n    unsafe: true\n"
        "    capability: {writes: true}\n"
    )
    tool = file.tools[0]
    assert isinstance(tool, ToolDecl)
    assert at(file, tool.flag_spans["unsafe"])[:2] == (7, 13)
    assert at(file, tool.flag_spans["writes"])[:2] == (8, 26)
    assert (tool.capability.writes, tool.capability.unsafe) == (True, True)


def test_text_is_read_as_it_is_written(load: Load, where: Where) -> None:
    declared = load({"skills/a.yaml": "name: local/a\ndescription: no\nversion: 1.10\n"})
    model = declared.skills[0].model
    assert (model.description, model.version) == ("no", "1.10")
    ambiguous = [d for d in declared.diagnostics if d.code == "yaml/ambiguous-scalar"]
    assert [where(d) for d in ambiguous] == [(2, 14, 2, 16), (3, 10, 3, 14)]


@pytest.mark.parametrize(
    ("version", "code"),
    [
        ("1.10", "yaml/ambiguous-scalar"),
        ("7", "yaml/ambiguous-scalar"),
        ("'1.10'", "skill/version"),
        ("2024-01-01", "skill/version"),
        ("one", "skill/version"),
    ],
)
def test_a_version_that_is_none_is_told_once(findings: Findings, version: str, code: str) -> None:
    assert [found.code for found in findings(f"{HEAD}version: {version}\n")] == [code]


def test_an_empty_description_is_as_bad_as_none(load: Load, where: Where) -> None:
    tool = "{description: '', source: custom, code: return 1}"
    declared = load({"skills/a.yaml": f"name: local/a\ndescription: ' '\ntools: [{tool}]\n"})
    found = [(d.code, d.severity, where(d)) for d in declared.diagnostics]
    assert found == [
        ("skill/missing-key", "error", (2, 14, 2, 17)),
        ("skill/missing-key", "error", (3, 23, 3, 25)),
    ]


def test_the_fix_of_an_ambiguous_text_quotes_it(findings: Findings, fixed: Fixed) -> None:
    text = "name: local/a\ndescription: no\n"
    found = findings(text)[0]
    assert fixed(text, found) == 'name: local/a\ndescription: "no"\n'
    assert findings(fixed(text, found)) == []


def test_numbers_in_the_environment_of_a_server_stay_as_written(load: Load) -> None:
    declared = load({"skills/a.yaml": f"{HEAD}mcp_servers:\n  - {{name: s, server: x, env: {{PORT: 0080, F: 1e3}}}}\n"})
    env = declared.skills[0].model.mcp_servers[0].env
    assert env is not None
    assert {name: value.get_secret_value() for name, value in env.items()} == {"PORT": "0080", "F": "1e3"}


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        (f"{HEAD}include: [local/b]\n", "skill/unknown-key", (3, 1, 3, 8)),
        (f"{HEAD}builtins: []\n", "skill/legacy-key", (3, 1, 3, 9)),
        (f"{HEAD}tools: local/t\n", "skill/wrong-type", (3, 8, 3, 15)),
        (f"{HEAD}tools:\n  - a\n", "skill/invalid-name", (4, 5, 4, 6)),
        (f"{HEAD}includes:\n  - name: b\n", "skill/invalid-name", (4, 11, 4, 12)),
        (f"{HEAD}tools:\n  - {{}}\n", "skill/missing-key", (4, 5, 4, 7)),
        (f"{HEAD}builtin_groups:\n  - group: nope\n", "skill/unknown-group", (4, 12, 4, 16)),
        (f"{HEAD}overrides:\n  t:\n    code: x\n", "tool/not-overridable", (5, 5, 5, 9)),
        (f"{HEAD}overrides:\n  t: {{read_only: true, writes: true}}\n", "tool/capability-conflict", (4, 18, 4, 22)),
        (f"{HEAD}tools:\n  - {{name: local/t, writes: maybe}}\n", "skill/wrong-type", (4, 29, 4, 34)),
        (f"{HEAD}overrides: {{t: {{timeout: 0}}}}\n", "tool/timeout", (3, 26, 3, 27)),
        (f"{HEAD}agent_skill_folders:\n  - /etc\n", "skill/path-outside", (4, 5, 4, 9)),
        (f"{HEAD}mcp_servers:\n  - {{name: s, server: x, cwd: ../..}}\n", "skill/path-outside", (4, 31, 4, 36)),
        (f"{HEAD}mcp_servers:\n  - {{name: s}}\n  - {{name: s}}\n", "mcp/duplicate-name", (5, 5, 5, 14)),
        (f"{HEAD}input_schema: {{properties: {{}}}}\n", "skill/schema-without-type", (3, 15, 3, 31)),
        (f"{HEAD}output_schema: {{type: odd}}\n", "schema/invalid", (3, 23, 3, 26)),
    ],
)
def test_a_fault_is_told_where_it_stands(
    findings: Findings, where: Where, text: str, code: str, place: tuple[int, int, int, int]
) -> None:
    found = findings(text)
    assert [(d.code, where(d)) for d in found] == [(code, place)]
    assert found[0].skill == "local/a"


def test_a_section_in_two_spellings_names_both_lines(findings: Findings, where: Where) -> None:
    found = findings(f"{HEAD}builtin_groups: [git_operations]\nbuiltins: [file_operations]\n")
    assert [(d.code, d.place.line, d.related[0].place.line) for d in found] == [("skill/given-twice", 4, 3)]


def test_keys_beside_a_wrapper_are_told_one_by_one(findings: Findings) -> None:
    found = findings("skill:\n  name: local/a\n  description: A.\nversion: 1.0.0\ntools: []\n")
    assert [(d.code, d.place.line, d.related[0].place.line) for d in found] == [
        ("skill/wrapper-mixed", 4, 1),
        ("skill/wrapper-mixed", 5, 1),
    ]


def test_the_version_of_the_format_is_kept_beside_the_model(load: Load) -> None:
    wrapped = 'cleveragents: {version: "3.0"}\nskill:\n  name: local/a\n  description: A.\n'
    assert load({"skills/a.yaml": wrapped}).skills[0].format_version == "3.0"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{HEAD}builtins: [git_operations]\n", f"{HEAD}builtin_groups: [git_operations]\n"),
        (f"{HEAD}include:  # more\n  - local/b\n", f"{HEAD}includes:  # more\n  - local/b\n"),
        (f'{HEAD}"inlineTools": []\n', f'{HEAD}"anonymous_tools": []\n'),
        (f"{HEAD}tools:\n  - builtin/file-read  # x\n", f"{HEAD}tools:\n  - builtin/read_file  # x\n"),
        (f"{HEAD}tools: local/t\n", f"{HEAD}tools: [local/t]\n"),
        (f"{HEAD}tools: [read_file]\n", f"{HEAD}tools: [builtin/read_file]\n"),
        (f"{HEAD}tools:\n  - name: git-status\n", f"{HEAD}tools:\n  - name: builtin/git_status\n"),
        (f"{HEAD}read_only: yes\n", f"{HEAD}read_only: true\n"),
        (f"{HEAD}tools:\n  - local/t\n  - local/t  # again\n", f"{HEAD}tools:\n  - local/t\n"),
        (f"{HEAD}tools: [local/t, local/t]\n", f"{HEAD}tools: [local/t]\n"),
        (f"{HEAD}tools: [local/t, local/t, local/u]\n", f"{HEAD}tools: [local/t, local/u]\n"),
        (
            "# top\nskill:\n  # about\n  name: local/a\n\n  description: |\n    Two\n      lines.\n",
            "# top\n# about\nname: local/a\n\ndescription: |\n  Two\n    lines.\n",
        ),
        (
            f"{HEAD}tools: [{{name: x/clean, description: X., source: custom, code: return 1}}]\n",
            f"{HEAD}tools: [{{name: clean, description: X., source: custom, code: return 1}}]\n",
        ),
    ],
)
def test_a_mechanical_fix_changes_its_own_characters_and_settles_the_fault(
    findings: Findings, fixed: Fixed, text: str, expected: str
) -> None:
    found = next(d for d in findings(text) if d.fix)
    assert fixed(text, found) == expected
    assert [d.code for d in findings(expected)] == []


@pytest.mark.parametrize(
    "lines",
    [
        "include: [local/b]\nincldes: [local/b]\n",
        "builtin_group: []\nbuiltins: [git_operations]\n",
        "builtins: [git_operations]\nbuiltin_groups: [git_operations]\n",
        "tools:\n  - local/t\n  - {name: local/t, unsafe: true}\n",
    ],
)
def test_a_fix_that_would_make_a_new_fault_is_not_offered(findings: Findings, fixed: Fixed, lines: str) -> None:
    text = HEAD + lines
    for found in [d for d in findings(text) if d.fix]:
        text = fixed(text, found)
    assert {d.code for d in findings(text)} <= {d.code for d in findings(HEAD + lines)}
    assert "yaml/duplicate-key" not in {d.code for d in findings(text)}
    assert "unsafe" in text or "unsafe" not in lines


@pytest.mark.parametrize(
    "text", ["skill: {name: local/a, description: A.}\n", "skill: &s\n  name: local/a\n  description: A.\n"]
)
def test_a_wrapper_that_cannot_be_taken_away_by_lines_has_no_fix(findings: Findings, text: str) -> None:
    assert [d.fix for d in findings(text, "skill/wrapped")] == [None]


def test_a_folder_is_found_from_the_root_before_the_files_own(load: Load) -> None:
    skill_md = "---\nname: x\ndescription: Does something that is long enough. Use for tests.\n---\n1. Go.\n"
    declared = load(
        {"skills/a.yaml": f"{HEAD}agent_skill_folders: [x]\n", "x/SKILL.md": skill_md, "skills/x/SKILL.md": skill_md}
    )
    assert [folder.path for folder in declared.skills[0].agent_folders] == ["x"]
    assert [d for d in declared.diagnostics if d.place.path == "skills/a.yaml"] == []


@pytest.mark.parametrize("written", ["x", "./x", "../skills/x"])
def test_a_folder_beside_the_file_is_found_with_an_info(load: Load, written: str) -> None:
    skill_md = "---\nname: x\ndescription: Does something that is long enough. Use for tests.\n---\n1. Go.\n"
    declared = load({"skills/a.yaml": f"{HEAD}agent_skill_folders: [{written}]\n", "skills/x/SKILL.md": skill_md})
    assert [folder.path for folder in declared.skills[0].agent_folders] == ["skills/x"]
    assert [folder.path for folder in declared.skills[0].model.agent_skills] == [written]
    assert [(d.code, d.severity) for d in declared.diagnostics] == [("skill/path-from-file", "info")]


def test_a_folder_that_is_nowhere_is_declared_from_the_root(load: Load) -> None:
    declared = load({"skills/a.yaml": f"{HEAD}agent_skill_folders: [./nowhere/]\n"})
    assert [folder.path for folder in declared.skills[0].agent_folders] == ["nowhere"]


@pytest.mark.parametrize(
    ("name", "kept"), [("greeter", "greeter"), ("a/b/c", "a/b/c"), ("[1]", None), ("12", None), ('"x\\n"', "x\n")]
)
def test_a_file_without_a_usable_name_is_broken_and_keeps_what_it_says(load: Load, name: str, kept: str | None) -> None:
    declared = load({"skills/a.yaml": f"name: {name}\ndescription: A.\n"})
    assert declared.skills == []
    assert [(b.path, b.kind, b.name) for b in declared.broken] == [("skills/a.yaml", "skill", kept)]
    assert any(d.severity == "error" for d in declared.diagnostics)


def test_a_faulty_part_is_left_out_and_the_rest_stays(load: Load) -> None:
    declared = load(
        {
            "skills/a.yaml": f"{HEAD}tools: [local/t, bad, builtin/read_file]\nincludes: [local/b, '*']\n"
            "overrides: {local/t: {writes: true, code: x}}\n"
        }
    )
    model = declared.skills[0].model
    assert model.tool_refs == ["local/t", "builtin/read_file"]
    assert [include.name for include in model.includes] == ["local/b"]
    assert model.overrides == {"local/t": {"writes": True}}


def test_a_conflicting_tool_counts_as_writing(load: Load) -> None:
    inline = "{description: X., source: custom, code: return 1, read_only: true, writes: true}"
    tool = load({"skills/a.yaml": f"{HEAD}tools: [{inline}]\n"}).skills[0].tools[0]
    assert isinstance(tool, ToolDecl)
    assert (tool.capability.counts_as_writing, tool.capability.read_only) == (True, False)


def test_a_flag_that_is_written_as_a_word_is_an_error_and_taken_as_meant(load: Load) -> None:
    declared = load({"skills/a.yaml": f"{HEAD}overrides: {{local/t: {{human_approval_required: yes}}}}\n"})
    assert [d.severity for d in declared.diagnostics] == ["error"]
    assert declared.skills[0].model.overrides == {"local/t": {"human_approval_required": True}}


def test_of_many_faults_a_hundred_are_listed_and_the_rest_counted(findings: Findings) -> None:
    found = findings(HEAD + "".join(f"odd{number}: 1\n" for number in range(250)))
    assert len(found) == 101
    assert "150 more faults" in next(d.message for d in found if d.severity == "info")


def test_an_entry_that_is_used_by_alias_is_judged_once(findings: Findings) -> None:
    found = findings(f"{HEAD}tools:\n  - &t {{name: bad}}\n  - *t\n", "skill/invalid-name")
    assert len(found) == 1


@pytest.mark.parametrize("text", ["Reads \\e[2J.", "Reads \\u202e.", "a\\0b"])
def test_a_character_hidden_behind_an_escape_is_reported_at_the_text(
    findings: Findings, where: Where, text: str
) -> None:
    found = findings(f'name: local/a\ndescription: "{text}"\n')
    assert [(d.code, where(d)[:2]) for d in found] == [("file/hidden-character", (2, 14))]


def test_every_kind_of_character_hidden_in_a_text_is_named_once(findings: Findings) -> None:
    [found] = findings('name: local/a\ndescription: "A \\e[31m\\a\\e and \\u202e."\n')
    assert [name for name in ("U+001B", "U+0007", "U+202E") if found.message.count(name) == 1] == [
        "U+001B",
        "U+0007",
        "U+202E",
    ]


def test_of_very_many_hidden_characters_the_first_kinds_are_named(findings: Findings) -> None:
    many = "".join(f"\\x{code:02x}" for code in range(1, 9)) * 20_000
    [found] = findings(f'name: local/a\ndescription: "{many}"\n', "file/hidden-character")
    assert "U+0004" in found.message
    assert "4 more" in found.message


def test_a_character_that_reorders_code_is_reported_at_its_place(findings: Findings, where: Where) -> None:
    found = findings(
        f"{HEAD}tools:\n  - description: X.\n    source: custom\n    code: |\n      # \u202e admin\n      return 1\n"
    )
    assert [(d.code, where(d)) for d in found] == [("file/hidden-character", (7, 9, 7, 10))]


def test_umlauts_dashes_and_emoji_hide_nothing(findings: Findings) -> None:
    assert findings("name: local/a\ndescription: Größe — 日本語 👩‍💻 ✓\n") == []
