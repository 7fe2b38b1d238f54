"""``register`` and ``registry``: what they enter, say and exit with, also when something is in the way."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from registry_desk import Registry, changed

from explorer.cli import main

# ---------------------------------------------------------------- register


def test_a_registered_skill_is_listed_with_its_flattened_tools_in_a_later_run(registry: Registry) -> None:
    [row] = registry.register("local/above")
    assert (row["name"], row["tools"], row["state"]) == ("local/above", 2, "new")
    _, found = registry.ask("registry", "list")
    [listed] = found["skills"]
    assert listed["registered_at"] == row["registered_at"]
    assert (listed["name"], listed["status"], listed["reason"], listed["tools"]) == ("local/above", "current", None, 2)
    status, shown = registry.ask("registry", "show", "local/above")
    assert (status, shown["includes"]) == (0, [{"name": "local/files", "registered": False}])
    live = registry.ask("show", "local/above")[1]["tools"]
    assert shown["tools"] == live


def test_what_of_a_registered_skill_is_not_as_one_would_expect_is_told(registry: Registry, capsys: Any) -> None:
    for name in ("one", "two"):
        page = f"---\nname: guide\ndescription: Guides you through the release of {name}.\n---\n\n1. Begin.\n"
        registry.desk.write(f"{name}/guide/SKILL.md", page)
        registry.skill(name, f"agent_skill_folders: [{name}/guide]\n")
    registry.skill("odd", "includes: [local/one, local/two]\n")
    [row] = registry.register("local/odd")
    assert (row["unavailable"], row["unregistered_includes"]) == (["agent_skill/guide"], ["local/one", "local/two"])
    assert registry.register("local/odd", "local/one")[0]["unregistered_includes"] == ["local/two"]
    main(["register", "local/odd", *registry.desk.options])
    said = capsys.readouterr().out
    assert "includes local/two, which is not registered itself" in said
    assert "agent_skill/guide: 2 different tools have this name" in said


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        ("includes: [local/nope]\n", "resolution_failure", "local/nope"),
        ("tools: [local/nope]\n", "resolution_failure", "local/nope"),
        ("includes: [local/broken]\n", "cycle_detected", "cycle"),
        ("agent_skill_folders: [nowhere]\n", "resolution_failure", "nowhere"),
        ("tools: {\n", "resolution_failure", "skills/broken.yaml"),
    ],
    ids=["include", "tool", "cycle", "agent skill", "file"],
)
def test_what_does_not_resolve_is_told_and_the_others_are_registered(
    registry: Registry, body: str, kind: str, told: str
) -> None:
    registry.skill("broken", body)
    status, found = registry.ask("register", "local/files", "local/broken", "local/above")
    assert (status, [row["name"] for row in found["registered"]]) == (1, ["local/files", "local/above"])
    [row] = found["failed"]
    assert (row["name"], row["error"]["error_type"], found["error"]) == ("local/broken", kind, row["error"])
    assert told in row["reason"]
    assert registry.states() == {"local/above": "current", "local/files": "current"}


def test_a_skill_that_no_file_defines_is_not_found_and_the_nearest_is_named(registry: Registry) -> None:
    status, found = registry.ask("register", "local/file")
    assert (status, found["registered"], found["error"]["error_type"]) == (1, [], "skill_not_found")
    assert found["error"]["details"]["nearest"][0] == "local/files"


def test_a_skill_that_stops_resolving_keeps_what_is_registered_of_it(registry: Registry) -> None:
    registry.register("local/files")
    before = registry.tools("local/files")
    registry.skill("files", "tools: [local/twice, local/nope]\n")
    assert registry.ask("register", "local/files")[0] == 1
    assert registry.refreshed()[:2] == (1, {"failed": ["local/files"]})
    assert registry.tools("local/files") == before


def test_registering_again_says_whether_it_is_another_now(registry: Registry) -> None:
    registry.register("local/files")
    assert registry.register("local/files")[0]["state"] == "unchanged"
    registry.skill("files", "tools: [local/twice]\n")
    assert registry.register("local/files")[0]["state"] == "updated"
    assert registry.states() == {"local/files": "current"}


# ---------------------------------------------------------------- registry list, diff, remove


def test_a_changed_flag_a_new_tool_and_a_removed_one_are_each_one_difference(registry: Registry) -> None:
    registry.register("local/above", "local/files", "local/beside")
    assert registry.diff() == (0, {})
    registry.skill("files", "tools: [local/twice, builtin/write_file]\noverrides: {twice: {unsafe: true}}\n")
    row = changed("local/twice", "unsafe", None, True)
    told = (["builtin/write_file"], ["builtin/read_file"], [row])
    assert registry.diff() == (1, {"local/above": told, "local/files": told})
    assert registry.diff("local/beside") == (0, {})
    assert registry.states() == {"local/above": "drifted", "local/beside": "current", "local/files": "drifted"}


def test_a_loosened_flag_that_the_gate_ignores_is_one_difference_of_the_flag(registry: Registry) -> None:
    registry.skill("risk", "tools: [local/risky]\n")
    registry.register("local/risk")
    registry.skill("risk", "tools: [local/risky]\noverrides: {risky: {human_approval_required: false}}\n")
    row = changed("local/risky", "human_approval_required", True, False)
    assert registry.diff() == (1, {"local/risk": ([], [], [row])})


def test_what_only_the_gate_sees_is_a_difference_too(registry: Registry) -> None:
    registry.skill("risk", "tools: [local/risky]\noverrides: {risky: {human_approval_required: false}}\n")
    registry.register("local/risk")
    registry.desk.write(
        "tools/risky.yaml",
        "name: local/risky\ndescription: T.\nsource: custom\ncapability: {writes: true}\n"
        "code: |\n  open('made', 'w').close()\n",
    )
    row = changed("local/risky", "gate_capability.human_approval_required", True, False)
    assert registry.diff() == (1, {"local/risk": ([], [], [row])})


def test_other_code_is_a_difference_and_a_moved_or_commented_file_is_none(registry: Registry) -> None:
    registry.register("local/files")
    path = registry.desk.root / "tools/twice.yaml"
    text = path.read_text("utf-8")
    path.write_text(f"# What it does is said below.\n\n{text}", "utf-8")
    path.rename(path.with_name("moved.yaml"))
    assert registry.diff() == (0, {})
    assert registry.states() == {"local/files": "current"}
    path.with_name("moved.yaml").write_text(text.replace("return 2", "return 3"), "utf-8")
    _, differs = registry.diff()
    [row] = differs["local/files"][2]
    assert (row["tool"], row["field"], row["registered"][:7]) == ("local/twice", "definition", "sha256 ")


def test_other_code_behind_an_entry_point_and_other_instructions_are_differences(registry: Registry) -> None:
    registry.desk.write("tools/code.py", "def go():\n    return 1\n")
    registry.desk.write("tools/beside.py", "")
    registry.desk.write(
        "tools/py.yaml", "name: local/py\ndescription: T.\nsource: custom\nentry_point: tools/code.py:go\n"
    )
    page = "---\nname: guide\ndescription: Guides you through the release of a program.\n---\n\n1. Begin.\n"
    registry.desk.write("guide/SKILL.md", page)
    registry.skill("mixed", "tools: [local/py]\nagent_skill_folders: [guide]\n")
    registry.register("local/mixed")
    registry.desk.write("tools/beside.py", "x = 1\n")
    assert registry.diff() == (0, {})
    registry.desk.write("tools/code.py", "def go():\n    return 2\n")
    registry.desk.write("guide/SKILL.md", page.replace("Begin", "Stop"))
    _, differs = registry.diff()
    fields = {(row["tool"], row["field"]) for row in differs["local/mixed"][2]}
    assert fields == {("local/py", "definition"), ("agent_skill/guide", "definition")}


def test_what_a_schema_calls_true_is_not_one(registry: Registry) -> None:
    path = registry.desk.root / "tools/twice.yaml"
    registry.register("local/files")
    text = path.read_text("utf-8")
    path.write_text(text.replace("{type: integer}", "{type: integer, default: 1}"), "utf-8")
    registry.register("local/files")
    path.write_text(text.replace("{type: integer}", "{type: integer, default: true}"), "utf-8")
    _, differs = registry.diff()
    [row] = differs["local/files"][2]
    assert row["field"] == "input_schema"
    assert row["current"]["properties"]["n"]["default"] is True


def test_a_removed_tool_makes_its_skills_stale_and_is_named(registry: Registry) -> None:
    registry.register("local/above", "local/files", "local/beside")
    (registry.desk.root / "tools/twice.yaml").unlink()
    _, found = registry.ask("registry", "list")
    assert {row["name"]: row["status"] for row in found["skills"]} == {
        "local/above": "stale",
        "local/beside": "current",
        "local/files": "stale",
    }
    assert all("local/twice" in row["reason"] for row in found["skills"] if row["status"] == "stale")
    status, differs = registry.diff("local/files")
    assert (status, differs) == (1, {"local/files": ([], ["local/twice"], [])})


def test_a_skill_whose_file_is_gone_or_unreadable_is_still_registered(registry: Registry) -> None:
    registry.register("local/above", "local/files")
    (registry.desk.root / "skills/above.yaml").unlink()
    registry.skill("files", "tools: {\n")
    assert registry.states() == {"local/above": "gone", "local/files": "stale"}
    assert registry.diff("local/above") == (1, {"local/above": ([], ["local/twice", "builtin/read_file"], [])})
    assert registry.diff("local/files") == (1, {})
    assert registry.refreshed()[:2] == (1, {"failed": ["local/above", "local/files"]})
    assert len(registry.tools("local/above")) == 2


def test_removing_forgets_only_what_is_named(registry: Registry) -> None:
    registry.register("local/above", "local/files")
    status, found = registry.ask("registry", "remove", "local/files", "local/fles", "local/files")
    assert (status, found["removed"], [row["name"] for row in found["failed"]]) == (1, ["local/files"], ["local/fles"])
    assert registry.states() == {"local/above": "current"}
    assert (registry.desk.root / "skills/files.yaml").exists()
    assert registry.ask("registry", "remove", "local/above") == (0, {"removed": ["local/above"], "failed": []})


@pytest.mark.parametrize("words", [("registry", "show"), ("registry", "diff"), ("refresh",), ("registry", "remove")])
def test_a_skill_that_is_not_registered_is_not_found_and_the_way_in_is_named(
    registry: Registry, words: tuple[str, ...]
) -> None:
    registry.register("local/files")
    status, found = registry.ask(*words, "local/beside")
    assert (status, found["error"]["error_type"]) == (1, "skill_not_found")
    assert "skill-explorer register local/beside" in found["error"]["message"]
    assert registry.ask(*words, "local/fils")[1]["error"]["details"]["nearest"] == ["local/files"]


# ---------------------------------------------------------------- text, and a registry that can't be used


def test_the_text_forms_say_the_same(known: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> str:
        main([*words, *known.desk.options])
        done = capsys.readouterr()
        return done.out + done.err

    assert "registered local/files: 2 tools" in said("register", "local/files", "local/nope")
    known.skill("files", "tools: [local/twice]\noverrides: {twice: {unsafe: true}}\n")
    listing = said("registry", "list")
    assert "drifted" in listing
    assert "1 tool removed, 1 tool changed" in listing
    assert "MCP server `desk` was not asked" in listing
    differs = said("registry", "diff")
    assert "- builtin/read_file" in differs
    assert "~ local/twice  unsafe: - -> yes" in differs
    assert "desk/echo" in said("registry", "show", "local/office")
    done = said("refresh")
    assert "refreshed local/files  1 tool removed, 1 tool changed" in done
    assert "skipped   local/office  MCP server `desk`: not approved" in done
    assert "hint: skill-explorer refresh --trust -w" in done
    assert "removed local/files from the registry" in said("registry", "remove", "local/files")
    said("registry", "remove", "local/office")
    for words in (["registry", "list"], ["registry", "diff"], ["refresh"]):
        assert "nothing is registered" in said(*words)


LINES = [["register", "local/files"], ["registry", "list"], ["registry", "diff"], ["refresh"]]


@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_a_registry_of_a_newer_version_is_one_line_and_status_two(
    registry: Registry, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    registry.register("local/files")
    database = sqlite3.connect(registry.desk.state / "registry.sqlite")
    database.execute("PRAGMA user_version = 99")
    database.close()
    assert main([*words, *registry.desk.options]) == 2
    done = capsys.readouterr()
    assert (done.out, len(done.err.splitlines())) == ("", 1)
    assert "written by a newer version" in done.err


def test_a_damaged_registry_is_told_of_and_kept(registry: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    registry.desk.state.mkdir()
    (registry.desk.state / "registry.sqlite").write_bytes(b"no database")
    assert main(["registry", "list", *registry.desk.options]) == 0
    assert "the registry was damaged" in capsys.readouterr().err
    assert (registry.desk.state / "registry.sqlite.corrupt-1").read_bytes() == b"no database"
