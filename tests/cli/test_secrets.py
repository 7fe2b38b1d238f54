"""A secret in ``env`` or ``headers`` reaches its server and nothing else: no output, store, error or export has it."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from explorer.cli import main

DESK = ROOT / "tests/core/workspace/servers/desk.py"
WRITTEN, HOST, HEADER = "sk-written-Aa1%zz", "hosts-own-Bb2%yy", "bearer-Cc3%xx"
NUMBER = "20260117993311"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with secrets as written and of the host, and with faults right beside them."""
    monkeypatch.setenv("PLANTED", HOST)
    listing = tmp_path / "listing.json"
    tools = ("spill", "fail", "crash", "echo")
    listing.write_text(json.dumps({name: {"annotations": {"readOnlyHint": True}} for name in tools}), "utf-8")
    common = f"LISTING: {listing}"
    root = tmp_path / "ws"
    (root / "skills").mkdir(parents=True)
    (root / "skills/a.yaml").write_text(
        "name: local/a\ndescription: A.\ntools: [builtin/read_file, builtin/write_file]\nmcp_servers:\n"
        f"  - {{name: one, command: {sys.executable}, args: [{DESK}], legacy: true,"
        f' env: {{{common}, SECRET: "{WRITTEN}", TOKEN: {NUMBER}}}}}\n'
        f"  - {{name: two, command: {sys.executable}, args: [{DESK}], legacy: true,"
        f' env: {{{common}, SECRET: "${{PLANTED}}"}}}}\n'
        '  - {name: web, url: "http://127.0.0.1:9/mcp",'
        f' headers: {{Authorization: "Bearer {HEADER}", X: [{HEADER}]}}}}\n',
        "utf-8",
    )
    (root / "skills/b.yaml").write_text(
        f"name: local/b\ndescription: B.\nmcp_servers:\n  - name: x\n    command: y\n    env: {WRITTEN}\n", "utf-8"
    )
    (root / "skills/c.yaml").write_text(
        f"name: local/c\ndescription: C.\nmcp_servers:\n  - name: x\n    env: {{SECRET: {WRITTEN}\n", "utf-8"
    )
    (root / ".mcp.json").write_text(
        json.dumps({"mcpServers": {"file": {"command": "y", "env": {"T": WRITTEN}, "headers": [HEADER]}}}), "utf-8"
    )
    (root / "actors").mkdir()
    (root / "actors/x.yaml").write_text("name: local/x\nskills: [local/a]\n", "utf-8")
    return tmp_path


CALLS = [
    ["invoke", "local/a", f"{server}/{tool}", "--trust", "--yes", "--set", f"a={secret}"]
    for server, secret in (("one", WRITTEN), ("two", HOST))
    for tool in ("spill", "fail", "crash", "echo")
]
CALLS += [
    ["invoke", "local/a", "builtin/read_file", "--set", "path=skills/a.yaml"],
    ["invoke", "local/a", "builtin/write_file", "--set", "path=skills/a.yaml", "--set", "content=gone"],
    ["invoke", "local/a", "builtin/write_file", "--set", f"path={WRITTEN}", "--set", f"content={HOST}"],
]
COMMANDS = [
    *(["check", "--format", form] for form in ("text", "json", "sarif", "github")),
    ["check", "--fix", "--select", "yaml"],
    *(
        [*line, "--format", form]
        for line in (["list"], ["show", "local/a"], ["show", "local/b"])
        for form in ("text", "json")
    ),
    *(["graph", "--format", form] for form in ("text", "json", "mermaid", "dot")),
    ["tools", "local/a", "--discover", "--trust"],
    ["tools", "local/a", "--discover", "--trust", "--format", "json"],
    ["why", "local/a", "builtin/read_file", "--format", "json"],
    ["actor", "local/x", "--format", "json"],
    *CALLS,
    *([*call, "--format", "json"] for call in CALLS),
    ["register", "local/a", "local/b", "local/c"],
    ["registry", "show", "local/a", "--format", "json"],
    ["trust", "--yes"],
    ["refresh", "--format", "json"],
    ["registry", "show", "local/a", "--format", "json"],
    ["registry", "diff", "--discover"],
    ["trust", "--list", "--format", "json"],
    ["history"],
    ["history", "--format", "json"],
    ["history", "--replay", "1", "--trust", "--yes"],
    ["invoke", "local/a", "web/x", "--trust", "--yes"],
]


@pytest.fixture
def said(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """All that every command prints."""
    for words in COMMANDS:
        main([*words, "-w", str(folder / "ws"), "--state", str(folder / "state")])
    done = capsys.readouterr()
    return done.out + done.err


def test_no_command_prints_a_secret(said: str) -> None:
    secrets = (WRITTEN, HOST, HEADER, NUMBER)
    assert [line for line in said.splitlines() if any(secret in line for secret in secrets)] == []
    assert "••••••" in said


def test_nothing_that_is_kept_holds_a_secret(said: str, folder: Path) -> None:
    kept = {path: path.read_bytes() for path in (folder / "state").rglob("*") if path.is_file()}
    assert {path.name for path in kept} >= {"approvals.json", "history.sqlite", "registry.sqlite"}
    for path, content in kept.items():
        for secret in (WRITTEN, HOST, HEADER):
            assert secret.encode() not in content, path
    rows = sqlite3.connect(folder / "state/history.sqlite").execute("SELECT arguments, result FROM calls").fetchall()
    assert len(rows) == 2 * len(CALLS) + 2
    assert not any(secret in text for row in rows for text in row for secret in (WRITTEN, HOST))


def test_a_server_is_given_its_secrets_all_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the tests above would prove nothing: the masks in their output stand where the server said its secret."""
    from core.runtime.call import CallOptions
    from core.workspace import Workspace

    workspace = Workspace(folder / "ws", state=folder / "state")
    workspace.load()
    told: list[Any] = []
    for server in ("one", "two"):
        options = CallOptions(confirmed=True, approve=lambda _: True)
        told.append(workspace.invoke("local/a", f"{server}/spill", {}, options).result.output_data)
    workspace.close()
    assert told == ["••••••", "••••••"]


def test_the_text_of_a_file_is_shown_without_what_it_says_in_confidence(folder: Path) -> None:
    from core.workspace import Workspace

    workspace = Workspace(folder / "ws", state=folder / "state")
    workspace.load()
    for path in ("skills/a.yaml", "skills/b.yaml", "skills/c.yaml", ".mcp.json"):
        shown, text = workspace.shown_text_of(path), workspace.text_of(path)
        assert len(shown) == len(text)
        assert not any(secret in shown for secret in (WRITTEN, HEADER, NUMBER))
