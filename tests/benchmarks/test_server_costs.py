"""What MCP servers cost: those that nobody has approved nothing, one that is killed less than a second."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from statistics import median

import pytest
from places import ROOT

from core.runtime.call import CallEvent, CallOptions, CallOutcome
from core.workspace import Workspace

pytestmark = pytest.mark.benchmark
ROUNDS = 5
SERVERS = 200
DESK = ROOT / "tests/core/workspace/servers/desk.py"


def written(root: Path, entry: str) -> Path:
    (root / "skills").mkdir(parents=True)
    for number in range(SERVERS):
        head = f"name: local/s{number}\ndescription: Number {number}.\ntools: [builtin/read_file]\n"
        (root / f"skills/s{number}.yaml").write_text(head + entry.replace("NUMBER", str(number)), "utf-8")
    return root


def opening_s(root: Path, state: Path) -> float:
    """Return the CPU time of opening ``root`` and looking at every skill once."""
    before = time.process_time()
    workspace = Workspace(root, state=state)
    workspace.load()
    for row in workspace.catalogue.skills():
        workspace.catalogue.flatten(row.name)
    workspace.close()
    return time.process_time() - before


def test_two_hundred_servers_that_nobody_trusts_cost_what_as_many_tools_of_files_cost(tmp_path: Path) -> None:
    """The floor declares a tool for each server, so that what is read and resolved is about as much."""
    server = "mcp_servers:\n  - {name: deskNUMBER, command: python3, args: [desk.py, --here], env: {TOKEN: 'x'}}\n"
    tool = "anonymous_tools:\n  - {name: deskNUMBER, description: T, source: custom, code: 'return 1', timeout: 9}\n"
    with_servers, without = written(tmp_path / "a", server), written(tmp_path / "b", tool)
    state = tmp_path / "state"
    pairs = [(opening_s(with_servers, state), opening_s(without, state)) for _ in range(ROUNDS + 1)][1:]
    ratio = median(cost / floor for cost, floor in pairs)
    print(f"{SERVERS} servers: {pairs[0][0] * 1000:.0f} ms of CPU, {ratio:.2f} times as many tools")
    assert ratio <= 1.2


OPTIONS = CallOptions(approve=lambda _: True)


def killed_in_a_call(workspace: Workspace, starts: Path) -> tuple[float, CallOutcome]:
    """Kill the server of a call that hangs; return how long the caller then waited, in seconds, and for what."""
    hangs, outcomes = threading.Event(), list[CallOutcome]()

    def hear(event: CallEvent) -> None:
        if event.text == "hanging":
            hangs.set()

    def call() -> None:
        outcomes.append(workspace.invoke("local/desk", "desk/hang", {}, OPTIONS, hear))

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    assert hangs.wait(30)
    killed = time.monotonic()
    os.kill(int(starts.read_text("utf-8").split()[-1]), signal.SIGKILL)
    thread.join(30)
    return time.monotonic() - killed, outcomes[0]


def test_a_killed_server_is_told_within_a_second_and_the_next_call_works(tmp_path: Path) -> None:
    listing, starts = tmp_path / "listing.json", tmp_path / "starts"
    reads = {"annotations": {"readOnlyHint": True}}
    listing.write_text(json.dumps({"hang": reads, "echo": reads}), "utf-8")
    env = {"LISTING": str(listing), "STARTS": str(starts)}
    server = {"name": "desk", "command": sys.executable, "args": [str(DESK)], "env": env, "legacy": True}
    skill = {"name": "local/desk", "description": "A desk.", "mcp_servers": [server]}
    (tmp_path / "ws/skills").mkdir(parents=True)
    (tmp_path / "ws/skills/desk.yaml").write_text(json.dumps(skill), "utf-8")
    workspace = Workspace(tmp_path / "ws", state=tmp_path / "state")
    workspace.load()
    took = []
    for _ in range(ROUNDS):
        seconds, outcome = killed_in_a_call(workspace, starts)
        took.append(seconds)
        assert outcome.result.error is not None
        assert outcome.result.error.details["signal"] == "SIGKILL"
        assert outcome.result.error.details["stderr"] == ["hanging"]
        assert workspace.invoke("local/desk", "desk/echo", {}, OPTIONS).result.success
    workspace.close()
    print(f"told {median(took) * 1000:.0f} ms after the kill; at worst {max(took) * 1000:.0f} ms")
    assert median(took) <= 1.0
