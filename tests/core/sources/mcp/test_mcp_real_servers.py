"""Servers that other people wrote, and the one of the sample workspace."""

from __future__ import annotations

import shlex
import shutil
import sys
import threading
from pathlib import Path

import pytest
from mcp_bench import SERVERS, Bench, eventually

from core.sources.mcp.failures import CallFailure, Cancelled
from core.sources.mcp.servers import Caller

SAMPLE = Path(__file__).parents[4] / "sample_workspace"


def test_the_time_server_lists_and_answers(bench: Bench) -> None:
    server = bench.server(shlex.join([sys.executable, "-m", "mcp_server_time", "--local-timezone=UTC"]), timeout=60)
    found = server.discover()

    assert [tool.name for tool in found.tools] == ["get_current_time", "convert_time"]
    assert all(tool.capability.read_only and tool.problem is None for tool in found.tools)
    assert found.protocol == "2026-07-28"
    output = server.call("convert_time", source_timezone="UTC", time="12:00", target_timezone="Asia/Tokyo").output
    assert output["time_difference"] == "+9.0h"
    with pytest.raises(CallFailure, match="Invalid timezone"):
        server.call("get_current_time", timezone="Nowhere")


def test_a_server_on_the_newest_protocol_over_stdio_is_cancelled_and_heard(bench: Bench) -> None:
    heard: list[tuple[str, str]] = []
    server, caller = bench.server(shlex.join([sys.executable, str(SERVERS / "wellbehaved.py")])), Caller()
    assert server.discover().protocol == "2026-07-28"
    threading.Timer(0.2, caller.cancel.set).start()
    with pytest.raises(Cancelled):
        server.call("wait", caller, seconds=25)

    server.call("speak", Caller(log=lambda *line: heard.append(line)))
    server.call("grow")
    assert eventually(lambda: server.call("cut_short", seconds=25).output == {"result": 1})
    assert eventually(lambda: ("server", "warning: the bell rings") in heard)
    assert eventually(lambda: "grown" in [tool.name for tool in server.discover().tools])


@pytest.fixture
def notes(bench: Bench, tmp_path: Path) -> Path:
    """A copy of the sample's notes desk, so that nothing is added to the sample."""
    for folder in ("servers", "notes"):
        shutil.copytree(SAMPLE / folder, bench.root / folder)
    return bench.root / "notes"


def test_the_samples_notes_are_listed_searched_and_added_to(bench: Bench, notes: Path) -> None:
    server = bench.server("python3 servers/notes_server.py", label="notes")
    steps: list[dict[str, object]] = []
    found = {tool.name: tool for tool in server.discover().tools}

    assert list(found) == ["list_notes", "search_notes", "add_note"]
    assert (found["add_note"].capability.writes, found["add_note"].annotations["destructiveHint"]) == (True, False)
    assert found["search_notes"].output_schema is not None
    before = server.call("list_notes").output["notes"]
    added = server.call("add_note", title="Zebra crossing!", text="A stripe.", tags=["test"]).output
    assert added == {"name": "zebra-crossing"}
    assert (notes / "zebra-crossing.md").read_text("utf-8") == "# Zebra crossing!\ntags: test\n\nA stripe.\n"
    matches = server.call("search_notes", Caller(progress=steps.append), query="STRIPE").output
    assert [(match["name"], match["line"]) for match in matches["matches"]] == [("zebra-crossing", 4)]
    assert len(steps) == len(before) + 1
    with pytest.raises(CallFailure, match="already"):
        server.call("add_note", title="Zebra crossing", text="again")


@pytest.mark.skipif(shutil.which("mcp-server-everything") is None, reason="mcp-server-everything is not installed")
def test_the_everything_server_gives_every_kind_of_content(bench: Bench) -> None:
    server = bench.server("mcp-server-everything", timeout=60)
    names = {tool.name for tool in server.discover().tools}

    assert "echo" in names
    assert server.call("echo", message="hello").output == "Echo: hello"


@pytest.mark.skipif(shutil.which("mcp-server-filesystem") is None, reason="mcp-server-filesystem is not installed")
def test_the_filesystem_server_marks_what_writes(bench: Bench) -> None:
    (bench.root / "a.txt").write_text("content", "utf-8")
    server = bench.server(shlex.join(["mcp-server-filesystem", str(bench.root)]), timeout=60)
    found = {tool.name: tool for tool in server.discover().tools}

    assert found["read_text_file"].capability.read_only
    assert found["write_file"].capability.writes
    assert server.call("read_text_file", path=str(bench.root / "a.txt")).output == {"content": "content"}
