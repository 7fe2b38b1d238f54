"""What is approved is exactly what runs: any change of it, behind the user's back or in front, asks again."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from office import SKILL, Office, error_of

from core.runtime.call import ExecutionIdentity
from core.workspace import Workspace


def approved(office: Office) -> Workspace:
    workspace = office.open()
    workspace.record_approvals(workspace.all_identities())
    return workspace


def states(workspace: Workspace) -> list[str]:
    return [workspace.approvals.state_of(identity) for identity in workspace.all_identities()]


def denied(office: Office, workspace: Workspace, tool: str = "desk/echo") -> Any:
    """Call without anybody to ask, and return the refusal."""
    error = error_of(office.call(workspace, tool, approve=None))
    assert str(error.error_type) == "permission_denied"
    assert not (office.root.parent / "canary").exists()
    return error


def canary(office: Office) -> str:
    return f"touch {office.root.parent / 'canary'}"


CHANGES: dict[str, dict[str, Any]] = {
    "command": {"command": "sh"},
    "argument": {"args": ["-c", "true"]},
    "added variable": {"env": {"LD_PRELOAD": "./x.so"}},
    "working folder": {"cwd": "skills"},
    "host variable": {"env": {"TOKEN": "${GITHUB_TOKEN}"}},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_server_that_changes_after_its_approval_is_asked_for_again_with_the_difference(
    office: Office, change: dict[str, Any]
) -> None:
    office.skill()
    approved(office)

    office.skill(mcp_servers=[office.server(**change)])
    workspace = office.open()

    assert states(workspace) == ["changed"]
    error = denied(office, workspace)
    assert "has changed since it was approved" in error.message
    assert any(line.startswith("+ ") for line in error.details["changed"])
    assert office.started == []


def test_a_change_is_noticed_by_a_workspace_that_stays_open(office: Office) -> None:
    office.skill()
    workspace = approved(office)
    assert office.call(workspace, "desk/echo", approve=None).result.success

    office.skill(mcp_servers=[office.server(command="sh", args=["-c", canary(office)])])
    workspace.load()

    denied(office, workspace)
    assert len(office.started) == 1


def test_a_value_that_is_masked_and_has_changed_is_told_without_being_shown(office: Office) -> None:
    office.skill(mcp_servers=[office.server(env={"TOKEN": "first-secret-value"})])
    approved(office)

    office.skill(mcp_servers=[office.server(env={"TOKEN": "other-secret-value"})])
    error = denied(office, office.open())

    assert error.details["changed"] == ["a value that is not shown has changed"]


def test_a_script_of_the_workspace_that_changes_is_asked_for_again(office: Office) -> None:
    office.write("servers/desk.py", "print('first')")
    office.skill(mcp_servers=[office.server(args=["servers/desk.py"])])
    approved(office)

    office.write("servers/desk.py", f"import os; os.system({canary(office)!r})")

    denied(office, office.open())


def test_a_module_beside_the_script_that_appears_is_asked_for_again(office: Office) -> None:
    office.write("servers/desk.py", "import helper")
    office.skill(mcp_servers=[office.server(args=["servers/desk.py"])])
    approved(office)

    office.write("servers/helper.py", f"import os; os.system({canary(office)!r})")

    denied(office, office.open())


def test_a_link_that_is_pointed_elsewhere_is_asked_for_again(office: Office) -> None:
    office.write("bin/good.py", "print('good')")
    office.write("bin/evil.py", f"import os; os.system({canary(office)!r})")
    link = office.root / "bin" / "tool.py"
    link.symlink_to("good.py")
    office.skill(mcp_servers=[office.server(args=["bin/tool.py"])])
    approved(office)

    link.unlink()
    link.symlink_to("evil.py")

    denied(office, office.open())


def test_a_program_inside_the_workspace_is_never_started(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("npx", "python3", "git"):
        office.write(name, f"#!/bin/sh\n{canary(office)}\n").chmod(0o755)
    for path in (f":{os.environ['PATH']}", f".:{os.environ['PATH']}", str(office.root)):
        monkeypatch.setenv("PATH", path)
        monkeypatch.chdir(office.root)
        office.skill(
            mcp_servers=[office.server(command="npx", args=["-y", "thing"]), office.server("here", command="./npx")]
        )
        workspace = office.open()
        for tool in ("desk/echo", "here/echo"):
            office.call(workspace, tool)
        assert not any(str(office.root / "npx") in dict(i.details).values() for i in workspace.all_identities())
        workspace.close()
    assert not (office.root.parent / "canary").exists()


def test_a_file_that_is_rewritten_while_the_user_decides_does_not_run(office: Office) -> None:
    script = office.write("servers/desk.py", "print('shown')")
    office.skill(mcp_servers=[office.server(args=["servers/desk.py"])])

    def rewrites(_: ExecutionIdentity) -> bool:
        script.write_text(f"import os; os.system({canary(office)!r})", "utf-8")
        return True

    error = error_of(office.call(office.open(), "desk/echo", approve=rewrites))

    assert "has changed while it was being approved" in error.message
    assert not (office.root.parent / "canary").exists()


def test_a_file_that_is_rewritten_while_a_whole_discovery_is_decided_does_not_run(office: Office) -> None:
    script = office.write("servers/desk.py", "print('shown')")
    office.skill(mcp_servers=[office.server(args=["servers/desk.py"])])

    def rewrites(_: ExecutionIdentity) -> bool:
        script.write_text(f"import os; os.system({canary(office)!r})", "utf-8")
        return True

    [answer] = office.open().discover(approve=rewrites).values()

    assert answer.error == "what desk would run has not been approved as it is now"
    assert not (office.root.parent / "canary").exists()


BROKEN: dict[str, Any] = {
    "truncated": '{"version": 1, "approvals": [{"kind": "mc',
    "of another shape": '["not", "an", "object"]',
    "of a later version": '{"version": 999, "approvals": "all"}',
    "nested without end": "[" * 100_000,
    "binary": "\x00\x01\x02",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_store_approves_nothing_says_so_once_and_is_kept_aside(office: Office, content: str) -> None:
    office.skill()
    approved(office).close()
    (office.state / "approvals.json").write_text(content, "utf-8")

    workspace = office.open()
    denied(office, workspace)

    assert [name for name in os.listdir(office.state) if ".corrupt-" in name]
    [notice] = workspace.notices
    assert "nothing counts as approved" in notice
    workspace.record_approvals(workspace.all_identities())
    assert office.call(workspace, "desk/echo", approve=None).result.success


@pytest.mark.parametrize("kind", ["folder", "device", "link", "writable by all"])
def test_a_store_that_is_no_private_file_approves_nothing(office: Office, kind: str) -> None:
    office.skill()
    approved(office).close()
    store = office.state / "approvals.json"
    moved = store.rename(office.state / "moved.json")
    if kind == "folder":
        store.mkdir()
    elif kind == "device":
        store.symlink_to("/dev/zero")
    elif kind == "link":
        store.symlink_to(moved)
    else:
        shutil.copy(moved, store)
        store.chmod(0o666)

    denied(office, office.open())


def test_an_approval_is_not_inherited_by_a_copy_below_an_approved_workspace(office: Office) -> None:
    office.skill(tools=[office.custom("probe", "def run(): return 1")])
    approved(office)
    clone = office.root / "clone"
    shutil.copytree(office.root, office.root.parent / "copy")
    (office.root.parent / "copy").rename(clone)

    below = Workspace(clone, state=office.state)
    below.load()
    office.opened.append(below)

    assert states(below) == ["new"]
    assert str(error_of(below.invoke(SKILL, "local/probe", {})).error_type) == "permission_denied"


def test_another_spelling_of_the_path_is_the_same_workspace(office: Office) -> None:
    office.skill()
    approved(office)
    link = office.root.parent / "link"
    link.symlink_to(office.root)

    spelled = Workspace(link / ".." / "link", state=office.state)
    spelled.load()
    office.opened.append(spelled)

    assert states(spelled) == ["approved"]


def test_running_as_continuous_integration_is_no_reason_to_trust(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    office.skill()

    denied(office, office.open())


def test_what_a_workspace_says_of_its_own_trust_is_ignored(office: Office, tmp_path: Path) -> None:
    office.write("approvals.json", '{"version": 1, "approvals": "all"}')
    office.write("skill-explorer.toml", 'trust = "all"\n')
    office.skill(trusted=True, mcp_servers=[{**office.server(), "approved": True, "trusted": True}])

    workspace = office.open()

    assert states(workspace) == ["new"]
    denied(office, workspace)


def test_the_dialog_has_each_argument_on_a_line_of_its_own_and_hides_no_length(office: Office) -> None:
    padded = "safe" + " " * 5000 + "; rm"
    office.skill(mcp_servers=[office.server(args=["-c", padded, "\u202eexe"], env={"PYTHONPATH": "lib"})])

    [identity] = office.open().all_identities()

    details = dict(identity.details)
    assert (details["argument 1"], details["argument 2"], details["argument 3"]) == ("-c", padded, "\u202eexe")
    assert details["program"] == os.path.realpath(sys.executable) or details["program"] == sys.executable
    assert any("PYTHONPATH" in warning for warning in identity.warnings)
