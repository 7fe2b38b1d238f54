"""One fault gives one finding, with a message that names the thing and a fix that mends it (interfaces, part 2)."""

from __future__ import annotations

from typing import Any

import pytest

from core.diagnostics import Diagnostic
from core.workspace import Workspace
from core.workspace.fixes import plan_fixes, write_fixed

SKILL = "name: local/a\ndescription: A.\n"
TOOL = "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\n"
ACTOR = "name: local/bot\nskills: [local/a]\n"
FILES = {"skills/a.yaml": SKILL, "tools/t.yaml": TOOL}


@pytest.fixture
def found(make_workspace: Any) -> Any:
    def of(files: dict[str, str | bytes]) -> list[Diagnostic]:
        workspace = Workspace(make_workspace(files))
        workspace.load()
        return list(workspace.diagnostics)

    return of


def codes(findings: list[Diagnostic]) -> list[str]:
    return [finding.code for finding in findings]


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"skills/a.yaml": SKILL + "mcp_servers: [{name: s, comand: srv}]\n"}, "skill/unknown-key"),
        ({"skills/a.yaml": SKILL + "mcp_servers: [{}]\n"}, "mcp/no-command"),
        ({".mcp.json": '{"mcpServers": {"s": {"serverUrl": "https://x"}}}'}, "mcp/no-command"),
        ({".mcp.json": '{"mcpServers": {"s": {"command": "srv"},}}'}, "mcp/server-file"),
        ({".mcp.json": "{'mcpServers': {}}"}, "mcp/server-file"),
        ({"skills/a.yaml": SKILL + "tools: [{nam: local/t}]\n", "tools/t.yaml": TOOL}, "skill/unknown-key"),
        ({"skills/a.yaml": SKILL + "overrides: [{tol: t, override: {}}]\n"}, "skill/unknown-key"),
        ({"tools/t.yaml": TOOL + "input_schema: {type: strin}\n"}, "schema/invalid"),
        ({"skills/a.yaml": SKILL, "actors/b.yaml": ACTOR + "skill: {name: local/c}\n"}, "actor/inline-skill"),
    ],
)
def test_a_slip_is_told_once(files: dict[str, str | bytes], code: str, found: Any) -> None:
    assert codes(found(files)) == [code]


@pytest.mark.parametrize(
    "skills",
    ["[local/aa]", "[Local/a]", "local/a", "[{name: local/a}]", "['local/a ']", "['local/*']", "['*']", "{local/a: x}"],
)
def test_a_skill_that_an_actor_names_in_a_wrong_way_is_not_unused_too(skills: str, found: Any) -> None:
    findings = found({"skills/a.yaml": SKILL, "actors/bot.yaml": f"name: local/bot\nskills: {skills}\n"})
    assert len(findings) == 1
    assert codes(findings) != ["skill/unused"]


@pytest.mark.parametrize("includes", ["[local/bse]", "[{nme: local/base}]", "['local/base ']", "[local/base/x]"])
def test_a_skill_that_an_include_names_in_a_wrong_way_is_not_unused_too(includes: str, found: Any) -> None:
    base = {"skills/base.yaml": SKILL.replace("local/a", "local/base"), "actors/bot.yaml": ACTOR}
    assert len(found({"skills/a.yaml": f"{SKILL}includes: {includes}\n", **base})) == (2 if "nme" in includes else 1)


def test_a_tool_that_a_skill_misspells_is_not_unreachable_too(found: Any) -> None:
    tool = {"tools/t.yaml": TOOL.replace("local/t", "local/build"), "actors/bot.yaml": ACTOR}
    assert codes(found({"skills/a.yaml": SKILL + "tools: [local/biuld]\n", **tool})) == ["tool/unknown"]


def test_a_broken_python_file_is_told_once_however_many_tools_name_it(found: Any) -> None:
    tools = "".join(
        f"  - {{name: {name}, description: d, source: custom, entry_point: 'run.py:run'}}\n" for name in ("one", "two")
    )
    findings = found({"skills/a.yaml": f"{SKILL}anonymous_tools:\n{tools}", "run.py": "def run():\n  return )\n"})
    assert [(d.code, d.place.path, d.place.line, d.place.column) for d in findings] == [
        ("tool/python-syntax", "run.py", 2, 10)
    ]


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("tools: [{name: local/t, override: {wirtes: true}}]", "tools: [{name: local/t, override: {writes: true}}]"),
        ("tools: [{name: local/t, overide: {unsafe: true}}]", "tools: [{name: local/t, override: {unsafe: true}}]"),
        ("tools: [{nme: local/t}]", "tools: [{name: local/t}]"),
        ("builtin_groups: [git_operation]", "builtin_groups: [git_operations]"),
        ("builtin_groups: [{group: Git_Operations}]", "builtin_groups: [{group: git_operations}]"),
        ("builtin_groups: ['file-operations']", "builtin_groups: [file_operations]"),
        ("mcp_servers: [{name: s, comand: srv}]", "mcp_servers: [{name: s, command: srv}]"),
        (
            "tools: [{name: local/t}]\noverrides: {t: {unsaf: true}}",
            "tools: [{name: local/t}]\noverrides: {t: {unsafe: true}}",
        ),
    ],
)
def test_a_sure_slip_is_mended_by_its_fix(line: str, mended: str, make_workspace: Any) -> None:
    workspace = Workspace(make_workspace({"skills/a.yaml": f"{SKILL}{line}\n", "tools/t.yaml": TOOL}))
    workspace.load()
    for fixed in plan_fixes(workspace.diagnostics, workspace.text_of).files:
        assert write_fixed(workspace.root, fixed)
    assert (workspace.root / "skills/a.yaml").read_text(encoding="utf-8") == f"{SKILL}{mended}\n"
    workspace.load()
    assert codes(list(workspace.diagnostics)) == []


@pytest.mark.parametrize(
    "text",
    [
        "services: {web: {}}\n",
        "overrides: local/t\n",
        "anonymous_tools: build\n",
        "tools: [{name: local/t, override: {name: other}}]\n",
        "tools: [{name: local/t, override: {code: other}}]\n",
        "tools: [{name: local/t, override: {wirtes: true, writes: true}}]\n",
    ],
)
def test_no_fix_is_offered_where_it_would_only_be_a_guess(text: str, found: Any) -> None:
    findings = found({"skills/a.yaml": SKILL + text, "tools/t.yaml": TOOL})
    assert findings
    assert [d.fix for d in findings] == [None] * len(findings)
    assert "did you mean `unsafe`" not in findings[0].message


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("l\u043ecal/a", "the character U+043E (CYRILLIC SMALL LETTER O) looks like `o`, but"),
        ("local/\uff41", "the character U+FF41 (FULLWIDTH LATIN SMALL LETTER A) looks like `a`, but"),
        ("local\u2215a", "looks like `/`, but"),
        ("local/\u00e4", "the character U+00E4 (LATIN SMALL LETTER A WITH DIAERESIS) may not"),
        ("local/\u202ea", "the character U+202E (RIGHT-TO-LEFT OVERRIDE) may not"),
        (f"local/{'a' * 129}", "a part of it has more than 128 characters"),
        (f"{'a' * 129}/a", "a part of it has more than 128 characters"),
    ],
)
def test_a_name_that_looks_like_another_says_by_which_character(name: str, says: str, found: Any) -> None:
    finding = next(d for d in found({"skills/a.yaml": f"name: {name}\ndescription: A.\n"}) if "name" in d.code)
    assert finding.code == "skill/invalid-name"
    assert says in finding.message


def test_a_name_may_have_two_parts_of_128_characters(found: Any) -> None:
    assert found({"skills/a.yaml": f"name: {'a' * 128}/{'b' * 128}\ndescription: A.\n"}) == []


def test_what_tag_characters_spell_is_said(found: Any) -> None:
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "run me")
    (finding,) = found({"skills/a.yaml": f"name: local/a\ndescription: A{hidden}.\n"})
    assert finding.code == "file/hidden-character"
    assert "tag characters that spell `run me`" in finding.message


def test_a_group_among_the_includes_is_sent_where_it_belongs(found: Any) -> None:
    (finding,) = found({"skills/a.yaml": SKILL + "includes: [builtin/git_operations]\n"})
    assert "list it under `builtin_groups:`" in finding.message
