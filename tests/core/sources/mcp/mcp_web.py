"""Web servers on 127.0.0.1 for the tests of the HTTP transports."""

from __future__ import annotations

import gzip
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BOMB = gzip.compress(b" " * (50 << 20))
WELLBEHAVED = Path(__file__).parent / "servers" / "wellbehaved.py"


@contextmanager
def wellbehaved(kind: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run the SDK's server over ``http`` or ``sse``; gives its URL and its process."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        process = start(kind, listening)
        url = f"{address(listening)}/{'sse' if kind == 'sse' else 'mcp'}"
    try:
        yield url, process
    finally:
        process.kill()
        process.wait()


def start(kind: str, listening: socket.socket) -> subprocess.Popen[bytes]:
    """Start the SDK's server on a socket that listens already, so that nobody need wait for it."""
    argv = [sys.executable, "-W", "ignore", str(WELLBEHAVED), kind, str(listening.fileno())]
    return subprocess.Popen(argv, pass_fds=[listening.fileno()], stderr=subprocess.DEVNULL)


def address(listening: socket.socket) -> str:
    """Return the base URL of ``listening``."""
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


class Hostile(BaseHTTPRequestHandler):
    """Misbehaves as the path says; ``seen`` holds path and headers of every request."""

    protocol_version = "HTTP/1.1"
    seen: list[tuple[str, dict[str, str]]] = []
    released = threading.Event()

    def log_message(self, *_: object) -> None:
        return

    def answer_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.seen.append((self.path, dict(self.headers)))
        number = json.loads(body or b"{}").get("id")
        way = self.path.strip("/").partition("/")[0]
        getattr(self, f"do_{way.replace('-', '_')}")(number)

    do_POST = do_GET = do_DELETE = answer_any  # noqa: N815 - the names that http.server calls

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"content_length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_landing(self, _: object) -> None:
        self.reply(200, b"{}", content_type="application/json")

    def do_redirect_away(self, _: object) -> None:
        self.reply(307, location=f"http://localhost:{self.server.server_port}/landing")

    def do_redirect_file(self, _: object) -> None:
        self.reply(307, location="file:///etc/passwd")

    def do_unauthorised(self, _: object) -> None:
        self.reply(401, b"<html>who are you</html>", content_type="text/html")

    def do_page(self, _: object) -> None:
        self.reply(200, b"<html>a page</html>", content_type="text/html")

    def do_bomb(self, _: object) -> None:
        self.reply(200, BOMB, content_type="application/json", content_encoding="gzip")

    def do_endless(self, _: object) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("connection", "close")
        self.end_headers()
        try:
            while not self.released.is_set():
                self.wfile.write(b" " * 65536)
        except OSError:
            return

    def do_silent(self, _: object) -> None:
        self.released.wait(30)

    def do_drip(self, _: object) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("connection", "close")
        self.end_headers()
        try:
            while not self.released.wait(0.05):
                self.wfile.write(b" ")
                self.wfile.flush()
        except OSError:
            return


@contextmanager
def hostile() -> Iterator[str]:
    """Run the hostile server; gives its base URL."""
    Hostile.seen.clear()
    Hostile.released.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        Hostile.released.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
