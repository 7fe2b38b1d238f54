"""How calls end when a server dies, when the user gives up, and when the program is left in the middle of one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from office import READS, Calling, Office, eventually, runs

from core.workspace import Workspace

WAITS = "def run():\n    print('waiting', flush=True)\n    import time; time.sleep(60)"
USES = Path(__file__).parent / "leaving_early.py"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda n: n.name)
def test_killing_a_server_in_a_call_says_by_what_it_ended_and_its_last_words_and_the_next_call_works(
    office: Office, number: signal.Signals
) -> None:
    office.skill()
    workspace = office.open()
    calling = Calling(office, workspace, "desk/hang")
    assert eventually(lambda: calling.says("hanging"))

    os.kill(office.started[0], number)

    error = calling.result().error
    assert error.details["signal"] == number.name
    assert error.details["stderr"] == ["hanging"]
    assert f"the server was ended by {number.name}; its last words: hanging" in error.message
    assert office.call(workspace, "desk/echo").result.success
    assert len(office.started) == 2


def test_a_server_that_falls_over_in_a_call_tells_its_exit_code_and_the_next_call_works(office: Office) -> None:
    office.skill()
    workspace = office.open()

    error = office.call(workspace, "desk/crash").result.error

    assert error is not None
    assert (error.details["exit_code"], error.details["stderr"]) == (7, ["the desk falls over"])
    assert office.call(workspace, "desk/echo").result.success


def test_a_call_is_never_made_twice_by_itself(office: Office) -> None:
    office.skill()
    workspace = office.open()
    office.call(workspace, "desk/crash")
    assert len(office.started) == 1


def give_up_later(calling: Calling, seconds: float) -> None:
    timer = threading.Timer(seconds, calling.cancel.set)
    timer.daemon = True
    timer.start()


def own_threads(before: set[threading.Thread]) -> list[str]:
    return sorted(thread.name for thread in set(threading.enumerate()) - before)


def test_a_hundred_calls_a_third_of_them_cancelled_and_twenty_crashes_leave_nothing(office: Office) -> None:
    """Calls of a server and of custom tools, four at a time, cancelled at any moment; seeded, so that it repeats."""
    office.skill(
        tools=[office.custom("quick", "return 1"), office.custom("waits", WAITS)], mcp_servers=[office.server()]
    )
    workspace = office.open()
    before = set(threading.enumerate())
    chance = random.Random(20261130)
    calls = [(tool, number % 3 == 0) for number, tool in enumerate(_hundred(chance))]
    ended: list[bool] = []

    def make(turn: int) -> None:
        for number in range(turn, len(calls), 4):
            tool, cancelled = calls[number]
            calling = Calling(office, workspace, tool)
            if cancelled or tool in ("desk/hang", "local/waits"):
                give_up_later(calling, chance.uniform(0, 0.3))
            ended.append(calling.result().tool_name == tool)

    turns = [threading.Thread(target=make, args=(turn,)) for turn in range(4)]
    for turn in turns:
        turn.start()
    for turn in turns:
        turn.join()

    assert (len(ended), all(ended)) == (100, True)
    assert office.call(workspace, "desk/echo").result.success
    assert office.copies == []
    assert all(thread.daemon for thread in set(threading.enumerate()) - before), "one would hold up the end"
    workspace.close()
    assert eventually(lambda: not office.alive)
    assert eventually(lambda: own_threads(before) == [])


def _hundred(chance: random.Random) -> list[str]:
    tools = ["desk/crash"] * 20 + ["desk/echo"] * 30 + ["desk/hang"] * 20 + ["local/quick"] * 15 + ["local/waits"] * 15
    chance.shuffle(tools)
    return tools


@pytest.mark.parametrize("tool", ["desk/hang", "local/waits"])
def test_closing_in_the_middle_of_a_call_leaves_no_process_no_thread_and_no_copy(office: Office, tool: str) -> None:
    office.skill(tools=[office.custom("waits", WAITS)], mcp_servers=[office.server()])
    before = set(threading.enumerate())
    workspace = office.open()
    calling = Calling(office, workspace, tool)
    assert eventually(lambda: calling.says("hanging") or calling.says("waiting"))

    workspace.close()

    assert calling.result().error.details["cancelled"] is True
    assert eventually(lambda: not office.alive)
    assert office.copies == []
    assert eventually(lambda: own_threads(before) == [])


@pytest.mark.parametrize("tool", ["desk/hang", "local/waits"])
@pytest.mark.parametrize("how", ["killed", "interrupted", "returns", "raises"])
def test_leaving_the_program_in_the_middle_of_a_call_leaves_no_process_and_no_copy(
    office: Office, tool: str, how: str
) -> None:
    office.skill(tools=[office.custom("waits", WAITS)], mcp_servers=[office.server()])
    program = subprocess.Popen(
        [sys.executable, str(USES), str(office.root), str(office.state), tool, how],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "in the call\n"
    running = [*office.alive, *children_of(program.pid)]
    assert running

    if how == "killed":
        program.kill()
    elif how == "interrupted":
        program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=30)

    assert eventually(lambda: not [pid for pid in running if runs(pid)])
    assert eventually(lambda: not left_by(office))
    assert how == "raises" or "Traceback" not in said


def left_by(office: Office) -> list[int]:
    """Return the processes that still work in the state folder of the call."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            works_in = os.readlink(f"/proc/{name}/cwd")
        except OSError:
            continue
        if works_in.startswith(str(office.state)):
            found.append(int(name))
    return found


def children_of(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def test_two_hundred_untrusted_servers_cost_no_process_and_no_work_of_their_own(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted, not timed: opening never looks at a program, a server's files or the user's environment."""
    looked: list[str] = []

    def noted(name: str) -> None:
        monkeypatch.setattr(name, lambda *_args, **_more: looked.append(name))

    for number in range(200):
        office.skill(
            f"local/s{number}", mcp_servers=[office.server(f"desk{number}", tools=["echo"] if number % 2 else None)]
        )
    noted("core.sources.mcp.spec.read_spec")
    noted("core.sources.mcp.identity.server_identity")
    noted("core.sources.program.resolve_program")
    noted("core.sources.adapters.make_adapter")
    noted("subprocess.Popen")
    before = set(threading.enumerate())

    workspace = office.open()
    for row in workspace.catalogue.skills():
        workspace.catalogue.flatten(row.name)

    assert (len(workspace.catalogue.skills()), len(workspace.catalogue.servers())) == (200, 200)
    assert looked == []
    assert own_threads(before) == []
    assert office.started == []


def test_the_calls_of_one_server_of_two_hundred_start_that_one_alone(office: Office) -> None:
    for number in range(200):
        office.skill(f"local/s{number}", mcp_servers=[office.server(f"desk{number}")])
    workspace = office.open()

    assert office.call(workspace, "desk7/echo", skill="local/s7").result.success

    assert len(office.started) == 1
    assert [identity.title for identity in office.asked] == ["MCP server desk7"]


def test_discovering_two_hundred_servers_that_nobody_approves_starts_none(office: Office) -> None:
    for number in range(200):
        office.skill(f"local/s{number}", mcp_servers=[office.server(f"desk{number}")])
    workspace: Workspace = office.open()

    answers = workspace.discover()

    assert {answer.error for answer in answers.values()} == {
        "not approved: what it runs has to be approved before it is started"
    }
    assert (len(answers), office.started) == (200, [])


def test_a_server_is_used_by_every_skill_that_declares_it_alike(office: Office) -> None:
    office.lists({"echo": READS})
    office.skill("local/one", mcp_servers=[office.server()])
    office.skill("local/two", mcp_servers=[office.server()])
    workspace = office.open()

    assert office.call(workspace, "desk/echo", skill="local/one").result.success
    assert office.call(workspace, "desk/echo", skill="local/two").result.success

    assert len(office.started) == 1
