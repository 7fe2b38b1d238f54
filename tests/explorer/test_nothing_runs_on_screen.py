"""Opening, browsing and leaving a workspace that nobody trusts runs and writes nothing of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from hostile import build, snapshot
from places import ROOT
from pty_driver import running

AUDITED = f"import sys; sys.path.append({str(ROOT / 'tests')!r}); from audit import main; sys.exit(main())"
KEYS = (
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "\t",
    "j",
    "j",
    "j",
    "t",
    "\x1b",
    "g",
    "w",
    "\x1b",
    "p",
    "n",
    "N",
    "/",
    "tool",
    "\r",
)


def test_every_view_of_a_hostile_workspace_starts_and_writes_nothing(tmp_path: Path) -> None:
    hostile, state, report = build(tmp_path), tmp_path / "state", tmp_path / "report"
    outside = [tmp_path, Path(os.environ["HOME"])]
    before = snapshot(outside, [state, report])
    arguments = (str(report), str(hostile.root), "--", "open", str(hostile.root), "--state", str(state))
    careless = {"PATH": f":.:{hostile.root}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}

    with running(*arguments, script=AUDITED, size=(140, 40), **careless) as terminal:
        terminal.until("local")
        terminal.until("tools")
        for keys in KEYS:
            terminal.type(keys)
            for _ in range(6):
                terminal.pump()
        terminal.type("\x11")
        status = terminal.ended()

    events = [json.loads(line) for line in report.read_text("utf-8").splitlines()]
    own = f"{state}{os.sep}"
    writes = [e for e in events if e["kind"] == "write" and not e["what"].startswith((own, os.devnull, "/dev/tty"))]
    assert status == 0
    assert [e for e in events if e["kind"] in ("process", "network", "code")] == []
    assert [e for e in writes if e["what"] != str(state)] == []
    assert snapshot(outside, [state, report]) == before
    assert not hostile.canary.exists()
