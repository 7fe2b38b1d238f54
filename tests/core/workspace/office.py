"""A workspace whose skills use real servers and real tools, and bounded waits for what happens beside the calls."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from core.runtime.call import CallEvent, CallOptions, CallOutcome, ExecutionIdentity
from core.workspace import Workspace

DESK = Path(__file__).parent / "servers" / "desk.py"
SKILL = "local/office"
READS: dict[str, Any] = {"annotations": {"readOnlyHint": True}}
EVERY_TOOL = dict.fromkeys(("echo", "hang", "crash", "announce", "fail", "spill"), READS)


class Office:
    """One folder of skills, the state of its user, and what its server lists."""

    def __init__(self, folder: Path) -> None:
        self.root, self.state = folder / "office", folder / "state"
        self.listing, self.starts = folder / "listing.json", folder / "starts"
        self.asked: list[ExecutionIdentity] = []
        self.root.mkdir()
        self.lists(EVERY_TOOL)
        self.opened: list[Workspace] = []

    def write(self, path: str, content: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
        return file

    def lists(self, tools: Mapping[str, Any]) -> None:
        """Have the server list ``tools`` from now on."""
        fresh = self.listing.with_suffix(".new")
        fresh.write_text(json.dumps(tools), "utf-8")
        fresh.replace(self.listing)

    def server(self, name: str = "desk", env: Mapping[str, str] | None = None, **fields: Any) -> dict[str, Any]:
        """Return the entry of a skill's ``mcp_servers``."""
        given = {"LISTING": str(self.listing), "STARTS": str(self.starts), **(env or {})}
        return {
            "name": name,
            "command": sys.executable,
            "args": [str(DESK)],
            "env": given,
            "legacy": True,
            "timeout": 20,
            **fields,
        }

    def skill(self, name: str = SKILL, **fields: Any) -> None:
        """Write a skill; by default one whose only source is the server, with no allow-list."""
        model = {"name": name, "description": "A skill of the tests.", **(fields or {"mcp_servers": [self.server()]})}
        self.write(f"skills/{name.partition('/')[2]}.yaml", yaml.safe_dump(model, sort_keys=False))

    def custom(self, name: str, code: str, flags: str = "{read_only: true}") -> str:
        """Write a custom tool and return its name."""
        body = "".join(f"  {line}\n" for line in code.splitlines())
        head = f"name: local/{name}\ndescription: A tool of the tests.\nsource: custom\ncapability: {flags}\n"
        self.write(f"tools/{name}.yaml", f"{head}timeout: 30\ncode: |\n{body}")
        return f"local/{name}"

    def open(self) -> Workspace:
        """Open and load the workspace; it is closed after the test."""
        workspace = Workspace(self.root, state=self.state)
        workspace.load()
        self.opened.append(workspace)
        return workspace

    def approve(self, identity: ExecutionIdentity) -> bool:
        self.asked.append(identity)
        return True

    def call(
        self,
        workspace: Workspace,
        tool: str,
        arguments: Any = None,
        *,
        skill: str = SKILL,
        hear: Callable[[CallEvent], None] | None = None,
        cancel: threading.Event | None = None,
        **options: Any,
    ) -> CallOutcome:
        """Call with every consent, unless ``options`` say otherwise."""
        chosen = CallOptions(**{"approve": self.approve, "confirmed": True, **options})
        return workspace.invoke(skill, tool, arguments or {}, chosen, hear, cancel)

    @property
    def started(self) -> list[int]:
        """The process numbers of the servers that were ever started."""
        return [int(line) for line in self.starts.read_text("utf-8").split()] if self.starts.exists() else []

    @property
    def alive(self) -> list[int]:
        """Those that still run."""
        return [pid for pid in self.started if runs(pid)]

    @property
    def copies(self) -> list[str]:
        """The copies of the workspace that still lie in the state folder."""
        scratch = self.state / "scratch"
        return sorted(path.name for path in scratch.iterdir()) if scratch.exists() else []

    def close(self) -> None:
        for workspace in self.opened:
            workspace.close()


class Calling(threading.Thread):
    """A call in a thread of its own; ``said`` holds the log lines heard so far."""

    def __init__(self, office: Office, workspace: Workspace, tool: str, arguments: Any = None, **options: Any) -> None:
        super().__init__(daemon=True)
        self._call = lambda: office.call(
            workspace, tool, arguments, hear=self.heard.append, cancel=self.cancel, **options
        )
        self.heard: list[CallEvent] = []
        self.cancel = threading.Event()
        self.outcome: CallOutcome | None = None
        self.start()

    def run(self) -> None:
        self.outcome = self._call()

    def says(self, text: str) -> bool:
        return any(text in event.text for event in self.heard)

    def result(self) -> Any:
        """Return the result, waited for."""
        self.join(30)
        assert self.outcome is not None, "the call never ended"
        return self.outcome.result


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def eventually(condition: Callable[[], object], seconds: float = 20.0) -> bool:
    """Whether ``condition`` comes true in time."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        threading.Event().wait(0.01)
    return True


def error_of(outcome: CallOutcome) -> Any:
    """Return the error of a failed call."""
    assert outcome.result.error is not None, outcome.result
    return outcome.result.error
