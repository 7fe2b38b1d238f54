"""``refresh``, and what is registered of MCP servers: nothing counts as checked that was not, and nothing is lost."""

from __future__ import annotations

import sqlite3
import subprocess
import zlib

from desk_workspace import READS, WRITES, DeskWorkspace
from registry_desk import Registry, changed


def test_a_refresh_enters_what_is_different_and_says_what(registry: Registry) -> None:
    registry.register("local/files", "local/beside")
    registry.skill("files", "tools: [local/twice, builtin/write_file]\n")
    status, buckets, found = registry.refreshed()
    assert (status, buckets) == (0, {"refreshed": ["local/files"], "unchanged": ["local/beside"]})
    [row] = found["refreshed"]
    assert (row["added"], row["removed"], row["changed"]) == (["builtin/write_file"], ["builtin/read_file"], [])
    assert row["reason"] == "1 tool added, 1 tool removed"
    assert registry.states() == {"local/beside": "current", "local/files": "current"}
    assert registry.refreshed()[1] == {"unchanged": ["local/beside", "local/files"]}


def test_skills_that_include_a_refreshed_one_or_share_its_tool_follow(registry: Registry) -> None:
    registry.skill("shares", "tools: [local/twice]\n")
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
    assert registry.run(*words)[0] == 0
    assert {"desk/echo", "desk/add", "desk/crash"} <= registry.tools("local/office").keys()


def test_a_recorded_approval_is_enough_for_a_refresh(registry: Registry) -> None:
    registry.register("local/office")
    registry.ask("trust", "--yes")
    assert registry.refreshed()[:2] == (0, {"refreshed": ["local/office"]})


def test_what_a_server_lists_otherwise_is_seen_once_it_is_asked(known: Registry) -> None:
    known.desk.lists({"echo": {**READS, "description": "Sends."}, "add": WRITES, "fresh": READS})
    assert known.states() == {"local/office": "stale"}
    assert known.diff() == (0, {})
    told = (["desk/fresh"], ["desk/crash"], [changed("desk/echo", "description", "Reads.", "Sends.")])
    assert known.diff("--discover") == (1, {})
    assert known.states("--discover") == {"local/office": "stale"}
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
    known.skill("base", "tools: [local/twice]\n")
    known.desk.write("skills/office.yaml", known.desk.skill("local/office", "desk", more="includes: [local/base]\n"))
    known.register("local/base", "local/office")
    starts = known.desk.starts_made
    known.skill("base", "tools: [local/twice, builtin/read_file]\n")
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
