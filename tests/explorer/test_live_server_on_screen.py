"""A real MCP server from the screen: discovered after a yes, its tool tried, and nothing of it left."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from pty_driver import Terminal, running

SERVER = {"name": "time", "command": sys.executable, "args": ["-m", "mcp_server_time", "--local-timezone=UTC"]}
TREE = {"skills/clock.yaml": f"name: local/clock\ndescription: Tells the time.\nmcp_servers: [{json.dumps(SERVER)}]\n"}


def answer(terminal: Terminal) -> None:
    """Choose `Run once`: one to the right of Cancel, where the focus starts."""
    terminal.until("Run once")
    terminal.type("\x1b[C")
    terminal.pump(0.3)
    terminal.type(" ")


def servers(root: Path) -> list[int]:
    """Return the processes that work in the workspace."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{name}/cwd") == str(root):
                found.append(int(name))
        except OSError:
            continue
    return found


def test_the_time_server_is_discovered_and_called(make_workspace, tmp_path: Path) -> None:
    root = make_workspace(TREE)
    with running("open", str(root), "--state", str(tmp_path / "s"), size=(150, 45)) as terminal:
        terminal.until("Tells the time.")
        terminal.type("d")
        terminal.until("MCP server time")
        assert servers(root) == []
        answer(terminal)
        terminal.until("2 in all")
        terminal.type("2")
        terminal.until("time/get_current_time")
        terminal.until("time/convert_time")
        assert servers(root) != []
        terminal.type("q")
        assert terminal.ended() == 0
    assert servers(root) == []


def test_a_no_starts_nothing(make_workspace, tmp_path: Path) -> None:
    root = make_workspace(TREE)
    with running("open", str(root), "--state", str(tmp_path / "s"), size=(150, 45)) as terminal:
        terminal.until("Tells the time.")
        terminal.type("d")
        terminal.until("Run once")
        terminal.type("\r")
        terminal.until("not approved")
        assert servers(root) == []
        terminal.type("q")
        assert terminal.ended() == 0
