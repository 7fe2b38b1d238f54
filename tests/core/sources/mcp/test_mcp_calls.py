"""Calls on a real server: what comes back, what is heard meanwhile, and how each goes wrong."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from mcp_bench import Bench, Used, eventually

from core.protocol import SkillErrorType
from core.sources.mcp.failures import CallFailure, Cancelled, McpFailure
from core.sources.mcp.servers import Caller


def test_text_blocks_come_as_one_text(bench: Bench) -> None:
    assert bench.misbehaving().call("echo", a=1).output == '{"a": 1}'


def test_structured_content_is_the_output_where_there_is_some(bench: Bench) -> None:
    assert bench.misbehaving().call("structured", total=3).output == {"total": 3}


def test_other_blocks_come_as_they_are_also_of_an_unknown_type(bench: Bench) -> None:
    output = bench.misbehaving().call("blocks").output

    assert [block["type"] for block in output] == ["text", "image", "resource_link", "hologram"]
    assert output[1] == {"type": "image", "data": "AAAA", "mimeType": "image/png"}


def test_an_error_of_the_tool_carries_the_servers_own_text(bench: Bench) -> None:
    with pytest.raises(CallFailure) as caught:
        bench.misbehaving().call("is_error")

    assert caught.value.message == "the disk is full"
    assert caught.value.output == "the disk is full"
    assert caught.value.kind is SkillErrorType.TOOL_EXECUTION_FAILURE


def test_an_error_of_the_protocol_carries_code_and_data(bench: Bench) -> None:
    with pytest.raises(CallFailure, match=r"^no such ticket$") as caught:
        bench.misbehaving().call("rpc_error")

    assert caught.value.details["code"] == -32050
    assert caught.value.details["data"] == {"ticket": 7}


def test_a_servers_own_error_with_the_code_of_a_closed_connection_is_not_taken_for_one(bench: Bench) -> None:
    server = bench.misbehaving()
    with pytest.raises(CallFailure, match=r"^licence expired$"):
        server.call("closed_code")

    assert server.call("echo").output == "{}"
    assert len(bench.alive()) == 1


def test_progress_is_heard_in_order(bench: Bench) -> None:
    heard: list[dict[str, object]] = []

    bench.misbehaving().call("progress", Caller(progress=heard.append), steps=3)

    assert heard == [{"progress": n, "total": 3.0, "message": f"step {n}"} for n in (1, 2, 3)]


def test_log_messages_noise_and_stderr_are_heard_by_stream(bench: Bench) -> None:
    heard: list[tuple[str, str]] = []
    server = bench.misbehaving()

    server.call("log", Caller(log=lambda *line: heard.append(line)))
    server.call("echo", Caller(log=lambda *line: heard.append(line)))

    assert {("server", "warning disk: line 0"), ("stdout", "on stdout")} <= set(heard)
    assert eventually(lambda: "on stderr" in server.discover().stderr or ("stderr", "on stderr") in heard)


def test_a_flood_of_log_messages_is_cut_and_told(bench: Bench) -> None:
    heard: list[tuple[str, str]] = []

    output = bench.misbehaving().call("log", Caller(log=lambda *line: heard.append(line)), lines=20_000).output

    assert output == "said"
    assert len(heard) == 5001
    assert heard[-1] == ("client", "more than 5,000 lines; the rest is not kept")


def test_requests_of_the_server_are_refused_and_heard(bench: Bench) -> None:
    heard: list[str] = []

    codes = bench.misbehaving().call("asks", Caller(log=lambda _, text: heard.append(text))).output

    assert codes == {"s": -32600, "r": -32600, "e": -32600}
    assert "the server asked for sampling/createMessage; refused" in heard
    assert "the server asked for elicitation/create; refused" in heard


def test_a_call_without_an_answer_ends_at_its_time_limit_and_the_server_is_told(bench: Bench) -> None:
    server = bench.misbehaving()
    with pytest.raises(CallFailure, match=r"within 0\.3 s") as caught:
        server.call("hang", timeout_s=0.3)

    assert caught.value.details["timeout_s"] == 0.3
    assert eventually(lambda: bench.sent("notifications/cancelled"))
    assert server.call("echo").output == "{}"
    assert len(bench.alive()) == 1


def test_progress_extends_the_time_limit(bench: Bench) -> None:
    assert bench.misbehaving().call("progress", timeout_s=0.5, steps=5, pause=0.25).output == "done"


def test_progress_extends_the_time_limit_ten_times_at_most(bench: Bench) -> None:
    with pytest.raises(CallFailure, match="did not send") as caught:
        bench.misbehaving().call("progress", timeout_s=0.2, pause=0.05, never=True)

    assert caught.value.details["timeout_s"] == 0.2


def test_a_cancelled_call_ends_and_the_server_is_told(bench: Bench) -> None:
    server, caller = bench.misbehaving(), Caller()
    server.call("echo")
    threading.Timer(0.2, caller.cancel.set).start()

    with pytest.raises(Cancelled) as caught:
        server.call("hang", caller)

    assert caught.value.details == {"cancelled": True}
    assert eventually(lambda: bench.sent("notifications/cancelled"))
    assert server.call("echo").output == "{}"
    assert len(bench.alive()) == 1


def test_calls_run_beside_each_other_on_one_server(bench: Bench) -> None:
    server, caller = bench.misbehaving(), Caller()
    server.call("echo")
    threads = [threading.Thread(target=_fails, args=(server, [], caller)) for _ in range(10)]
    for thread in threads:
        thread.start()

    assert eventually(lambda: bench.record.read_text("utf-8").count('"hang"') == 10)
    assert server.call("echo").output == "{}"
    assert len(bench.alive()) == 1

    caller.cancel.set()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize(
    ("tool", "words", "details"),
    [
        ("crash", "ended with exit code 7; its last words: about to fall over", {"exit_code": 7}),
        ("segfault", "was ended by SIGSEGV", {"signal": "SIGSEGV"}),
        ("close_stdout", "closed its output", {}),
        ("bad_utf8", "bytes that are not UTF-8", {}),
        ("endless_line", "a line longer than 4 MiB", {}),
    ],
)
def test_a_server_that_fails_in_a_call_says_why_and_the_next_call_works(
    bench: Bench, tool: str, words: str, details: dict[str, object]
) -> None:
    server = bench.misbehaving()
    with pytest.raises(CallFailure, match=words) as caught:
        server.call(tool)

    assert details.items() <= caught.value.details.items()
    assert server.call("echo", again=True).output == '{"again": true}'
    assert eventually(lambda: len(bench.alive()) == 1)


def test_a_server_that_is_killed_from_outside_says_so(bench: Bench) -> None:
    server, failures = bench.misbehaving(), list[McpFailure]()
    server.call("log")
    thread = threading.Thread(target=_fails, args=(server, failures))
    thread.start()
    assert eventually(lambda: bench.sent('"hang"'))
    os.kill(int(bench.alive()[0].rpartition("-")[2]), signal.SIGKILL)
    thread.join(10)

    assert failures[0].message == "the server was ended by SIGKILL; its last words: on stderr"
    assert failures[0].details == {"server": "desk", "signal": "SIGKILL", "stderr": ["on stderr"]}
    assert server.call("echo").output == "{}"


def test_the_error_of_a_dead_server_has_its_last_stderr_lines(bench: Bench) -> None:
    with pytest.raises(CallFailure) as caught:
        bench.misbehaving().call("crash", code=3)

    assert caught.value.details["stderr"][-1] == "about to fall over"


def test_a_call_is_sent_once_even_when_the_server_dies_of_it(bench: Bench) -> None:
    with pytest.raises(CallFailure):
        bench.misbehaving().call("crash")

    assert bench.record.read_text("utf-8").count('"tools/call"') == 1


def test_an_answer_over_the_limit_is_refused_with_the_limit(bench: Bench) -> None:
    server = bench.misbehaving()
    with pytest.raises(CallFailure, match="longer than 4 MiB"):
        server.call("big", size=50_000_000)

    assert len(server.call("big", size=3_000_000).output) == 3_000_000


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("null", "unreadable answer: its result is no object"),
        ("content", "unreadable answer: its content is no list"),
        ("nan", "unreadable answer: nan is no number of JSON"),
        ("deep", "unreadable answer: nested deeper than 100"),
        ("input", "asks for input during the call, which is not offered"),
    ],
)
def test_an_answer_that_is_no_result_fails_at_once(bench: Bench, kind: str, words: str) -> None:
    with pytest.raises(CallFailure, match=words):
        bench.misbehaving().call("odd_results", kind=kind)


@pytest.mark.parametrize(
    ("kind", "output"),
    [
        ("surrogate", "\ufffd!"),
        ("twice", "first"),
        ("other id", "mine"),
        ("string id", "mine"),
        ("noise", "after noise"),
    ],
)
def test_an_odd_answer_reaches_the_call_it_belongs_to(bench: Bench, kind: str, output: str) -> None:
    assert bench.misbehaving().call("odd_results", kind=kind).output == output


def test_arguments_that_are_no_unicode_fail_and_are_not_sent(bench: Bench) -> None:
    with pytest.raises(CallFailure, match="the arguments cannot be sent"):
        bench.misbehaving().call("echo", text="\ud800")

    assert not bench.sent('"tools/call"')


def test_a_stopped_server_fails_its_calls_and_starts_again_for_the_next(bench: Bench) -> None:
    server = bench.misbehaving()
    server.call("echo")
    failures: list[McpFailure] = []
    thread = threading.Thread(target=_fails, args=(server, failures))
    thread.start()
    assert eventually(lambda: bench.sent('"hang"'))

    bench.pool.stop([server.server.spec])
    thread.join(10)

    assert [failure.message for failure in failures] == ["the server was stopped"]
    assert server.call("echo").output == "{}"


def _fails(server: Used, failures: list[McpFailure], caller: Caller | None = None) -> None:
    try:
        server.call("hang", caller)
    except McpFailure as failure:
        failures.append(failure)
