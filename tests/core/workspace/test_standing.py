"""How a tool or a server stands: approved as it is now, changed since, asked for each time; and what runs now."""

from __future__ import annotations

from office import SKILL, Calling, Office, eventually

from core.workspace.standing import Trust, server_standing, tool_standing

WAITS = "def run():\n    print('waiting', flush=True)\n    import time; time.sleep(60)"


def test_a_call_that_runs_is_told_by_its_approval_until_it_is_over(office: Office) -> None:
    office.skill(tools=[office.custom("waits", WAITS)])
    workspace = office.open()
    workspace.record_approvals(workspace.all_identities())
    assert workspace.running() == frozenset()
    calling = Calling(office, workspace, "local/waits", approve=None)
    assert eventually(lambda: calling.says("waiting"))

    assert workspace.running() == {approval.digest for approval in workspace.approvals.here()}

    workspace.revoke()
    calling.result()
    assert workspace.running() == frozenset()


def test_a_server_that_is_kept_runs_under_its_approval_until_that_is_taken_back(office: Office) -> None:
    office.skill()
    workspace = office.open()
    assert server_standing(workspace, "desk", SKILL).trust is Trust.NEW
    assert office.started == []
    workspace.record_approvals(workspace.all_identities())
    assert office.call(workspace, "desk/echo", approve=None).result.success

    standing = server_standing(workspace, "desk", SKILL)
    assert (standing.trust, standing.connected) == (Trust.APPROVED, True)
    assert standing.answer is not None
    assert "echo" in {tool.name for tool in standing.answer.tools}
    assert workspace.running() == {standing.digest}

    workspace.revoke()
    after = server_standing(workspace, "desk", SKILL)
    assert (after.trust, after.answer, after.connected) == (Trust.NEW, None, False)


def test_a_tool_whose_code_has_changed_is_told_from_one_that_was_never_approved(office: Office) -> None:
    office.skill(tools=[office.custom("one", "return 1"), office.custom("two", "return 2")])
    workspace = office.open()
    [one, _] = workspace.all_identities()
    workspace.record_approvals([one])
    assert [tool_standing(workspace, SKILL, f"local/{name}").trust for name in ("one", "two")] == ["approved", "new"]
    office.custom("one", "return 'other'")
    workspace.load()
    assert tool_standing(workspace, SKILL, "local/one").trust is Trust.CHANGED


def test_what_runs_no_code_of_the_workspace_has_no_standing_and_the_shell_asks_each_time(office: Office) -> None:
    office.skill(tools=["builtin/read_file", "builtin/shell_execute"])
    workspace = office.open()
    assert tool_standing(workspace, SKILL, "builtin/read_file") is None
    assert tool_standing(workspace, SKILL, "builtin/shell_execute").trust is Trust.EACH
