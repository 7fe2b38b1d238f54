"""A stdio server of the handshake versions that misbehaves on request; standard library alone.

The first argument says how it starts and lists (``plain`` for neither); each tool is a way to misbehave in a call.
RECORD names a file for the lines it is sent, PIDS a folder in which it and its children leave their numbers.
"""

from __future__ import annotations

import base64
import html
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote, quote_plus

MODE, *OPTIONS = sys.argv[1:] or ["plain"]
OBJECT = {"type": "object"}


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def send(**message: object) -> None:
    write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def answer(number: object, result: object) -> None:
    send(id=number, result=result)


def fail(number: object, code: int, text: str, data: object = None) -> None:
    error = {"code": code, "message": text} | ({"data": data} if data is not None else {})
    send(id=number, error=error)


def text_result(text: str) -> dict[str, object]:
    return {"content": [{"type": "text", "text": text}]}


def leave_pid(name: str, pid: int) -> None:
    if folder := os.environ.get("PIDS"):
        Path(folder, f"{name}-{pid}").touch()


def tool(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "description": f"Does {name}.", "inputSchema": OBJECT, **more}


# ---------------------------------------------------------------- in a call


def echo(number: object, arguments: dict[str, object]) -> None:
    answer(number, text_result(json.dumps(arguments)))


def structured(number: object, arguments: dict[str, object]) -> None:
    answer(number, {**text_result("shadowed"), "structuredContent": arguments})


def blocks(number: object, _: dict[str, object]) -> None:
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    link = {"type": "resource_link", "uri": "file:///x", "name": "x"}
    answer(number, {"content": [{"type": "text", "text": "one"}, image, link, {"type": "hologram", "x": 1}]})


def crash(_: object, arguments: dict[str, object]) -> None:
    print("about to fall over", file=sys.stderr, flush=True)
    os._exit(int(arguments.get("code", 7)))


def segfault(_: object, __: dict[str, object]) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def close_stdout(_: object, __: dict[str, object]) -> None:
    os.close(1)
    time.sleep(60)


def hang(_: object, __: dict[str, object]) -> None:
    return


def big(number: object, arguments: dict[str, object]) -> None:
    answer(number, text_result("A" * int(arguments["size"])))


def is_error(number: object, _: dict[str, object]) -> None:
    answer(number, {**text_result("the disk is full"), "isError": True})


def rpc_error(number: object, _: dict[str, object]) -> None:
    fail(number, -32050, "no such ticket", {"ticket": 7})


def closed_code(number: object, _: dict[str, object]) -> None:
    fail(number, -32000, "licence expired")


def progress(number: object, arguments: dict[str, object]) -> None:
    """Report ``steps`` times, every ``pause`` seconds, then answer or, with ``never``, go on for ever."""

    def report() -> None:
        step = 0
        while arguments.get("never") or step < int(arguments.get("steps", 3)):
            step += 1
            params = {"progressToken": number, "progress": step, "total": 3, "message": f"step {step}"}
            send(method="notifications/progress", params=params)
            time.sleep(float(arguments.get("pause", 0)))
        answer(number, text_result("done"))

    threading.Thread(target=report, daemon=True).start()


def log(number: object, arguments: dict[str, object]) -> None:
    for index in range(int(arguments.get("lines", 1))):
        send(method="notifications/message", params={"level": "warning", "logger": "disk", "data": f"line {index}"})
    print("on stderr", file=sys.stderr, flush=True)
    write("on stdout\n")
    answer(number, text_result("said"))


def bad_utf8(_: object, __: dict[str, object]) -> None:
    sys.stdout.buffer.write(b"\xff\xfe\n")
    sys.stdout.flush()


def endless_line(_: object, __: dict[str, object]) -> None:
    try:
        for _index in range(1024):
            write("x" * 65536)
    except BrokenPipeError:
        os._exit(0)


def odd_results(number: object, arguments: dict[str, object]) -> None:
    kind = arguments["kind"]
    if kind == "null":
        send(id=number, result=None)
    elif kind == "content":
        answer(number, {"content": "text"})
    elif kind == "nan":
        answer(number, {"content": [], "structuredContent": {"x": float("nan")}})
    elif kind == "surrogate":
        answer(number, text_result("\ud800!"))
    elif kind == "deep":
        nest: list[object] = []
        for _ in range(400):
            nest = [nest]
        answer(number, {"content": [], "structuredContent": {"x": nest}})
    elif kind == "twice":
        answer(number, text_result("first"))
        answer(number, text_result("second"))
    elif kind == "other id":
        answer(999_999, text_result("for somebody else"))
        answer(number, text_result("mine"))
    elif kind == "string id":
        answer(str(number), text_result("mine"))
    elif kind == "noise":
        write("printing to stdout\n[1,2]\nnull\n" + "[" * 200_000 + "\n")
        answer(number, text_result("after noise"))
    elif kind == "input":
        answer(number, {"resultType": "input_required", "inputRequests": {}})


def asks(number: object, _: dict[str, object]) -> None:
    """Ask for everything a server may ask for, and answer with the error codes that came back."""
    sampling = {"messages": [], "maxTokens": 1}
    form = {"message": "Your password?", "requestedSchema": {"type": "object", "properties": {}}}
    send(id="s", method="sampling/createMessage", params=sampling)
    send(id="r", method="roots/list")
    send(id="e", method="elicitation/create", params=form)
    codes = {}
    while len(codes) < 3:
        reply = json.loads(sys.stdin.readline())
        codes[reply["id"]] = reply.get("error", {}).get("code", reply.get("result"))
    answer(number, {"content": [], "structuredContent": codes})


def children(number: object, _: dict[str, object]) -> None:
    """Start a child, one that left its session, and one that was orphaned on purpose; none of them heeds signals."""
    code = "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; time.sleep(60)"
    argv = [sys.executable, "-c", code]
    quiet = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    leave_pid("child", subprocess.Popen(argv, **quiet).pid)
    leave_pid("session", subprocess.Popen(argv, start_new_session=True, **quiet).pid)
    middle = os.fork()
    if middle == 0:
        os.setsid()
        leave_pid("orphan", subprocess.Popen(argv, start_new_session=True, **quiet).pid)
        os._exit(0)
    os.waitpid(middle, 0)
    answer(number, text_result("started"))


def environment(number: object, _: dict[str, object]) -> None:
    answer(number, {"content": [], "structuredContent": dict(os.environ)})


def spill(number: object, arguments: dict[str, object]) -> None:
    """Say a variable everywhere a server can."""
    secret = os.environ[str(arguments["name"])]
    print(f"stderr {secret}", file=sys.stderr, flush=True)
    write(f"noise {secret}\n")
    send(method="notifications/message", params={"level": "info", "data": {"said": secret}})
    send(method="notifications/progress", params={"progressToken": number, "progress": 1, "message": secret})
    how = arguments.get("how")
    if how == "error":
        answer(number, {**text_result(f"bad key {secret}"), "isError": True})
    elif how == "rpc":
        fail(number, -32051, f"bad key {secret}", {"key": secret})
    elif how == "crash":
        os._exit(9)
    elif how == "encoded":
        answer(number, {"content": [], "structuredContent": {"forms": encoded(secret)}})
    elif how == "slowly":
        for part in (f"begins {secret[:4]}", secret[4:], "\n", "x" * 1995 + secret + "\n"):
            sys.stderr.write(part)
            sys.stderr.flush()
        answer(number, text_result("done"))
    else:
        answer(number, {"content": [], "structuredContent": {secret: [f"<{secret}>"]}})


def encoded(secret: str) -> list[str]:
    """Return the forms that programs write values in, the value inside of a longer text among them."""
    raw = secret.encode()
    mixed = [base64.b64encode(head + raw + tail).decode() for head in (b"", b"u", b"u:") for tail in (b"", b":z")]
    escaped = [json.dumps(secret), json.dumps(json.dumps(secret)), repr(secret), html.escape(secret)]
    return [*mixed, *escaped, raw.hex(), raw.hex().upper(), quote(secret, safe=""), quote_plus(secret)]


CALLS = (
    *(echo, structured, blocks, crash, segfault, close_stdout, hang, big, is_error, rpc_error, closed_code, progress),
    *(log, bad_utf8, endless_line, odd_results, asks, children, environment, spill),
)
TOOLS = {call.__name__: call for call in CALLS}


# ---------------------------------------------------------------- while listing


def page(number: object, params: dict[str, object]) -> dict[str, object]:
    at = int(params.get("cursor") or 0)
    if MODE == "pages":
        return {"tools": [tool(f"p{at}")]} | ({"nextCursor": str(at + 1)} if at < 2 else {})
    if MODE == "endless-pages":
        return {"tools": [tool(f"p{at}")], "nextCursor": str(at + 1)}
    if MODE == "same-cursor":
        return {"tools": [tool("again")], "nextCursor": "1"}
    if MODE == "late-page-fails" and at == 1:
        fail(number, -32603, "page lost")
        return {}
    if MODE == "late-page-fails":
        return {"tools": [tool("kept")], "nextCursor": "1"}
    if MODE == "malformed":
        return {"tools": MALFORMED}
    if MODE == "annotated":
        return {"tools": ANNOTATED}
    if MODE == "no-list":
        return {"tools": {"a": 1}}
    if MODE == "changing":
        return {"tools": [tool("rev", description=f"rev {time.monotonic_ns()}")]}
    return {"tools": [tool(name) for name in TOOLS]}


MALFORMED = [
    tool("good"),
    {"name": "string-schema", "inputSchema": "nope"},
    {"name": "no-schema"},
    {"name": "list-schema", "inputSchema": {"type": "array"}},
    {"inputSchema": OBJECT},
    {"name": "", "inputSchema": OBJECT},
    7,
    tool("twin"),
    tool("twin", description="another"),
    tool("odd\x1b[2J", description="D" * 100_000),
    tool("typed", description=5, outputSchema="x", annotations=[1]),
    tool("last"),
]


def hints(name: str, **given: object) -> dict[str, object]:
    return tool(name, annotations=given)


ANNOTATED = [
    hints("reads", readOnlyHint=True, idempotentHint=True, title="Reads a page"),
    hints("writes", readOnlyHint=False),
    tool("silent"),
    hints("both", readOnlyHint=True, destructiveHint=True),
    hints("wordy", readOnlyHint="yes", destructiveHint="no"),
    hints("destroys", destructiveHint=True, openWorldHint=False),
]


# ---------------------------------------------------------------- from the start


def initialize(number: object, params: dict[str, object]) -> None:
    if MODE == "crash-at-initialize":
        print("boom in initialize", file=sys.stderr, flush=True)
        os._exit(5)
    if MODE == "refuses":
        fail(number, -32000, "licence expired", {"until": "2020"})
        return
    version = OPTIONS[0] if MODE == "version" else params["protocolVersion"]
    capabilities = {"tools": {"listChanged": True}, "logging": {}}
    info = {"name": "\x1b[31mmisbehaving", "version": "1"}
    answer(number, {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info})
    if MODE == "storm":
        for _ in range(1000):
            send(method="notifications/tools/list_changed")


def begin() -> None:
    leave_pid("server", os.getpid())
    if MODE == "exit3":
        print("fatal: no API key", file=sys.stderr)
        sys.exit(3)
    if MODE == "bad-utf8":
        sys.stdout.buffer.write(b"\xff\xfe hello\n")
        sys.stdout.flush()
    if MODE == "bom":
        write("\ufeff")
    if MODE == "noise":
        write("Welcome!\nnot json {{{\n\n[1,2]\nnull\n")
    if MODE == "stderr-flood":
        print("\x1b[2J" + "e" * 4_000_000, file=sys.stderr, flush=True)
    if MODE == "endless-line":
        endless_line(0, {})
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def first_start() -> bool:
    return len(list(Path(os.environ["PIDS"]).glob("server-*"))) == 1


def handle(line: str) -> None:
    message = json.loads(line)
    method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
    if number is None or method is None or MODE == "silent" or (MODE == "silent-at-first" and first_start()):
        return
    if method == "initialize":
        initialize(number, params)
    elif method == "server/discover" and MODE == "ignores-discover":
        return
    elif method == "tools/list":
        result = page(number, params)
        if result:
            answer(number, result)
    elif method == "tools/call":
        TOOLS[params["name"]](number, params.get("arguments") or {})
    elif method in ("ping", "logging/setLevel"):
        answer(number, {})
    else:
        fail(number, -32601, f"no method {method}")


def main() -> None:
    begin()
    record = os.environ.get("RECORD")
    while line := sys.stdin.readline():
        if record:
            with open(record, "a", encoding="utf-8") as file:
                file.write(line)
        handle(line)
    if MODE == "stubborn":
        time.sleep(60)


if __name__ == "__main__":
    leave = threading.Timer(90, os._exit, [0])
    leave.daemon = True
    leave.start()
    main()
    os._exit(0)
