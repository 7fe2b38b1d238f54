"""Loading a workspace: one bad file spoils nothing, and one file can be read again alone."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.language.declarations import Declarations
from core.language.load import load_declarations, load_file

SKILL = "name: local/{0}\ndescription: A.\ntools: [builtin/read_file]\n"
Load = Callable[[dict[str, Any]], Declarations]
Make = Callable[[dict[str, Any]], Path]


def test_each_kind_of_file_is_declared(load: Load) -> None:
    declared = load(
        {
            "skills/a.yaml": SKILL.format("a"),
            "tools/t.yaml": "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\nwrites: false\n",
            "actors/x.yaml": "name: local/x\nskills: [local/a]\n",
            ".mcp.json": '{"mcpServers": {"s": {"command": "srv"}}}',
            "agents/do/SKILL.md": "---\nname: do\ndescription: Does it. Use it for tests of loading.\n---\n1. Go.\n",
            "other/values.yaml": "replicas: 3\n",
        }
    )
    assert declared.diagnostics == []
    assert [len(part) for part in (declared.skills, declared.tools, declared.actors, declared.server_files)] == [1] * 4
    assert [(skill.name, skill.path) for skill in declared.agent_skills] == [("do", "agents/do")]
    assert declared.files == 6


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ("name: local/b\ndescription: [\n", "yaml/syntax"),
        ("name: local/b\nname: local/c\ndescription: B.\n", "yaml/duplicate-key"),
        ("name: local/b\ndescription: B.\n---\nname: local/c\n", "yaml/multi-document"),
        ("name: local/b\ntools:\n\t- x\n", "yaml/tab"),
        ("", "yaml/empty"),
        ("- a\n", "yaml/not-mapping"),
        ("hello\n", "yaml/not-mapping"),
        (b"name: \xff\n", "file/encoding"),
        ("services: {web: {}}\n", "file/unrecognised"),
    ],
)
def test_a_bad_file_has_its_finding_and_hides_no_other(load: Load, bad: str | bytes, code: str) -> None:
    declared = load({"skills/good.yaml": SKILL.format("good"), "skills/bad.yaml": bad})
    assert [d.code for d in declared.diagnostics if d.severity != "info"] == [code]
    assert [skill.name for skill in declared.skills] == ["local/good"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("name: local/b\ndescription: Use when: it hurts\n", "local/b"),
        ("skill:\n  name: local/b\n  description: [\n", "local/b"),
        ("description: [\nname: local/b\n", None),
        ("{", None),
    ],
)
def test_a_broken_file_keeps_its_name_where_it_can_be_read(load: Load, text: str, name: str | None) -> None:
    broken = load({"skills/b.yaml": text}).broken
    assert [(b.path, b.kind, b.name) for b in broken] == [("skills/b.yaml", "skill", name)]


def test_faults_beside_a_duplicate_key_are_told_too(load: Load) -> None:
    declared = load({"skills/b.yaml": "name: local/b\ndescription: B.\ndescription: C.\ninclude: []\n"})
    assert sorted(d.code for d in declared.diagnostics) == ["skill/unknown-key", "yaml/duplicate-key"]
    assert {d.skill for d in declared.diagnostics} == {"local/b"}


@pytest.mark.parametrize("content", [b"a: \xff\n", b"x" * (1 << 20) + b"yz\n", b"a: [\n", b"\x00" * 100])
def test_yaml_outside_of_the_three_folders_is_never_an_error(load: Load, content: bytes) -> None:
    assert [d.severity for d in load({"values.yaml": content}).diagnostics if d.severity != "info"] == []


def test_files_of_an_agent_skill_are_not_looked_at(load: Load) -> None:
    declared = load(
        {
            "agents/do/SKILL.md": "---\nname: do\ndescription: Does it. Use it for tests of loading.\n---\n1. Go.\n",
            "agents/do/assets/skills/broken.yaml": "name: [\n",
        }
    )
    assert declared.diagnostics == []


def test_a_folder_with_settings_is_a_workspace_of_its_own(load: Load) -> None:
    declared = load({"broken/skill-explorer.toml": "", "broken/skills/b.yaml": "name: [\n"})
    assert (declared.sub_workspaces, declared.diagnostics) == (["broken"], [])


def test_progress_ends_at_the_number_of_files(make_workspace: Make) -> None:
    root = make_workspace({f"skills/s{number}.yaml": SKILL.format(f"s{number}") for number in range(120)})
    told: list[tuple[int, int]] = []
    load_declarations(root, progress=lambda done, total, names: told.append((done, total)))
    assert told[0] == (0, 120)
    assert told[-1] == (120, 120)
    assert len(told) <= 5


def test_progress_names_each_skill_once_as_it_is_read(make_workspace: Make) -> None:
    root = make_workspace({f"skills/s{number}.yaml": SKILL.format(f"s{number}") for number in range(120)})
    told: list[list[str]] = []
    declared = load_declarations(root, progress=lambda done, total, names: told.append(list(names)))
    assert [name for names in told for name in names] == [skill.name for skill in declared.skills]
    assert max(map(len, told)) <= 50


def test_a_cancelled_load_keeps_what_was_read(make_workspace: Make) -> None:
    root = make_workspace({f"skills/s{number}.yaml": SKILL.format(f"s{number}") for number in range(120)})
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 4

    assert len(load_declarations(root, cancelled=cancelled).skills) < 120


def test_loading_leaves_the_garbage_collector_as_it_was(make_workspace: Make) -> None:
    root = make_workspace({"skills/a.yaml": SKILL.format("a")})
    load_declarations(root)
    assert gc.isenabled()
    gc.disable()
    try:
        load_declarations(root)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_one_file_read_again_gives_what_the_whole_load_gives(make_workspace: Make) -> None:
    skill_md = "---\nname: do\ndescription: Does it. Use it for tests of loading.\n---\n1. Go.\n"
    root = make_workspace(
        {"skills/a.yaml": SKILL.format("a") + "agent_skill_folders: [do]\n", "skills/do/SKILL.md": skill_md}
    )
    whole = load_declarations(root)
    alone = load_file(root, "skills/a.yaml", "skills", frozenset({"skills/do"}))
    assert alone.skill is not None
    assert alone.skill.model == whole.skills[0].model
    assert alone.skill.agent_folders == whole.skills[0].agent_folders
    assert alone.diagnostics == [d for d in whole.diagnostics if d.place.path == "skills/a.yaml"]


def test_one_file_can_be_read_again_whatever_it_has_become(make_workspace: Make) -> None:
    root = make_workspace({".mcp.json": "[", "skills/a.yaml": "name: [\n"})
    assert load_file(root, ".mcp.json", None, frozenset()).broken is not None
    assert load_file(root, "skills/a.yaml", "skills", frozenset()).broken is not None
    gone = load_file(root, "skills/gone.yaml", "skills", frozenset())
    assert [d.code for d in gone.diagnostics] == ["file/unreadable"]


def test_a_fault_of_the_program_is_told_at_the_file_and_spoils_nothing(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    import core.language.load as module

    root = make_workspace({"skills/a.yaml": SKILL.format("a"), "tools/t.yaml": "name: local/t\n"})

    def fails(*_: object) -> None:
        raise RuntimeError("secret text of the fault")

    monkeypatch.setattr(module, "read_tool_file", fails)
    declared = load_declarations(root)
    assert [skill.name for skill in declared.skills] == ["local/a"]
    assert "RuntimeError at test_load.py" in declared.diagnostics[0].message
    assert "secret" not in declared.diagnostics[0].message


KEYS = st.sampled_from(
    [
        *("name", "description", "version", "read_only", "builtin_groups", "builtins", "tools", "anonymous_tools"),
        *("includes", "mcp_servers", "agent_skill_folders", "overrides", "input_schema", "skill", "tool", "actor"),
        *("actors", "skills", "code", "source", "entry_point", "capability", "writes", "timeout", "server", "url"),
        *("args", "env", "path", "override", "tool_overrides", "group", "cleveragents", "type", "properties", "x"),
    ]
)
SCALARS = st.sampled_from(
    ["local/a", "builtin/file-read", "'*'", "no", "1.10", "5", "~", '"\\e"', "''", "| ", "x.py:run", "..", "!!str a"]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(KEYS, inner, max_size=4).map(
            lambda entries: "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"
        )
    ),
    max_leaves=10,
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(KEYS, VALUES, max_size=6), st.sampled_from(["skills", "tools", "actors"]))
def test_no_structure_makes_the_loader_fail(tmp_path: Path, entries: dict[str, str], folder: str) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    text = "".join(f"{key}: {value}\n" for key, value in entries.items())
    (tmp_path / folder / "f.yaml").write_text(text, encoding="utf-8")
    loaded = load_file(tmp_path, f"{folder}/f.yaml", folder, frozenset())
    lines = text.count("\n") + 1
    assert all("fault in the program" not in d.message for d in loaded.diagnostics), text
    assert all(1 <= d.place.line <= lines and d.place.column >= 1 for d in loaded.diagnostics)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_no_bytes_make_the_loader_fail(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "skills").mkdir(exist_ok=True)
    (tmp_path / "skills" / "f.yaml").write_bytes(content)
    loaded = load_file(tmp_path, "skills/f.yaml", "skills", frozenset())
    assert all("fault in the program" not in d.message for d in loaded.diagnostics)
    assert loaded.skill is not None or loaded.diagnostics
