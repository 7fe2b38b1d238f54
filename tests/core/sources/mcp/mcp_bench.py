"""Real servers under a real pool, and bounded waits for what happens beside the calls."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.model import SkillMcpSource
from core.model.discovery import DiscoveredServer
from core.sources.mcp.identity import server_digest
from core.sources.mcp.pool import ServerPool
from core.sources.mcp.requests import Reply
from core.sources.mcp.servers import Approved, Caller
from core.sources.mcp.spec import read_spec

SERVERS = Path(__file__).parent / "servers"


@dataclass
class Used:
    """One server in use: what a test asks of it."""

    pool: ServerPool
    server: Approved

    def discover(self, caller: Caller | None = None) -> DiscoveredServer:
        return self.pool.discover(self.server, caller)

    def call(self, tool: str, caller: Caller | None = None, timeout_s: float = 20, **arguments: Any) -> Reply:
        return self.pool.call(self.server, tool, arguments, timeout_s, caller or Caller())


class Bench:
    """Makes servers of one workspace, all in one pool."""

    def __init__(self, root: Path, pool: ServerPool, environ: dict[str, str]) -> None:
        self.root = root
        self.pool = pool
        self.environ = environ
        self.pids = root.parent / "pids"
        self.record = root.parent / "record"

    def server(self, command: str, label: str = "desk", **fields: Any) -> Used:
        model = SkillMcpSource(server=command, **{"timeout": 20, **fields})
        spec = read_spec(label, model, self.root, self.environ)
        return Used(self.pool, Approved(spec, server_digest(spec)))

    def misbehaving(self, mode: str = "plain", *options: str, env: dict[str, str] | None = None, **fields: Any) -> Used:
        words = [sys.executable, str(SERVERS / "misbehaving.py"), mode, *options]
        given = {"RECORD": str(self.record), "PIDS": str(self.pids), **(env or {})}
        return self.server(shlex.join(words), env=given, **{"legacy": True, **fields})

    def alive(self) -> list[str]:
        """Return the processes that left their number and still run."""
        return [path.name for path in self.pids.iterdir() if _runs(path.name.rpartition("-")[2])]

    def sent(self, text: str) -> bool:
        """Whether the server was sent a line with ``text`` in it."""
        return self.record.exists() and text in self.record.read_text("utf-8")


def _runs(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def eventually(condition: Callable[[], object], seconds: float = 10.0) -> bool:
    """Whether ``condition`` comes true in time."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True
