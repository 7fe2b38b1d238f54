"""A workspace for the commands: one server whose tools stand in a file, one custom tool, one that needs a yes."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from places import ROOT

DESK = ROOT / "tests/core/workspace/servers/desk.py"
READS: dict[str, Any] = {"annotations": {"readOnlyHint": True}, "description": "Reads."}
WRITES: dict[str, Any] = {"annotations": {"readOnlyHint": False}, "description": "Writes."}


class DeskWorkspace:
    """The folder, and the options that every command on it takes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root, self.state = folder, folder / "ws", folder / "state"
        self.listing, self.starts = folder / "listing.json", folder / "starts"
        self.lists({"echo": READS, "add": WRITES, "crash": READS})
        self.write("skills/office.yaml", self.skill("local/office", "desk", more="tools: [local/twice, local/risky]\n"))
        schema = "input_schema: {type: object, properties: {n: {type: integer}}, required: [n]}\n"
        head = "description: T.\nsource: custom\n"
        reads, asks = "capability: {read_only: true}\n", "capability: {writes: true, human_approval_required: true}\n"
        self.write(
            "tools/twice.yaml",
            f"name: local/twice\n{head}{reads}{schema}code: |\n  print('hi')\n  return 2 * arguments['n']\n",
        )
        self.write("tools/risky.yaml", f"name: local/risky\n{head}{asks}code: |\n  open('made', 'w').close()\n")

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def skill(self, name: str, server: str, *, more: str = "") -> str:
        entry = {"name": server, "command": sys.executable, "args": [str(DESK)], "legacy": True}
        env = {"LISTING": str(self.listing), "STARTS": str(self.starts)}
        return f"name: {name}\ndescription: D.\n{more}mcp_servers: [{json.dumps({**entry, 'env': env})}]\n"

    def lists(self, tools: Mapping[str, Any]) -> None:
        self.listing.write_text(json.dumps(tools), "utf-8")

    @property
    def options(self) -> tuple[str, ...]:
        return ("-w", str(self.root), "--state", str(self.state))

    @property
    def starts_made(self) -> int:
        return len(self.starts.read_text("utf-8").split()) if self.starts.exists() else 0
