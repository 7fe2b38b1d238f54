"""Nothing of a server outlives its use, however that ends."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp_bench import Bench, Used, eventually

from core.sources.mcp.failures import CallFailure, Cancelled, McpFailure
from core.sources.mcp.servers import Caller

REPOSITORY = Path(__file__).parents[4]


def test_children_and_grandchildren_go_with_a_server_that_is_stopped(bench: Bench) -> None:
    bench.misbehaving().call("children")
    assert len(bench.alive()) == 4

    bench.pool.stop()

    assert eventually(lambda: not bench.alive())


def test_children_and_grandchildren_go_with_a_server_that_falls_over(bench: Bench) -> None:
    server = bench.misbehaving()
    server.call("children")
    with pytest.raises(CallFailure, match="exit code 7"):
        server.call("crash")

    assert eventually(lambda: not bench.alive())


def test_a_server_that_heeds_neither_eof_nor_sigterm_is_gone_after_the_close(bench: Bench) -> None:
    bench.misbehaving("stubborn").call("echo")

    bench.pool.close()

    assert eventually(lambda: not bench.alive())


def test_a_server_is_gone_when_what_keeps_it_was_killed(bench: Bench) -> None:
    server = bench.misbehaving()
    server.call("echo")
    pid = int(bench.alive()[0].rpartition("-")[2])
    os.kill(_parent(pid), signal.SIGKILL)

    assert eventually(lambda: not bench.alive() and bench.pool.states() == {"desk": "idle"})
    assert server.call("echo").output == "{}"


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[1])


def test_a_server_has_a_session_of_its_own_without_our_terminal(bench: Bench) -> None:
    bench.misbehaving().call("echo")
    pid = int(bench.alive()[0].rpartition("-")[2])

    assert os.getsid(pid) == pid


@pytest.fixture
def program(bench: Bench, tmp_path: Path) -> Iterator[Program]:
    started = Program(tmp_path)
    yield started
    started.end()


class Program:
    """``using_a_server.py`` as a process, in a group of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def start(self, how: str) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("using_a_server.py")), how, str(self._folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            process_group=0,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"
        return self._process

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


def test_nothing_is_left_when_the_program_is_killed_in_a_call(bench: Bench, program: Program) -> None:
    process = program.start("waits")
    assert len(bench.alive()) == 4

    process.send_signal(signal.SIGKILL)

    assert eventually(lambda: not bench.alive())


def test_nothing_is_left_after_two_interrupts_in_a_call(bench: Bench, program: Program) -> None:
    process = program.start("waits")

    os.killpg(process.pid, signal.SIGINT)
    os.killpg(process.pid, signal.SIGINT)

    process.wait(10)
    assert eventually(lambda: not bench.alive())


@pytest.mark.parametrize(("how", "code"), [("ends", 0), ("raises", 3)])
def test_the_program_ends_by_itself_in_the_middle_of_a_call(
    bench: Bench, program: Program, how: str, code: int
) -> None:
    process = program.start(how)

    _, errors = process.communicate(timeout=10)

    assert process.returncode == code
    assert errors == ""
    assert eventually(lambda: not bench.alive())


def test_no_thread_holds_up_the_end_of_the_program(bench: Bench) -> None:
    bench.misbehaving().call("echo")

    mine = [thread for thread in threading.enumerate() if thread.name == "mcp-servers"]
    assert [thread.daemon for thread in mine] == [True]
    bench.pool.close()
    assert not mine[0].is_alive()


def test_a_hundred_calls_a_third_of_them_cancelled_and_twenty_crashes_leave_nothing(bench: Bench) -> None:
    server, chance = bench.misbehaving(), random.Random(20)
    server.call("echo")
    outcomes: list[str] = []
    work = ["crash"] * 20 + ["cancel"] * 33 + ["echo"] * 47
    chance.shuffle(work)

    def worker(jobs: list[tuple[str, float]]) -> None:
        outcomes.extend(_do(server, kind, delay) for kind, delay in jobs)

    jobs = [(kind, chance.uniform(0, 0.2)) for kind in work]
    threads = [threading.Thread(target=worker, args=(jobs[n::4],)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)

    assert not any(thread.is_alive() for thread in threads)
    assert len(outcomes) == 100
    assert outcomes.count("cancelled") == 33
    assert server.call("echo").output == "{}"
    bench.pool.close()
    assert eventually(lambda: not bench.alive())
    assert not [thread for thread in threading.enumerate() if thread.name == "mcp-servers"]


def _do(server: Used, kind: str, delay: float) -> str:
    caller = Caller()
    timer = threading.Timer(delay, caller.cancel.set)
    if kind == "cancel":
        timer.start()
    try:
        server.call("hang" if kind == "cancel" else kind, caller)
    except Cancelled:
        return "cancelled"
    except McpFailure:  # a call may also fall with the server that another one has crashed
        timer.cancel()
        return "cancelled" if kind == "cancel" else "failed"
    return "done"


def test_connecting_again_and_again_keeps_no_descriptor(bench: Bench) -> None:
    server = bench.misbehaving()

    def round_trip() -> int:
        server.call("echo")
        bench.pool.stop()
        assert eventually(lambda: not bench.alive())
        return len(os.listdir("/proc/self/fd"))

    first = round_trip()
    assert [round_trip() for _ in range(4)][-1] <= first
