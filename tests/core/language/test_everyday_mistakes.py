"""Mistakes that authors make every day: one finding each, that names the fault, the place and the remedy."""

from __future__ import annotations

from typing import Any

import pytest

HEAD = "name: local/a\ndescription: A.\n"
SERVERS = HEAD + "mcp_servers:\n  - name: g\n"
NOTES = {"notes/SKILL.md": "---\nname: notes\ndescription: Writes notes about meetings. Use after them.\n---\n1. Go.\n"}

IN_SKILLS = {
    "entries run together": (
        HEAD + "tools:\n - builtin/read_file\n  - builtin/write_file\n",
        (4, 4),
        "it is two entries, of which the second is indented further; align the dashes",
    ),
    "nothing among tools": (
        HEAD + "tools: [null]\n",
        (3, 9),
        "it stands for nothing; write namespace/short_name, or leave it out",
    ),
    "nothing among includes": (HEAD + "includes: [~]\n", (3, 12), "it stands for nothing"),
    "path of a file": (HEAD + "includes: [skills/b.yaml]\n", (3, 12), "it is the path of a file; write the `name`"),
    "path from here": (HEAD + "includes: [../skills/b]\n", (3, 12), "it is the path of a file; write the `name`"),
    "no namespace": (HEAD + "includes: [b]\n", (3, 12), "write namespace/short_name, like `local/b`"),
    "pattern": (HEAD + "includes: ['local/*']\n", (3, 12), "name each one in full"),
    "dot": (HEAD + "includes: [local.b]\n", (3, 12), "did you mean `local/b`?"),
    "backslash": ("name: local\\a\ndescription: A.\n", (1, 7), "did you mean `local/a`?"),
    "blanks": ("name: local / a\ndescription: A.\n", (1, 7), "did you mean `local/a`?"),
    "smart quotes": (HEAD + "tools: [\u201clocal/t\u201d]\n", (3, 9), "did you mean `local/t`?"),
    "zero width": ("name: local/a\u200b\ndescription: A.\n", (1, 7), "U+200B (ZERO WIDTH SPACE) may not stand"),
    "group among tools": (HEAD + "tools: [git_operations]\n", (3, 9), "list it under `builtin_groups:`"),
    "group as tool": (HEAD + "tools: [builtin/git_operations]\n", (3, 9), "list it under `builtin_groups:`"),
    "tool's prefix on a group": (
        HEAD + "builtin_groups: [builtin/git_operations]\n",
        (3, 18),
        "did you mean `git_operations`?",
    ),
    "conflict": (
        "name: local/a\n<<<<<<< HEAD\ndescription: A.\n=======\ndescription: B.\n>>>>>>> x\n",
        (2, 1),
        "A merge conflict was left in the file; keep one side",
    ),
    "conflict in a list": (
        HEAD + "tools:\n<<<<<<< HEAD\n  - local/a\n=======\n  - local/b\n>>>>>>> x\n",
        (4, 1),
        "A merge conflict was left in the file; keep one side",
    ),
    "fence": ("```yaml\n" + HEAD + "```\n", (1, 1), "This is a Markdown fence, which is no YAML; delete the line"),
    "slashes": ('{\n  // why\n  "name": "local/a"\n}\n', (2, 3), "// begins no comment here"),
    "slashes in block": ("// why\n" + HEAD, (1, 1), "// begins no comment here"),
    "template": ("name: {{ name }}\ndescription: A.\n", (1, 7), "`{{` begins a template that was not filled in"),
    "template tag": (HEAD + "{% if x %}\ntools: []\n", (3, 1), "`{%` begins a template that was not filled in"),
    "variable in brackets": (HEAD + "includes: [${SKILL}]\n", (3, 12), "needs quotes between brackets"),
    "no-break spaces": (HEAD + "tools:\n\u00a0\u00a0- local/t\n", (4, 1), "U+00A0 (NO-BREAK SPACE) is used for"),
    "wide colon": ("name\uff1a local/a\ndescription: A.\n", (1, 5), "U+FF1A (FULLWIDTH COLON) looks like a colon"),
    "no blank after colons": ("name:local/a\ndescription:A.\n", (1, 5), "No blank follows the colon of `name`"),
    "equals": ("name = local/a\ndescription = A.\n", (1, 5), "An equals sign stands in place of the colon of `name`"),
    "no blank after dashes": (HEAD + "tools:\n  -local/t\n  -local/u\n", (4, 3), "write a blank after each dash"),
    "asterisks": (HEAD + "tools:\n  * local/t\n", (4, 3), "* begins no list item here; write `- `"),
    "bullets": (HEAD + "tools:\n  \u2022 local/t\n  \u2022 local/u\n", (4, 3), "begin each entry with `- `"),
    "include by another key": (HEAD + "includes:\n  - skill: local/b\n", (4, 5), "`skill` is no key of an include"),
    "include as a key": (HEAD + "includes:\n  - local/b: {}\n", (4, 5), "`local/b` is no key of an include"),
    "server as a key": (HEAD + "mcp_servers:\n  - npx: {args: [x]}\n", (4, 5), "`npx` is no key of an MCP server"),
    "commas": (HEAD + "tools: local/t, local/u\n", (3, 8), "write a list, like `[one, two]`"),
    "None": (HEAD + "tools: None\n", (3, 8), "delete the key, or write a list"),
    "servers by name": (
        HEAD + "mcp_servers:\n  github:\n    command: npx\n",
        (4, 3),
        "write each as an entry with its `name`",
    ),
    "command as a list": (SERVERS + "    command: [npx, -y]\n", (5, 14), "the rest under `args`"),
    "args as text": (SERVERS + "    command: npx\n    args: -y\n", (6, 11), "write a list, like `[one, two]`"),
    "overrides as a list": (
        HEAD + "overrides:\n  - local/t: {writes: true}\n",
        (4, 5),
        "write it without the dash, or as `tool: ...`",
    ),
    "beside the wrapper": ("skill:\n  name: local/a\ndescription: A.\n", (3, 1), "move it below that"),
    "wrapper as name": ("skill: local/a\ndescription: A.\n", (1, 1), "for its name alone write `name`"),
    "code that is not indented": (
        HEAD + "tools:\n  - description: X.\n    source: custom\n    code: |\n    def run():\n      return 1\n",
        (6, 11),
        "`code` is empty, as the lines below it are not indented further",
    ),
    "no value": ("name: local/a\ndescription:\n", (2, 1), "`description` has no value; write one"),
    "older encoding": (
        "name: local/a\ndescription: \u201cCaf\u00e9\u201d.\n".encode("cp1252"),
        (2, 14),
        "byte 28 is 0x93, perhaps Windows-1252",
    ),
}


@pytest.mark.parametrize(("text", "at", "says"), IN_SKILLS.values(), ids=IN_SKILLS)
def test_a_mistake_in_a_skill_is_one_finding(findings: Any, text: str | bytes, at: tuple[int, int], says: str) -> None:
    found = [d for d in findings({"skills/a.yaml": text, **NOTES}) if d.severity == "error"]
    assert [(d.place.line, d.place.column) for d in found] == [at], found
    assert says in found[0].message


IN_ACTORS = {
    "text for a list": (
        "name: local/h\nskills: local/s\n",
        (2, 9),
        "write a list",
        "name: local/h\nskills: [local/s]\n",
    ),
    "misspelt": (
        "name: local/h\nskils: [local/s]\n",
        (2, 1),
        "did you mean `skills`?",
        "name: local/h\nskills: [local/s]\n",
    ),
    "one of them": (
        "name: local/h\nskill: [local/s]\n",
        (2, 1),
        "did you mean `skills`?",
        "name: local/h\nskills: [local/s]\n",
    ),
    "mapping": ("actors:\n  h:\n    skills:\n      local/s: {}\n", (4, 7), "write a list", None),
    "name in a mapping": (
        "name: local/h\nskills:\n  - name: local/s\n",
        (3, 5),
        "write the name alone",
        "name: local/h\nskills:\n  - local/s\n",
    ),
    "path": ("name: local/h\nskills: [skills/s.yaml]\n", (2, 10), "write the `name` that stands in that file", None),
    "dot": (
        "name: local/h\nskills: [local.s]\n",
        (2, 10),
        "did you mean `local/s`?",
        "name: local/h\nskills: [local/s]\n",
    ),
    "no namespace": ("name: local/h\nskills: [s]\n", (2, 10), "like `local/s`", None),
}
SKILL = {"skills/s.yaml": "name: local/s\ndescription: S.\ntools: [builtin/read_file]\n"}


@pytest.mark.parametrize(("text", "at", "says", "mended"), IN_ACTORS.values(), ids=IN_ACTORS)
def test_a_mistake_in_an_actor_is_one_finding(
    findings: Any, fixed: Any, text: str, at: tuple[int, int], says: str, mended: str | None
) -> None:
    (found,) = findings({"actors/h.yaml": text, **SKILL})
    assert (found.place.line, found.place.column) == at
    assert says in found.message
    assert (fixed(text, found) if found.fix else None) == mended
    assert mended is None or findings({"actors/h.yaml": mended, **SKILL}) == []


def test_an_actor_whose_key_is_misspelt_does_not_make_its_skills_unused(make_workspace: Any) -> None:
    from core.workspace import Workspace

    workspace = Workspace(make_workspace({"actors/h.yaml": "name: local/h\nskils: [local/s]\n", **SKILL}))
    workspace.load()
    assert [d.code for d in workspace.diagnostics] == ["actor/misspelt-key"]


IN_SERVER_FILES = {
    "servers": ('{"servers": {"a": {"command": "x"}}}', "did you mean `mcpServers`?", True),
    "capitals": ('{"MCPServers": {"a": {"command": "x"}}}', "did you mean `mcpServers`?", True),
    "snakes": ('{"mcp_servers": {"a": {"command": "x"}}}', "did you mean `mcpServers`?", True),
    "list of servers": ('{"servers": [{"name": "a", "command": "x"}]}', "did you mean `mcpServers`?", False),
    "no section": ('{"a": {"command": "x"}}', "put the servers below `mcpServers`", False),
    "list": ('{"mcpServers": [{"name": "a", "command": "x"}]}', "holds a mapping `mcpServers`", False),
    "misspelt command": ('{"mcpServers": {"a": {"comand": "x"}}}', "did you mean `command`?", True),
}


@pytest.mark.parametrize(("text", "says", "mends"), IN_SERVER_FILES.values(), ids=IN_SERVER_FILES)
def test_a_mistake_in_a_server_file_is_one_finding_and_none_in_the_skill(
    make_workspace: Any, findings: Any, fixed: Any, text: str, says: str, mends: bool
) -> None:
    from core.workspace import Workspace

    skill = {"skills/a.yaml": HEAD + "mcp_servers: [a]\n"}
    workspace = Workspace(make_workspace({".mcp.json": text, **skill}))
    workspace.load()
    (found,) = workspace.diagnostics
    assert (found.code, found.place.path) == ("mcp/server-file", ".mcp.json")
    assert says in found.message
    assert (found.fix is not None) is mends
    assert not mends or findings({".mcp.json": fixed(text, found)}) == []


TOOL = "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\n"
IN_SCHEMAS = {
    "misspelt": ("{type: object, propertys: {a: {type: string}}}", "propertys", "did you mean `properties`?"),
    "misspelt below": (
        "{type: object, properties: {a: {type: string, maxlength: 5}}}",
        "maxlength",
        "did you mean `maxLength`?",
    ),
    "arguments at the top": ("{path: {type: string}}", "path", "put them under `properties`"),
}


@pytest.mark.parametrize(("schema", "key", "says"), IN_SCHEMAS.values(), ids=IN_SCHEMAS)
def test_a_key_of_a_schema_that_is_no_keyword_is_told_at_its_place(
    findings: Any, schema: str, key: str, says: str
) -> None:
    (found,) = findings({"tools/t.yaml": f"{TOOL}input_schema: {schema}\n"})
    column = f"input_schema: {schema}".index(key) + 1
    assert (found.code, found.severity, found.place.line, found.place.column) == (
        "schema/keyword",
        "warning",
        5,
        column,
    )
    assert says in found.message


@pytest.mark.parametrize(
    "schema", ["{}", "{type: object, x-order: 1, $comment: x}", "{type: object, widget: form, order: 1}"]
)
def test_other_keys_of_a_schema_are_left_alone(findings: Any, schema: str) -> None:
    assert findings({"tools/t.yaml": f"{TOOL}input_schema: {schema}\n"}) == []


IN_TOOLS = {
    "flag for a capability": ("capability: read_only\n", "capability: {read_only: true}\n"),
    "list for a capability": (
        "capability: [read_only, idempotent]\n",
        "capability: {read_only: true, idempotent: true}\n",
    ),
    "type for a schema": ("input_schema: object\n", "input_schema: {type: object}\n"),
    "seconds in quotes": ('timeout: "30"\n', "timeout: 30\n"),
    "seconds with their unit": ("timeout: 30s\n", "timeout: 30\n"),
    "capitals": ("tool_type: Tool\n", "tool_type: tool\n"),
}


@pytest.mark.parametrize(("text", "mended"), IN_TOOLS.values(), ids=IN_TOOLS)
def test_a_mistake_in_a_tool_is_mended_by_its_fix(findings: Any, fixed: Any, text: str, mended: str) -> None:
    (found,) = findings({"tools/t.yaml": TOOL + text})
    assert fixed(TOOL + text, found) == TOOL + mended
    assert findings({"tools/t.yaml": TOOL + mended}) == []


@pytest.mark.parametrize("text", ["Name: local/a\nDescription: A.\n", "NAME: local/a\ndescription: A.\n"])
def test_keys_in_capitals_are_keys_that_are_misspelt(findings: Any, fixed: Any, text: str) -> None:
    while found := findings(text):
        assert {d.code for d in found} == {"skill/unknown-key"}
        text = fixed(text, found[0])
    assert text == HEAD


def test_names_with_commas_between_are_put_in_a_list(findings: Any, fixed: Any) -> None:
    text = HEAD + "tools: local/t,local/u\n"
    (found,) = findings(text)
    assert fixed(text, found) == HEAD + "tools: [local/t, local/u]\n"


@pytest.mark.parametrize("name", ["1:30", "a.b/c", "../x", "b.yaml", "local/x\n", "x.y.z"])
def test_no_name_is_made_of_what_may_be_something_else(findings: Any, name: str) -> None:
    (found,) = findings(f'{HEAD}includes: ["{name}"]\n'.replace('\n"', '\\n"'))
    assert found.fix is None


def test_a_conflict_below_another_fault_is_not_blamed_for_it(findings: Any) -> None:
    (found,) = findings("name: local/a\ndescription: a: b\n<<<<<<< HEAD\n")
    assert (found.code, found.place.line) == ("yaml/unquoted-colon", 2)


def test_the_file_of_an_agent_skill_is_no_folder(make_workspace: Any) -> None:
    from core.workspace import Workspace

    text = HEAD + "agent_skill_folders: [notes/SKILL.md]\n"
    workspace = Workspace(make_workspace({"skills/a.yaml": text, **NOTES}))
    workspace.load()
    assert [d.message for d in workspace.diagnostics if d.severity == "error"] == [
        "`local/a` names the file `notes/SKILL.md`, where the folder around it is wanted; write `notes`."
    ]
