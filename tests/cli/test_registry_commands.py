"""``register``, ``registry`` and ``refresh``: what they enter, say and exit with, also when something is in the way."""

from __future__ import annotations

import sqlite3
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from desk_workspace import READS, WRITES, DeskWorkspace

from explorer.cli import main

Ask = Callable[..., tuple[int, Any]]
BUCKETS = ("refreshed", "unchanged", "failed", "skipped")


class Registry:
    """Asks the commands about one workspace."""

    def __init__(self, desk: DeskWorkspace, ask: Ask) -> None:
        self.desk, self._ask = desk, ask

    def ask(self, *words: str) -> tuple[int, Any]:
        return self._ask(*words, *self.desk.options)

    def register(self, *names: str) -> Any:
        status, found = self.ask("register", *names)
        assert status == 0, found
        return found["registered"]

    def refreshed(self, *words: str) -> tuple[int, dict[str, list[str]], Any]:
        """Return the exit status, the names in each bucket that has some, and the whole document."""
        status, found = self.ask("refresh", *words)
        return status, {b: [row["name"] for row in found[b]] for b in BUCKETS if found[b]}, found

    def states(self, *words: str) -> dict[str, str]:
        status, found = self.ask("registry", "list", *words)
        assert status == 0
        return {row["name"]: row["status"] for row in found["skills"]}

    def diff(self, *words: str) -> tuple[int, Any]:
        """Return the exit status, and per skill that differs what was added, removed and changed."""
        status, found = self.ask("registry", "diff", *words)
        told = {row["name"]: (row["added"], row["removed"], row["changed"]) for row in found["skills"]}
        return status, {name: parts for name, parts in told.items() if any(parts)}

    def tools(self, name: str) -> dict[str, Any]:
        return {tool["name"]: tool for tool in self.ask("registry", "show", name)[1]["tools"]}


@pytest.fixture
def desk(tmp_path: Path) -> DeskWorkspace:
    """The workspace of the commands with three skills more: one of files alone, one that includes it, one beside."""
    made = DeskWorkspace(tmp_path)
    skill(made, "files", "tools: [local/twice, builtin/read_file]\n")
    skill(made, "above", "includes: [local/files]\n")
    skill(made, "beside", "builtin_groups: [git_operations]\n")
    return made


def skill(desk: DeskWorkspace, name: str, body: str) -> None:
    desk.write(f"skills/{name}.yaml", f"name: local/{name}\ndescription: D.\n{body}")


@pytest.fixture
def registry(desk: DeskWorkspace, ask: Ask) -> Registry:
    return Registry(desk, ask)


def changed(tool: str | None, field: str, registered: Any, current: Any) -> dict[str, Any]:
    return {"tool": tool, "field": field, "registered": registered, "current": current}


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
        skill(registry.desk, name, f"agent_skill_folders: [{name}/guide]\n")
    skill(registry.desk, "odd", "includes: [local/one, local/two]\n")
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
    skill(registry.desk, "broken", body)
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
    skill(registry.desk, "files", "tools: [local/twice, local/nope]\n")
    assert registry.ask("register", "local/files")[0] == 1
    assert registry.refreshed()[:2] == (1, {"failed": ["local/files"]})
    assert registry.tools("local/files") == before


def test_registering_again_says_whether_it_is_another_now(registry: Registry) -> None:
    registry.register("local/files")
    assert registry.register("local/files")[0]["state"] == "unchanged"
    skill(registry.desk, "files", "tools: [local/twice]\n")
    assert registry.register("local/files")[0]["state"] == "updated"
    assert registry.states() == {"local/files": "current"}


# ---------------------------------------------------------------- registry list, diff, remove


def test_a_changed_flag_a_new_tool_and_a_removed_one_are_each_one_difference(registry: Registry) -> None:
    registry.register("local/above", "local/files", "local/beside")
    assert registry.diff() == (0, {})
    skill(registry.desk, "files", "tools: [local/twice, builtin/write_file]\noverrides: {twice: {unsafe: true}}\n")
    row = changed("local/twice", "unsafe", None, True)
    told = (["builtin/write_file"], ["builtin/read_file"], [row])
    assert registry.diff() == (1, {"local/above": told, "local/files": told})
    assert registry.diff("local/beside") == (0, {})
    assert registry.states() == {"local/above": "drifted", "local/beside": "current", "local/files": "drifted"}


def test_a_loosened_flag_that_the_gate_ignores_is_one_difference_of_the_flag(registry: Registry) -> None:
    skill(registry.desk, "risk", "tools: [local/risky]\n")
    registry.register("local/risk")
    skill(registry.desk, "risk", "tools: [local/risky]\noverrides: {risky: {human_approval_required: false}}\n")
    row = changed("local/risky", "human_approval_required", True, False)
    assert registry.diff() == (1, {"local/risk": ([], [], [row])})


def test_what_only_the_gate_sees_is_a_difference_too(registry: Registry) -> None:
    skill(registry.desk, "risk", "tools: [local/risky]\noverrides: {risky: {human_approval_required: false}}\n")
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
    skill(registry.desk, "mixed", "tools: [local/py]\nagent_skill_folders: [guide]\n")
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
    skill(registry.desk, "files", "tools: {\n")
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


# ---------------------------------------------------------------- refresh


def test_a_refresh_enters_what_is_different_and_says_what(registry: Registry) -> None:
    registry.register("local/files", "local/beside")
    skill(registry.desk, "files", "tools: [local/twice, builtin/write_file]\n")
    status, buckets, found = registry.refreshed()
    assert (status, buckets) == (0, {"refreshed": ["local/files"], "unchanged": ["local/beside"]})
    [row] = found["refreshed"]
    assert (row["added"], row["removed"], row["changed"]) == (["builtin/write_file"], ["builtin/read_file"], [])
    assert row["reason"] == "1 tool added, 1 tool removed"
    assert registry.states() == {"local/beside": "current", "local/files": "current"}
    assert registry.refreshed()[1] == {"unchanged": ["local/beside", "local/files"]}


def test_skills_that_include_a_refreshed_one_or_share_its_tool_follow(registry: Registry) -> None:
    skill(registry.desk, "shares", "tools: [local/twice]\n")
    registry.register("local/above", "local/files", "local/beside", "local/shares")
    path = registry.desk.root / "tools/twice.yaml"
    path.write_text(path.read_text("utf-8").replace("read_only: true", "writes: true"), "utf-8")
    status, buckets, found = registry.refreshed("local/files")
    assert (status, buckets) == (0, {"refreshed": ["local/files", "local/above", "local/shares"]})
    reasons = [row["reason"] for row in found["refreshed"]]
    assert reasons == [
        "1 tool changed",
        "1 tool changed; it includes `local/files`",
        "1 tool changed; it has the tool `local/twice`",
    ]
    assert set(registry.states().values()) == {"current"}


def test_without_trust_a_skill_with_a_server_is_skipped_and_never_called_refreshed(registry: Registry) -> None:
    registry.register("local/office", "local/beside")
    status, buckets, found = registry.refreshed()
    assert (status, buckets) == (1, {"skipped": ["local/office"], "unchanged": ["local/beside"]})
    assert registry.desk.starts_made == 0
    [row] = found["skipped"]
    assert "MCP server `desk`: not approved" in row["reason"]
    assert (found["servers"][0]["name"], found["servers"][0]["tools"]) == ("desk", None)
    words = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {row['error']['details']['hint']}"], capture_output=True, check=True, text=True
    ).stdout.split("\0")[1:-1]
    assert registry._ask(*words)[0] == 0
    assert {"desk/echo", "desk/add", "desk/crash"} <= registry.tools("local/office").keys()


def test_a_recorded_approval_is_enough_for_a_refresh(registry: Registry) -> None:
    registry.register("local/office")
    registry.ask("trust", "--yes")
    assert registry.refreshed()[:2] == (0, {"refreshed": ["local/office"]})


@pytest.fixture
def known(registry: Registry) -> Registry:
    """A registry that holds what the server lists."""
    registry.register("local/office")
    status, buckets, found = registry.refreshed("--trust")
    assert (status, buckets) == (0, {"refreshed": ["local/office"]})
    assert found["refreshed"][0]["added"] == ["desk/echo", "desk/add", "desk/crash"]
    assert [(s["name"], s["tools"], s["error"]) for s in found["servers"]] == [("desk", 3, None)]
    return registry


def test_what_a_server_lists_otherwise_is_seen_once_it_is_asked(known: Registry) -> None:
    known.desk.lists({"echo": {**READS, "description": "Sends."}, "add": WRITES, "fresh": READS})
    assert known.states() == {"local/office": "stale"}
    assert known.diff() == (0, {})
    told = (["desk/fresh"], ["desk/crash"], [changed("desk/echo", "description", "Reads.", "Sends.")])
    assert known.diff("--discover", "--trust") == (1, {"local/office": told})
    assert known.states("--discover", "--trust") == {"local/office": "drifted"}
    status, _, found = known.refreshed("--trust")
    [row] = found["refreshed"]
    assert (status, (row["added"], row["removed"], row["changed"])) == (0, told)
    assert known.states("--discover", "--trust") == {"local/office": "current"}


def test_without_trust_the_tools_of_a_server_stay_and_the_rest_is_refreshed(known: Registry) -> None:
    before = known.tools("local/office")
    known.desk.lists({"fresh": READS})
    office = known.desk.skill("local/office", "desk", more="tools: [local/twice, builtin/read_file]\n")
    known.desk.write("skills/office.yaml", office)
    status, buckets, found = known.refreshed()
    assert (status, buckets) == (1, {"skipped": ["local/office"]})
    [row] = found["skipped"]
    assert (row["added"], row["removed"]) == (["builtin/read_file"], ["local/risky"])
    after = known.tools("local/office")
    assert {n: t for n, t in after.items() if n.startswith("desk/")} == {
        n: t for n, t in before.items() if n.startswith("desk/")
    }
    assert "builtin/read_file" in after
    assert known.states() == {"local/office": "stale"}


def test_registering_again_keeps_what_is_known_of_a_server_that_was_not_asked(known: Registry) -> None:
    before = known.tools("local/office")
    [row] = known.register("local/office")
    assert (row["state"], row["undiscovered_servers"]) == ("unchanged", [])
    assert known.tools("local/office") == before


def test_a_server_that_falls_over_fails_its_skill_alone_and_loses_nothing(known: Registry) -> None:
    known.register("local/beside")
    before = known.tools("local/office")
    known.desk.listing.write_text("{", "utf-8")
    status, buckets, found = known.refreshed("--trust")
    assert (status, buckets) == (1, {"failed": ["local/office"], "unchanged": ["local/beside"]})
    assert "MCP server `desk`: " in found["failed"][0]["reason"]
    assert found["error"]["error_type"] == "tool_activation_failure"
    assert known.tools("local/office") == before
    assert known.states() == {"local/beside": "current", "local/office": "stale"}
    assert known.ask("registry", "diff", "--discover", "--trust")[1]["skills"][1]["reason"].startswith("MCP server")


def test_another_command_for_a_server_is_a_difference_before_it_is_asked_and_stays_one(known: Registry) -> None:
    path = known.desk.root / "skills/office.yaml"
    path.write_text(path.read_text("utf-8").replace('"legacy"', '"cwd": "skills", "legacy"'), "utf-8")
    status, differs = known.diff()
    [row] = differs["local/office"][2]
    assert (status, row["tool"], row["field"]) == (1, None, "mcp_servers.desk")
    assert ("cwd" in row["registered"], row["current"]["cwd"]) == (False, "skills")
    assert known.refreshed()[1] == {"skipped": ["local/office"]}
    assert known.states() == {"local/office": "drifted"}
    assert known.refreshed("--trust")[1] == {"refreshed": ["local/office"]}
    assert known.states("--discover", "--trust") == {"local/office": "current"}


def listed(desk: DeskWorkspace, tools: str, overrides: str = "") -> None:
    """Write a skill that allows ``tools`` of the server."""
    text = desk.skill("local/office", "desk").replace('"name": "desk"', f'"name": "desk", "tools": [{tools}]')
    desk.write("skills/office.yaml", text + overrides)


def test_an_allow_list_and_overrides_are_compared_without_asking_the_server(registry: Registry) -> None:
    listed(registry.desk, '"echo", "add"')
    registry.register("local/office")
    assert registry.states() == {"local/office": "current"}
    assert registry.refreshed("--trust")[1] == {"refreshed": ["local/office"]}
    assert registry.states() == {"local/office": "stale"}

    listed(registry.desk, '"echo", "crash"', "overrides: {echo: {human_approval_required: true}}\n")
    row = changed("desk/echo", "human_approval_required", None, True)
    assert registry.diff() == (1, {"local/office": (["desk/crash"], ["desk/add"], [row])})
    assert registry.refreshed()[1] == {"skipped": ["local/office"]}
    echo = registry.tools("local/office")["desk/echo"]
    assert (echo["status"], echo["description"]) == ("ready", "Reads.")
    assert (echo["capability"]["human_approval_required"], echo["capability"]["read_only"]) == (True, True)
    assert registry.diff() == (0, {})


def test_a_skill_that_follows_has_no_server_of_its_own_asked(known: Registry) -> None:
    skill(known.desk, "base", "tools: [local/twice]\n")
    known.desk.write("skills/office.yaml", known.desk.skill("local/office", "desk", more="includes: [local/base]\n"))
    known.register("local/base", "local/office")
    starts = known.desk.starts_made
    skill(known.desk, "base", "tools: [local/twice, builtin/read_file]\n")
    status, buckets, found = known.refreshed("local/base", "--trust")
    assert (status, buckets) == (0, {"refreshed": ["local/base"], "skipped": ["local/office"]})
    assert known.desk.starts_made == starts
    [row] = found["skipped"]
    assert row["added"] == ["builtin/read_file"]
    assert "MCP server `desk` was not asked" in row["reason"]


def test_nothing_that_is_registered_holds_a_secret_and_masks_are_no_difference(registry: Registry) -> None:
    secret = "sk-planted-Aa1%zz"
    office = registry.desk.skill("local/office", "desk", more="tools: [local/twice]\n").replace(
        '"env": {', f'"env": {{"SECRET": "{secret}", '
    )
    registry.desk.write("skills/office.yaml", office.replace("description: D.", f'description: "Give it {secret}."'))
    twice = registry.desk.root / "tools/twice.yaml"
    twice.write_text(twice.read_text("utf-8").replace("{type: integer}", f"{{const: '{secret}'}}"), "utf-8")
    registry.desk.lists({"echo": {**READS, "description": f"Prints {secret}."}})
    registry.register("local/office")
    assert registry.refreshed("--trust")[0] == 0
    database = sqlite3.connect(registry.desk.state / "registry.sqlite")
    [(kept,)] = database.execute("SELECT snapshot FROM skills").fetchall()
    database.close()
    text = zlib.decompress(kept).decode()
    assert secret not in text
    assert "Prints" in text
    _, shown = registry.ask("registry", "show", "local/office")
    assert shown["description"] == "Give it ••••••."
    assert shown["servers"]["desk"]["env"]["SECRET"] == "**********"
    assert registry.states("--discover", "--trust") == {"local/office": "current"}


# ---------------------------------------------------------------- text, and a registry that can't be used


def test_the_text_forms_say_the_same(known: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> str:
        main([*words, *known.desk.options])
        done = capsys.readouterr()
        return done.out + done.err

    assert "registered local/files: 2 tools" in said("register", "local/files", "local/nope")
    skill(known.desk, "files", "tools: [local/twice]\noverrides: {twice: {unsafe: true}}\n")
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
