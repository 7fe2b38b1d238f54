"""The sample workspace and a real MCP server through the commands, as a newcomer would try them."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from places import SAMPLE

Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def sample(tmp_path: Path) -> tuple[str, ...]:
    """The options that name a copy of the sample."""
    root = shutil.copytree(SAMPLE, tmp_path / "sample", symlinks=True)
    return ("-w", str(root), "--state", str(tmp_path / "state"))


def test_the_samples_servers_are_discovered_with_their_annotated_flags(sample: tuple[str, ...], ask: Ask) -> None:
    status, found = ask("tools", "local/release-desk", "--discover", "--trust", *sample)
    flags = {t["name"]: t["capability"] for t in found["tools"] if t["source"] == "mcp:notes"}
    assert status == 0
    assert {name: flag["read_only"] for name, flag in flags.items()} == {
        "notes/list_notes": True,
        "notes/search_notes": True,
        "notes/add_note": False,
    }


def test_a_tool_of_the_samples_server_is_called(sample: tuple[str, ...], ask: Ask) -> None:
    status, result = ask("invoke", "local/notes", "notes/list_notes", "--trust", *sample)
    assert (status, len(result["output_data"]["notes"])) == (0, 3)


def test_the_time_server_without_an_allow_list_is_called_at_once(tmp_path: Path, make_workspace: Any, ask: Ask) -> None:
    server = {"name": "time", "command": sys.executable, "args": ["-m", "mcp_server_time", "--local-timezone=UTC"]}
    text = f"name: local/clock\ndescription: C.\nmcp_servers: [{json.dumps(server)}]\n"
    where = ("-w", str(make_workspace({"skills/clock.yaml": text})), "--state", str(tmp_path / "state"))
    call = ("invoke", "local/clock", "time/get_current_time", "--set", "timezone=UTC")
    assert ask(*call, *where)[1]["error"]["error_type"] == "permission_denied"
    status, result = ask(*call, "--trust", *where)
    assert status == 0
    assert "UTC" in json.dumps(result["output_data"])
