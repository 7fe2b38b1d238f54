"""When a skill is partial: something that it names is missing or broken, and nothing else (resolution, part 2)."""

from __future__ import annotations

from typing import Any

import pytest

from core.workspace import Workspace

SKILL = "name: local/a\ndescription: A.\n"
TOOL = "name: local/t\ndescription: T.\nsource: custom\n"
INLINE = "anonymous_tools: [{{name: x, description: d, source: custom, {}}}]\n"
OTHERS = {
    "tools/t.yaml": TOOL + "code: return 1\n",
    "skills/b.yaml": "name: local/b\ndescription: B.\n",
    "run.py": "def run(): pass\n",
}


@pytest.fixture
def opened(make_workspace: Any) -> Any:
    def of(files: dict[str, str]) -> Workspace:
        workspace = Workspace(make_workspace(files))
        workspace.load()
        return workspace

    return of


def status(workspace: Workspace, name: str = "local/a") -> str:
    return {row.name: str(row.status) for row in workspace.catalogue.skills()}[name]


LOST = {
    "a section that is no list": [
        *("tools: local/t\n", "tools: 5\n", "includes: local/b\n", "builtin_groups: git_operations\n"),
        *("mcp_servers: 5\n", "agent_skill_folders: {a: b}\n", "anonymous_tools: 5\n"),
    ],
    "an entry that is none": ["tools: [5]\n", "includes: [b]\n", "anonymous_tools: [5]\n", "builtin_groups: [nope]\n"],
    "a section in two spellings": ["builtins: [git_operations]\nbuiltin_groups: [file_operations]\n"],
    "a misspelt section": ["tols: [local/t]\n", "incldes: [local/b]\n"],
    "a tool that can't run": [
        INLINE.format("code: 'return )'"),
        INLINE.format("code: []"),
        INLINE.format("entry_point: 5"),
        INLINE.format("code: return 1, entry_point: 'run.py:run'"),
        INLINE.format("entry_point: 'run.py:gone'"),
    ],
}
KEPT = [
    *("read_only: 5\n", "foo: 1\n", "overrides: 5\n", "overrides: {local/z: {unsafe: true}}\n", "version: first\n"),
    *("includes: [local/b, local/b]\n", "tools: []\n", "tols:\n", "input_schema: 5\n"),
    INLINE.format("code: return 1, timeout: 0"),
    INLINE.format("code: return 1, read_only: true, writes: true"),
    INLINE.format("entry_point: 'run.py:run'"),
]


@pytest.mark.parametrize(("text"), [text for texts in LOST.values() for text in texts])
def test_a_skill_that_loses_what_it_names_is_partial(text: str, opened: Any) -> None:
    assert status(opened({"skills/a.yaml": SKILL + text, **OTHERS})) == "partial"


@pytest.mark.parametrize("text", KEPT)
def test_other_faults_leave_a_skill_resolved(text: str, opened: Any) -> None:
    assert status(opened({"skills/a.yaml": SKILL + text, **OTHERS})) == "resolved"


def test_a_tool_with_code_and_entry_point_is_never_run(opened: Any) -> None:
    workspace = opened({"skills/a.yaml": SKILL + INLINE.format("code: return 1, entry_point: 'run.py:run'"), **OTHERS})
    (record,) = workspace.catalogue.flatten("local/a").records
    assert record.problem == "it has both `code` and `entry_point`"


def server(name: str, command: str) -> dict[str, str]:
    text = f"name: local/{name}\ndescription: D.\nmcp_servers: [{{name: gh, command: {command}, tools: [list]}}]\n"
    return {f"skills/{name}.yaml": text}


PARENT = {"skills/a.yaml": SKILL + "includes: [local/x, local/y]\n"}


def test_two_tools_of_one_name_that_only_includes_bring_together_are_told_at_both_places(opened: Any) -> None:
    """The includes themselves are whole, so the skill is; the first definition has the name."""
    workspace = opened({**PARENT, **server("x", "one"), **server("y", "two")})
    found = [(d.code, d.place.path, d.place.line) for d in workspace.diagnostics]
    assert found == [("tool/name-collision", "skills/x.yaml", 3), ("tool/name-collision", "skills/y.yaml", 3)]
    assert {status(workspace, name) for name in ("local/a", "local/x", "local/y")} == {"resolved"}
    (record,) = workspace.catalogue.flatten("local/a").records
    assert record.from_skill == "local/x"


def test_the_same_server_in_two_includes_is_no_collision(opened: Any) -> None:
    assert opened({**PARENT, **server("x", "one"), **server("y", "one")}).diagnostics == ()


def users(extra: str = "includes: [local/base]\noverrides: {read_file: {unsafe: true}}\n") -> dict[str, str]:
    return {f"skills/u{n}.yaml": f"name: local/u{n}\ndescription: U.\n{extra}" for n in range(20)}


BASE = "name: local/base\ndescription: B.\ntools: [builtin/read_file]\n"
TO_TOOL = "tools: [local/t]\noverrides: {local/t: {unsafe: true}}\n"
TO_SERVER = "read_only: true\nmcp_servers: [gh]\noverrides: {gh/list: {unsafe: true}}\n"
TO_AGENT = "agent_skill_folders: [m]\noverrides: {agent_skill/m: {unsafe: true}}\n"


@pytest.mark.parametrize(
    ("cause", "dependents", "codes"),
    [
        ({"skills/base.yaml": BASE + "x: [\n"}, users(), ["yaml/syntax"]),
        ({"skills/base.yaml": BASE.replace("base\n", "ba se\n")}, users(), ["skill/invalid-name"]),
        ({"skills/base.yaml": BASE.replace("name: local/base\n", "")}, users(), ["skill/missing-key"]),
        ({"skills/base.yaml": BASE, "skills/base-2.yaml": BASE}, users(), ["skill/duplicate-name"] * 2),
        ({"skills/base.yaml": BASE + "includes: [local/base]\n"}, users(), ["include/cycle"]),
        ({"skills/base.yaml": BASE + "includes: [local/nowhere]\n"}, users(), ["include/missing"]),
        ({"tools/t.yaml": TOOL + "code: [\n"}, users(TO_TOOL), ["yaml/syntax"]),
        ({"tools/t.yaml": TOOL.replace("name: local/t\n", "code: x = 1\n")}, users(TO_TOOL), ["tool/missing-key"]),
        ({"tools/t.yaml": TOOL + "code: 'return )'\n"}, users(TO_TOOL), ["tool/python-syntax"]),
        ({".mcp.json": "{"}, users(TO_SERVER), ["yaml/syntax"]),
        ({".mcp.json": '{"mcpServers": {"gh": {}}}'}, users(TO_SERVER), ["mcp/no-command"]),
        ({"m/SKILL.md": "---\nname: m\ndescription: a: b\n---\n1. Go.\n"}, users(TO_AGENT), ["yaml/unquoted-colon"]),
    ],
)
def test_however_many_depend_on_a_broken_thing_only_the_cause_is_told(
    cause: dict[str, str], dependents: dict[str, str], codes: list[str], opened: Any
) -> None:
    workspace = opened({**cause, **dependents})
    assert [d.code for d in workspace.diagnostics] == codes
    assert {status(workspace, f"local/u{n}") for n in range(20)} == {"partial"}
