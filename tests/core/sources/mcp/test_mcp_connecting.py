"""How servers are reached, and how it is told that they cannot be."""

from __future__ import annotations

import _thread
import asyncio
import contextlib
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from mcp_bench import Bench, eventually

from core.protocol import SkillErrorType
from core.sources.mcp.failures import Cancelled, ConnectFailure, ServerRefused
from core.sources.mcp.identity import server_digest
from core.sources.mcp.owner import House, Owner
from core.sources.mcp.pool import ServerPool
from core.sources.mcp.servers import Approved, Caller
from core.sources.memory import ProcessMemory


def connect_error(bench: Bench, mode: str, **fields: object) -> ConnectFailure:
    with pytest.raises(ConnectFailure) as caught:
        bench.misbehaving(mode, **fields).call("echo")
    assert caught.value.kind is SkillErrorType.TOOL_ACTIVATION_FAILURE
    return caught.value


@pytest.mark.parametrize("legacy", [True, False])
def test_a_server_that_ends_at_its_start_says_its_code_and_last_words(bench: Bench, legacy: bool) -> None:
    error = connect_error(bench, "exit3", legacy=legacy)

    assert error.message == (
        "cannot connect to desk: the server ended with exit code 3; its last words: fatal: no API key"
    )
    assert error.details == {"server": "desk", "exit_code": 3, "stderr": ["fatal: no API key"]}


def test_a_server_that_falls_over_in_the_handshake_says_its_code(bench: Bench) -> None:
    error = connect_error(bench, "crash-at-initialize")

    assert error.details["exit_code"] == 5
    assert error.details["stderr"] == ["boom in initialize"]


def test_a_server_that_refuses_the_handshake_is_quoted(bench: Bench) -> None:
    error = connect_error(bench, "refuses")

    assert error.message == "cannot connect to desk: licence expired"
    assert error.details["code"] == -32000
    assert error.details["data"] == {"until": "2020"}


def test_a_server_that_never_answers_ends_at_the_time_limit_and_is_gone(bench: Bench) -> None:
    error = connect_error(bench, "silent", timeout=1, legacy=False)

    assert error.message == "cannot connect to desk: no answer within 1 s"
    assert eventually(lambda: not bench.alive())


def test_a_version_that_nobody_speaks_is_named(bench: Bench) -> None:
    with pytest.raises(ConnectFailure, match="2099-01-01"):
        bench.misbehaving("version", "2099-01-01").call("echo")


def test_bytes_that_are_no_utf8_end_the_session_at_once(bench: Bench) -> None:
    assert "protocol error: the server sent bytes that are not UTF-8" in connect_error(bench, "bad-utf8").message


def test_a_line_without_end_ends_the_session(bench: Bench) -> None:
    assert "a line longer than 4 MiB" in connect_error(bench, "endless-line").message
    assert eventually(lambda: not bench.alive())


@pytest.mark.parametrize("mode", ["noise", "bom", "stderr-flood", "ignores-discover"])
def test_a_server_that_is_only_untidy_works(bench: Bench, mode: str) -> None:
    server = bench.misbehaving(mode, legacy=False, timeout=6 if mode == "ignores-discover" else 20)

    assert server.call("echo").output == "{}"


def test_that_a_server_wants_the_handshake_is_remembered(bench: Bench) -> None:
    server = bench.misbehaving(legacy=False)
    server.call("echo")
    bench.pool.stop()
    server.call("echo")

    sent = bench.record.read_text("utf-8")
    assert sent.count('"server/discover"') == 1
    assert sent.count('"initialize"') == 2


def test_a_server_that_could_not_be_connected_is_asked_afresh_the_next_time(bench: Bench) -> None:
    server = bench.misbehaving(legacy=False)
    key = f"protocol {server.server.digest}"
    memory = ProcessMemory()
    memory.remember(key, "legacy")
    pool = ServerPool(bench.environ, memory=memory)
    broken = replace(server.server.spec, program="/bin/false")
    broken_key = f"protocol {server_digest(broken)}"
    memory.remember(broken_key, "legacy")

    pool.discover(server.server)
    pool.discover(Approved(broken, server_digest(broken)))
    pool.close()

    assert (memory.recall(key), memory.recall(broken_key)) == ("legacy", "")
    assert not bench.sent("server/discover")


def test_what_the_declaration_forces_is_not_remembered_of_the_server(bench: Bench) -> None:
    memory = ProcessMemory()
    server = bench.misbehaving(legacy=True)
    pool = ServerPool(bench.environ, memory=memory)
    assert pool.discover(server.server).error is None
    pool.close()

    assert memory.recall(f"protocol {server.server.digest}") is None


def test_a_legacy_server_is_never_asked_for_a_newer_version(bench: Bench) -> None:
    bench.misbehaving(legacy=True).call("echo")

    assert not bench.sent("server/discover")


def test_no_capability_is_offered_to_the_server(bench: Bench) -> None:
    bench.misbehaving(legacy=True).call("echo")

    assert bench.sent('"capabilities":{}')


def test_a_server_starts_when_it_is_needed_and_stays(bench: Bench) -> None:
    server = bench.misbehaving()
    assert not bench.alive()

    server.call("echo")
    server.call("echo")

    assert len(bench.alive()) == 1
    assert bench.pool.states() == {"desk": "ready"}


def test_a_server_that_nobody_uses_ends_and_comes_back(bench: Bench, environ: dict[str, str]) -> None:
    pool = ServerPool(environ, idle_s=0.2)
    try:
        server = bench.misbehaving()
        server.pool = pool
        server.call("echo")
        assert eventually(lambda: not bench.alive())
        assert eventually(lambda: pool.states() == {"desk": "idle"})
        assert server.call("echo").output == "{}"
    finally:
        pool.close()


def test_a_server_in_use_does_not_end_for_idleness(bench: Bench, environ: dict[str, str]) -> None:
    pool = ServerPool(environ, idle_s=0.1)
    try:
        server = bench.misbehaving()
        server.pool = pool
        assert server.call("progress", steps=4, pause=0.15).output == "done"
    finally:
        pool.close()


def test_connecting_can_be_cancelled_and_leaves_nothing(bench: Bench) -> None:
    server, caller = bench.misbehaving("silent"), Caller()
    threading.Timer(0.3, caller.cancel.set).start()

    with pytest.raises(Cancelled):
        server.discover(caller)

    assert eventually(lambda: not bench.alive())
    assert eventually(lambda: bench.pool.states() == {"desk": "idle"})


def test_a_cancelled_caller_leaves_the_connection_to_the_others(bench: Bench) -> None:
    server, caller = bench.misbehaving("stderr-flood"), Caller()
    outputs: list[object] = []
    thread = threading.Thread(target=lambda: outputs.append(server.call("echo").output))
    thread.start()
    caller.cancel.set()
    with pytest.raises(Cancelled):
        server.call("echo", caller)
    thread.join(20)

    assert outputs == ["{}"]
    assert len(bench.alive()) == 1


def test_at_most_four_servers_connect_at_a_time(bench: Bench) -> None:
    servers = {f"s{n}": bench.misbehaving("silent", label=f"s{n}").server for n in range(6)}
    cancel = threading.Event()

    def discover() -> None:
        with contextlib.suppress(Cancelled):
            bench.pool.discover_all(servers, cancel=cancel)

    thread = threading.Thread(target=discover)
    thread.start()

    assert eventually(lambda: len(bench.alive()) == 4)
    assert not eventually(lambda: len(bench.alive()) > 4, 0.4)
    cancel.set()
    thread.join(10)
    assert eventually(lambda: not bench.alive())


def test_an_interrupt_of_the_waiting_thread_cancels_the_call(bench: Bench) -> None:
    server = bench.misbehaving()
    server.call("echo")

    def interrupt() -> None:
        assert eventually(lambda: bench.sent('"hang"'))
        _thread.interrupt_main()

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        server.call("hang")
    thread.join(10)

    assert eventually(lambda: bench.sent("notifications/cancelled"))
    assert server.call("echo").output == "{}"


def test_what_has_changed_since_the_approval_is_not_started(bench: Bench) -> None:
    script = bench.root / "server.py"
    script.write_text("print('first')", "utf-8")
    server = bench.server("python3 server.py")
    script.write_text("print('second')", "utf-8")

    with pytest.raises(ServerRefused, match="changed since it was approved") as caught:
        server.call("echo")

    assert caught.value.kind is SkillErrorType.PERMISSION_DENIED


def test_a_server_that_was_approved_anew_is_restarted(bench: Bench) -> None:
    plain = bench.misbehaving()
    plain.call("echo")
    first = bench.alive()
    other = Approved(plain.server.spec, plain.server.digest[::-1])

    with pytest.raises(ServerRefused):
        bench.pool.call(other, "echo", {}, 10, Caller())

    assert first
    assert eventually(lambda: not bench.alive())


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-program-here --x", "no program 'no-such-program-here' on the PATH"),
        ("/etc/passwd", "'/etc/passwd' is no executable file"),
        ("'unclosed", "cannot be split"),
        ("''", "the command is empty"),
        ("http://", "is no http:// or https:// address"),
        ("https://host:0/x", "is no http:// or https:// address"),
        ("https://host/a b", "is no http:// or https:// address"),
    ],
)
def test_a_command_or_url_that_cannot_be_used_says_why(bench: Bench, command: str, words: str) -> None:
    with pytest.raises(ConnectFailure, match=words):
        bench.server(command)


def test_a_program_that_cannot_be_executed_says_why(bench: Bench, tmp_path: Path) -> None:
    program = tmp_path / "odd"
    program.write_text("no shebang", "utf-8")
    program.chmod(0o755)

    with pytest.raises(ConnectFailure, match="Exec format error"):
        bench.server(str(program)).call("echo")


def test_a_working_folder_must_be_inside_the_workspace(bench: Bench) -> None:
    with pytest.raises(ServerRefused, match="outside the workspace"):
        bench.misbehaving(cwd="..")
    with pytest.raises(ConnectFailure, match="does not exist"):
        bench.misbehaving(cwd="nowhere")


def test_a_closed_pool_refuses_every_use(bench: Bench) -> None:
    server = bench.misbehaving()
    server.call("echo")
    bench.pool.close()

    with pytest.raises(Cancelled, match="have been closed"):
        server.call("echo")
    bench.pool.close()


async def test_who_asks_while_a_connection_that_nobody_wants_is_ended_gets_one_of_its_own(bench: Bench) -> None:
    server = bench.misbehaving("silent-at-first").server
    house = House(bench.environ, asyncio.Semaphore(4), 300, lambda _spec: None, ProcessMemory())
    owner = Owner(server.spec, house)

    async def use() -> str:
        async with owner.session(server.digest) as live:
            return live.protocol

    gives_up = asyncio.create_task(use())
    while not bench.sent("initialize"):
        await asyncio.sleep(0.01)
    gives_up.cancel()
    await asyncio.wait([gives_up])

    assert await asyncio.wait_for(use(), 20)
    owner.stop()
    assert await owner.gone(10)
