"""An approval that is taken back ends what runs under it, whoever takes it back (resolution, part 5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from office import Calling, Office, error_of, eventually

from core.registry.approvals import Approvals
from core.workspace import Workspace

WAITS = "def run():\n    print('waiting', flush=True)\n    import time; time.sleep(60)"


def approved(office: Office) -> Workspace:
    """Return a workspace in which everything that may run is approved."""
    workspace = office.open()
    workspace.record_approvals(workspace.all_identities())
    return workspace


def digest_of(workspace: Workspace, words: str) -> str:
    return next(i.digest for i in workspace.all_identities() if words in i.title)


def by_the_workspace(workspace: Workspace, digest: str) -> None:
    workspace.revoke([digest[:12]])


def by_another_program(workspace: Workspace, digest: str) -> None:
    Approvals(workspace.state, workspace.root).revoke([digest])


def by_damage(workspace: Workspace, digest: str) -> None:
    (workspace.state / "approvals.json").write_text("{", "utf-8")


WAYS = {"this program": by_the_workspace, "another program": by_another_program, "a damaged store": by_damage}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_running_call_of_a_custom_tool_is_cancelled_with_the_reason(office: Office, way: Any) -> None:
    office.skill(tools=[office.custom("waits", WAITS)])
    workspace = approved(office)
    calling = Calling(office, workspace, "local/waits", approve=None)
    assert eventually(lambda: calling.says("waiting"))

    way(workspace, digest_of(workspace, "local/waits"))

    error = calling.result().error
    assert "the approval of what it ran was taken back" in error.message
    assert (error.details["cancelled"], error.details["revoked"]) == (True, True)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_server_is_ended_and_its_tools_are_unknown_again(office: Office, way: Any) -> None:
    office.skill()
    workspace = approved(office)
    told: list[Any] = []
    assert office.call(workspace, "desk/echo", approve=None).result.success
    workspace.on_servers_changed(told.append)

    way(workspace, digest_of(workspace, "desk"))

    assert eventually(lambda: not office.alive and told)
    flat = workspace.catalogue.flatten("local/office")
    assert (list(flat.records), flat.undiscovered_servers) == ([], ("desk",))
    assert not office.call(workspace, "desk/echo", approve=None).result.success


def test_a_running_call_of_a_server_is_cancelled_with_the_reason(office: Office) -> None:
    office.skill()
    workspace = approved(office)
    calling = Calling(office, workspace, "desk/hang", approve=None)
    assert eventually(lambda: calling.says("hanging"))

    workspace.revoke()

    assert calling.result().error.details["revoked"] is True
    assert eventually(lambda: not office.alive)


def test_what_runs_under_another_approval_goes_on(office: Office) -> None:
    office.skill(tools=[office.custom("waits", WAITS)], mcp_servers=[office.server()])
    workspace = approved(office)
    ended = Calling(office, workspace, "local/waits", approve=None)
    goes_on = Calling(office, workspace, "desk/hang", approve=None)
    assert eventually(lambda: ended.says("waiting") and goes_on.says("hanging"))

    workspace.revoke([digest_of(workspace, "local/waits")])

    assert ended.result().error.details["revoked"] is True
    assert office.call(workspace, "desk/echo", approve=None).result.success
    assert (goes_on.outcome, len(office.started)) == (None, 1)
    goes_on.cancel.set()
    assert "revoked" not in goes_on.result().error.details


def test_what_was_approved_for_one_call_does_not_depend_on_the_store(office: Office, tmp_path: Path) -> None:
    office.skill()
    workspace = office.open()
    calling = Calling(office, workspace, "desk/hang")
    assert eventually(lambda: calling.says("hanging"))

    workspace.revoke()
    calling.cancel.set()

    assert "revoked" not in calling.result().error.details


def test_revoking_tells_what_was_taken_back(office: Office) -> None:
    office.skill(tools=[office.custom("waits", WAITS)], mcp_servers=[office.server()])
    workspace = approved(office)

    gone = workspace.revoke([digest_of(workspace, "desk")])

    assert [approval.title for approval in gone] == ["MCP server desk"]
    assert [workspace.approvals.state_of(i) for i in workspace.all_identities()] == ["new", "approved"]


def test_a_state_folder_inside_the_workspace_is_refused_and_told(office: Office) -> None:
    office.state = office.root / "state"
    office.skill()
    workspace = office.open()

    with pytest.raises(PermissionError):
        workspace.record_approvals(workspace.all_identities())

    assert workspace.notices == ("the state folder lies inside the workspace: nothing in it counts as approved",)
    assert not office.call(workspace, "desk/echo", approve=None).result.success


def test_an_approval_that_lies_in_the_workspace_counts_for_nothing(office: Office, tmp_path: Path) -> None:
    """A workspace that ships its own state folder approves nothing by it."""
    office.skill()
    office.state = tmp_path / "mine"
    approved(office)
    (tmp_path / "mine").rename(office.root / "state")
    office.state = office.root / "state"

    error = error_of(office.call(office.open(), "desk/echo", approve=None))

    assert str(error.error_type) == "permission_denied"
    assert office.started == []
