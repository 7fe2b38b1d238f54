"""Ctrl-C during ``invoke`` and ``history --replay``: the call is cancelled, its result printed and kept."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from desk_workspace import READS, DeskWorkspace

Ask = Callable[..., tuple[int, Any]]

SLEEPS = """name: local/sleeps
description: T.
source: custom
timeout: 300
capability: {read_only: true}
code: |
  import time
  print('begun', flush=True)
  for _ in range(200):
      time.sleep(1)
"""
TWICE = """
import signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
from explorer.cli.interrupt import interrupting
cancel = threading.Event()
with interrupting(cancel):
    print('begun', flush=True)
    cancel.wait()
    print('cancelled', flush=True)
    threading.Event().wait()
"""


@pytest.fixture
def desk(tmp_path: Path) -> DeskWorkspace:
    desk = DeskWorkspace(tmp_path)
    desk.lists({"hang": READS})
    desk.write("tools/sleeps.yaml", SLEEPS)
    desk.write("skills/office.yaml", desk.skill("local/office", "desk", more="tools: [local/sleeps]\n"))
    return desk


@contextmanager
def calling(desk: DeskWorkspace, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command that heeds interrupts, whatever the tests themselves inherited."""
    heeds = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code = f"{heeds}from explorer.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-P", "-c", code, *arguments, "--trust", *desk.options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for_line(process: subprocess.Popen[str], wanted: str) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if wanted in line:
            return
    pytest.fail(f"{wanted!r} was not said")


@pytest.mark.parametrize(("tool", "says"), [("local/sleeps", "begun"), ("desk/hang", "hanging")])
def test_an_interrupt_cancels_the_call_and_its_result_is_printed_and_kept(
    desk: DeskWorkspace, ask: Ask, tool: str, says: str
) -> None:
    with calling(desk, "invoke", "local/office", tool, "--format", "json") as process:
        wait_for_line(process, says)
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=60)

    result = json.loads(printed)
    assert process.returncode == 130
    assert (result["success"], result["error"]["error_type"]) == (False, "tool_execution_failure")
    assert result["error"]["details"]["cancelled"] is True
    _, kept = ask("history", *desk.options)
    assert [call["result"]["error"] for call in kept["calls"]] == [result["error"]]


def test_an_interrupted_call_is_told_as_text_and_so_is_its_replay(desk: DeskWorkspace) -> None:
    for command in (["invoke", "local/office", "local/sleeps"], ["history", "--replay", "1"]):
        with calling(desk, *command) as process:
            wait_for_line(process, "begun")
            process.send_signal(signal.SIGINT)
            printed, said = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "cancelled" in printed
        assert "local/sleeps failed in" in said


def test_a_second_interrupt_ends_at_once_a_program_whose_call_takes_no_notice_of_the_first() -> None:
    with subprocess.Popen([sys.executable, "-P", "-c", TWICE], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            for line in ("begun\n", "cancelled\n"):
                assert process.stdout.readline() == line
                process.send_signal(signal.SIGINT)
            assert process.wait(30) == -signal.SIGINT
        finally:
            process.kill()
