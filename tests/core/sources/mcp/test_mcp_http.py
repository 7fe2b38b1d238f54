"""Streamable HTTP and SSE on 127.0.0.1: the same calls, and servers that mean harm."""

from __future__ import annotations

import random
import socket
import subprocess
import threading
from collections.abc import Iterator

import pytest
from mcp_bench import Bench, Used, eventually
from mcp_web import Hostile, address, hostile, start, wellbehaved

from core.sources.mcp.failures import CallFailure, Cancelled, ConnectFailure
from core.sources.mcp.servers import Caller

TRANSPORTS = {"http": "streamable-http", "sse": "sse"}
Running = tuple[str, str, "subprocess.Popen[bytes]"]


@pytest.fixture(scope="module", params=["http", "sse"])
def running(request: pytest.FixtureRequest) -> Iterator[Running]:
    with wellbehaved(request.param) as (url, process):
        yield TRANSPORTS[request.param], url, process


@pytest.fixture(params=[False, True], ids=["newest", "legacy"])
def server(bench: Bench, running: Running, request: pytest.FixtureRequest) -> Used:
    transport, url, _ = running
    headers = {"X-Desk": "planted-header-value-77"}
    return bench.server(url, transport=transport, legacy=request.param, headers=headers)


def test_tools_are_listed_with_their_annotations_and_schemas(server: Used) -> None:
    found = server.discover()

    add = next(tool for tool in found.tools if tool.name == "add")
    assert found.error is None
    assert (add.capability.read_only, add.capability.idempotent) == (True, True)
    assert add.annotations["title"] == "Add two numbers"
    assert add.output_schema is not None
    assert server.call("add", a=1, b=2).output == {"total": 3}


def test_the_newest_common_version_is_spoken(server: Used) -> None:
    assert server.discover().protocol == ("2025-11-25" if server.server.spec.legacy else "2026-07-28")


def test_progress_and_log_messages_are_heard(server: Used) -> None:
    steps: list[dict[str, object]] = []
    lines: list[tuple[str, str]] = []
    caller = Caller(progress=steps.append, log=lambda *line: lines.append(line))

    server.call("count", caller, steps=2)
    server.call("speak", caller)

    assert [step["message"] for step in steps] == ["step 1", "step 2"]
    assert eventually(lambda: ("server", "warning: the bell rings") in lines)


def test_that_a_call_was_cancelled_or_ran_out_of_time_reaches_the_server(server: Used) -> None:
    caller, seconds = Caller(), random.uniform(20, 30)
    server.call("add", a=1, b=1)
    threading.Timer(0.2, caller.cancel.set).start()
    with pytest.raises(Cancelled):
        server.call("wait", caller, seconds=seconds)
    with pytest.raises(CallFailure, match=r"within 0\.3 s"):
        server.call("wait", timeout_s=0.3, seconds=seconds)

    assert eventually(lambda: server.call("cut_short", seconds=seconds).output == {"result": 2})


def test_a_changed_listing_is_read_again(server: Used) -> None:
    server.discover()
    server.call("grow")

    assert eventually(lambda: "grown" in [tool.name for tool in server.discover().tools])


def test_headers_are_sent_and_never_shown(server: Used) -> None:
    output = server.call("header", name="x-desk").output

    assert output["result"] == "••••••"


def test_an_answer_over_the_limit_is_refused_with_the_limit_and_the_next_call_works(server: Used) -> None:
    with pytest.raises(CallFailure, match=r"larger than \d MiB|4194304 byte limit"):
        server.call("large", size=6_000_000)

    assert server.call("add", a=2, b=2).output == {"total": 4}


@pytest.mark.parametrize("kind", ["http", "sse"])
def test_a_server_that_is_killed_in_a_call_fails_it_and_later_ones_say_that_it_is_gone(bench: Bench, kind: str) -> None:
    with wellbehaved(kind) as (url, process):
        server = bench.server(url, transport=TRANSPORTS[kind])
        server.call("add", a=1, b=1)
        threading.Timer(0.3, process.kill).start()
        with pytest.raises(CallFailure, match=r"ended|broke"):
            server.call("wait", seconds=30)
        process.wait()

        with pytest.raises((CallFailure, ConnectFailure), match="the server cannot be reached"):
            server.call("add", a=1, b=1)


def test_a_restarted_server_that_has_forgotten_the_session_is_connected_anew(bench: Bench) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        first = start("http", listening)
        server = bench.server(f"{address(listening)}/mcp", legacy=True)
        server.call("add", a=1, b=1)
        first.kill()
        first.wait()
        second = start("http", listening)
        try:
            with pytest.raises(CallFailure, match=r"(?i)session"):
                server.call("add", a=1, b=1)
            assert server.call("add", a=1, b=2).output == {"total": 3}
        finally:
            second.kill()
            second.wait()


def test_nobody_at_the_address_is_told(bench: Bench) -> None:
    for transport in TRANSPORTS.values():
        with pytest.raises(ConnectFailure, match=r"cannot be reached \(ConnectError"):
            bench.server("http://127.0.0.1:1/mcp", transport=transport).call("add")


@pytest.fixture
def evil() -> Iterator[str]:
    with hostile() as url:
        yield url


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("redirect-away", "Redirect to http://localhost"),
        ("redirect-file", "Redirect to file"),
        ("unauthorised", "HTTP 401 Unauthorized"),
        ("page", "Unexpected content type: text/html"),
        ("bomb", "compressed answer"),
        ("endless", "larger than 4 MiB"),
        ("silent", "no answer within 1 s"),
        ("drip", "no answer within 1 s"),
    ],
)
def test_a_hostile_web_server_is_refused_in_bounded_time(bench: Bench, evil: str, way: str, words: str) -> None:
    with pytest.raises(ConnectFailure, match=words):
        bench.server(f"{evil}/{way}", timeout=1, headers={"Authorization": "Bearer planted-bearer-1"}).call("add")

    assert not [path for path, _ in Hostile.seen if path.startswith("/landing")]


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("redirect-away", "307"),
        ("unauthorised", "401"),
        ("silent", "no answer within 1 s"),
    ],
)
def test_a_hostile_event_stream_is_refused_in_bounded_time(bench: Bench, evil: str, way: str, words: str) -> None:
    with pytest.raises(ConnectFailure, match=words):
        bench.server(f"{evil}/{way}", transport="sse", timeout=1).call("add")

    assert not [path for path, _ in Hostile.seen if path.startswith("/landing")]


def test_a_url_that_looks_like_the_other_transport_says_so(bench: Bench, evil: str) -> None:
    with pytest.raises(ConnectFailure, match="looks like one for `transport: sse`"):
        bench.server(f"{evil}/unauthorised/sse", transport="streamable-http").call("add")
