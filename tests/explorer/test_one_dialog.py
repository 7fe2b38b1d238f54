"""A call that needs an approval and an explicit yes asks once for both; the yes holds for that call alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from app_driver import WIDE, opened

from core.runtime.call import CallOutcome, ExecutionIdentity
from core.workspace import Workspace
from explorer.messages import Consent, TryTool
from explorer.screens.confirm import ConfirmScreen
from explorer.services.calls import CallRequest, RunningCall

TREE = {
    "tools/wipe.yaml": "name: local/wipe\ndescription: Wipes.\nsource: custom\ncode: return 'wiped'\n"
    "capability: {writes: true, unsafe: true}\n",
    "skills/a.yaml": "name: local/a\ndescription: A.\ntools: [local/wipe, builtin/shell_execute]\n",
    "skills/reads.yaml": "name: local/reads\ndescription: R.\nread_only: true\ntools: [local/wipe]\n",
}
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def workspace(make_workspace: MakeWorkspace, tmp_path: Path) -> Iterator[Workspace]:
    found = Workspace(make_workspace(TREE), state=tmp_path / "state")
    found.load()
    yield found
    found.close()


class Answers:
    """Stands for the dialog."""

    def __init__(self, *answers: Consent) -> None:
        self.left = list(answers)
        self.asked: list[tuple[ExecutionIdentity, bool, ExecutionIdentity | None]] = []

    def __call__(self, *asked: Any) -> Future[Consent]:
        self.asked.append(asked)
        answer: Future[Consent] = Future()
        answer.set_result(self.left.pop(0))
        return answer


def call(
    workspace: Workspace, answers: Answers, tool: str = "local/wipe", skill: str = "local/a", **more: Any
) -> CallOutcome:
    record = next(r for r in workspace.catalogue.flatten(skill).records if r.name == tool)
    return RunningCall(CallRequest(skill, record, more.pop("arguments", {}), **more), answers).run(workspace)


def test_approval_and_yes_are_asked_for_at_once(workspace: Workspace) -> None:
    answers = Answers(Consent.ONCE)

    outcome = call(workspace, answers)

    assert outcome.result.output_data == "wiped"
    [(identity, confirm_only, once)] = answers.asked
    assert (identity.kind, confirm_only) == ("custom", False)
    assert once is not None
    assert once.warnings == ("`local/wipe` is unsafe (tools/wipe.yaml:5), so each call must be confirmed",)
    assert ("works on", "a copy of the workspace") in once.details


def test_approving_for_good_leaves_the_yes_to_each_call(workspace: Workspace) -> None:
    answers = Answers(Consent.APPROVE, Consent.ONCE)

    assert call(workspace, answers).result.success
    assert call(workspace, answers).result.success

    assert [confirm_only for _, confirm_only, _ in answers.asked] == [False, True]
    [kept] = workspace.approvals.entries()
    assert kept.digest == answers.asked[0][0].digest
    assert not any("arguments" in label for label, _ in kept.details)


def test_a_no_runs_nothing_and_approves_nothing(workspace: Workspace) -> None:
    result = call(workspace, Answers(Consent.CANCEL)).result

    assert result.error is not None
    assert (str(result.error.error_type), result.success) == ("permission_denied", False)
    assert workspace.approvals.entries() == []


def test_a_call_on_the_real_workspace_names_every_reason(workspace: Workspace) -> None:
    answers = Answers(Consent.ONCE)

    assert call(workspace, answers, real=True).result.success

    [(identity, _, once)] = answers.asked
    assert once is not None
    assert [warning.split(" ")[0] for warning in once.warnings] == ["it", "`local/wipe`"]
    assert "real workspace" in dict(identity.details)["isolation"]


def test_a_command_of_the_shell_is_shown_with_the_yes_that_it_needs(workspace: Workspace) -> None:
    answers = Answers(Consent.ONCE)

    result = call(workspace, answers, "builtin/shell_execute", arguments={"command": "echo hi"}).result

    assert result.success, result
    assert [identity.code for identity, _, _ in answers.asked] == ["echo hi"]


def test_nobody_is_asked_for_a_yes_that_would_not_help(workspace: Workspace) -> None:
    result = call(workspace, Answers(), skill="local/reads").result

    assert result.error is not None
    assert "is read-only" in result.error.message


async def test_the_dialog_shows_the_call_above_what_it_would_run(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    async with opened(make_workspace(TREE), tmp_path / "state", WIDE) as driver:
        driver.main.post_message(TryTool("local/a", "local/wipe"))
        await driver.quiet()
        await driver.pilot.press("ctrl+r")
        await driver.until(lambda: isinstance(driver.app.screen, ConfirmScreen), "the dialog")
        await driver.until(lambda: bool(driver.lines("so each call must be confirmed")), "the reason")
        said = driver.screen_text
        assert said.index("this call") < said.index("must be confirmed") < said.index("What it would run")
        assert said.index("What it would run") < said.index("return 'wiped'")
        await driver.pilot.press("right", "space")
        await driver.until(lambda: bool(driver.lines("succeeded")), "the result")


async def test_a_tool_that_takes_nothing_is_run_by_the_same_keys(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    """It has no field that could have the focus: an Agent Skill without files is such a tool."""
    tree = {
        "agents/go/SKILL.md": "---\nname: go\ndescription: Goes. Use when it is time.\n---\nGo home.\n",
        "skills/a.yaml": "name: local/a\ndescription: A.\nagent_skill_folders: [agents/go]\n",
    }
    async with opened(make_workspace(tree), tmp_path / "state", WIDE) as driver:
        driver.main.skill_tree.reveal("local/a", "agent_skill/go")
        await driver.quiet()
        await driver.press("t")
        await driver.pilot.press("ctrl+r")
        await driver.until(lambda: bool(driver.lines("succeeded")), "the result")
        assert driver.lines("Go home.")
