"""A secret of ``env`` or ``headers`` never reaches a terminal: in no dialog, result, error, log, source or history."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from pty_driver import running

DESK = Path(__file__).parents[1] / "core/workspace/servers/desk.py"
WRITTEN, HOST, HEADER = "sk-Aa1%zz", "hh-Bb2%yy", "br-Cc3%xx"
MASK = "••••••"
CONTROL = re.compile(rb"\x1b(\[[0-9;?<>=$]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][A-Z0-9]|[=>])")
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]


class Talkative(BaseHTTPRequestHandler):
    """An MCP server over HTTP whose one tool fails with the secret that it was sent."""

    def log_message(self, *_: object) -> None:
        return

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        said = self.headers.get("Authorization", "nothing")
        results = {
            "initialize": {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": f"web {said}", "version": "1"},
            },
            "tools/list": {"tools": [{"name": "tell", "description": said, "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": f"told {said}"}], "isError": True},
        }
        answer = {"jsonrpc": "2.0", "id": asked.get("id"), "result": results.get(asked["method"], {})}
        body = json.dumps(answer).encode() if "id" in asked else b""
        self.send_response(200 if body else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def url() -> Iterator[str]:
    """The address of a talkative server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Talkative)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/mcp"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def root(make_workspace: MakeWorkspace, tmp_path: Path, url: str) -> Path:
    """A workspace whose servers are given a secret as written, one of the host, and one in a header."""
    listing = tmp_path / "listing.json"
    listing.write_text(json.dumps({name: {"annotations": {"readOnlyHint": True}} for name in ("spill", "crash")}))
    desk = {"command": sys.executable, "args": [str(DESK)], "legacy": True}
    servers = [
        {"name": "one", **desk, "env": {"LISTING": str(listing), "SECRET": WRITTEN}},
        {"name": "two", **desk, "env": {"LISTING": str(listing), "SECRET": "${PLANTED}"}},
        {"name": "web", "url": url, "headers": {"Authorization": f"Bearer {HEADER}"}, "legacy": True},
    ]
    skill = {"name": "local/a", "description": "Tells secrets.", "mcp_servers": servers}
    return make_workspace({"skills/a.yaml": json.dumps(skill, indent=1)})


WALK = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from app_driver import Driver
from explorer.app import ExplorerApp
from explorer.messages import TryTool
from explorer.screens.confirm import ConfirmScreen

root, state = map(Path, sys.argv[1:])
app = ExplorerApp(root, state=state)

async def walk(pilot):
    driver = Driver(app, pilot)
    shows = lambda text: driver.until(lambda: bool(driver.lines(text)), text)
    await driver.until(lambda: not driver.main.reading, "the workspace")
    driver.main.skill_tree.reveal("local/a")
    await driver.quiet()
    await pilot.press("d")
    await shows("These 3 would run")
    for server in ("one", "two", "web"):
        await shows(f"MCP server {{server}}")
        await pilot.press("pagedown")
    await pilot.press("end", "right", "right", "space")
    await driver.until(lambda: not driver.main.busy, "the answers")
    for tool, outcome in (
        ("one/spill", "succeeded"), ("two/spill", "succeeded"), ("web/tell", "told"), ("one/crash", "falls over")
    ):
        driver.main.post_message(TryTool("local/a", tool))
        await driver.quiet()
        await pilot.press("ctrl+r")
        await shows(outcome)
        await pilot.press("l")
        await shows("deactivate")
        await driver.press("escape")
    for tab in "1246":
        await driver.press(tab)
    app.exit(0)

app.run(auto_pilot=walk)
print("walked" if app.return_code == 0 else "failed")
"""


def test_no_secret_reaches_the_terminal(root: Path, tmp_path: Path) -> None:
    state = tmp_path / "s"
    with running(str(root), str(state), size=(150, 45), script=WALK, PLANTED=HOST) as terminal:
        assert terminal.ended() == 0, terminal.text
        plain = CONTROL.sub(b"", terminal.written)
        assert b"walked" in plain, terminal.text
        assert MASK.encode() in plain
        for secret in (WRITTEN, HOST, HEADER):
            assert secret.encode() not in terminal.written + plain
    kept = [path.read_bytes() for path in state.rglob("*") if path.is_file()]
    assert kept
    assert not [secret for secret in (WRITTEN, HOST, HEADER) if any(secret.encode() in content for content in kept)]
