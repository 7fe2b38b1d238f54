"""A stdio server whose tools stand in a JSON file that may change while it runs; standard library alone.

LISTING names that file: a mapping of tool names to the other fields of each tool. STARTS names a file that gets a
line with the process number at each start, METHODS one that gets a line with the method of each request.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path


def send(**message: object) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def listing() -> list[dict[str, object]]:
    found = json.loads(Path(os.environ["LISTING"]).read_text("utf-8"))
    return [{"name": name, "inputSchema": {"type": "object"}, **fields} for name, fields in found.items()]


def call(number: object, name: str, arguments: dict[str, object]) -> None:
    if name == "hang":
        print("hanging", file=sys.stderr, flush=True)
        return
    if name == "crash":
        print("the desk falls over", file=sys.stderr, flush=True)
        os._exit(7)
    if name == "announce":
        for _ in range(int(str(arguments.get("times", 1)))):
            send(method="notifications/tools/list_changed")
    text = os.environ.get("SECRET", "") if name == "spill" else json.dumps({"pid": os.getpid(), **arguments})
    send(id=number, result={"content": [{"type": "text", "text": text}], "isError": name == "fail"})


def handle(message: dict[str, object]) -> None:
    number, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    if number is None or not isinstance(params, dict):
        return
    if methods := os.environ.get("METHODS"):
        with open(methods, "a", encoding="utf-8") as file:
            file.write(f"{method}\n")
    if method == "initialize":
        info = {"name": "desk", "version": "1"}
        capabilities = {"tools": {"listChanged": True}}
        version = params["protocolVersion"]
        send(id=number, result={"protocolVersion": version, "capabilities": capabilities, "serverInfo": info})
    elif method == "tools/list":
        time.sleep(float(os.environ.get("SLOW", "0")))
        send(id=number, result={"tools": listing()})
    elif method == "tools/call":
        call(number, str(params["name"]), params.get("arguments") or {})
    else:
        send(id=number, error={"code": -32601, "message": f"no method {method}"})


def main() -> None:
    if starts := os.environ.get("STARTS"):
        with open(starts, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
    if status := os.environ.get("FALLS_OVER"):
        print("no key, no service", file=sys.stderr, flush=True)
        sys.exit(int(status))
    while line := sys.stdin.readline():
        handle(json.loads(line))


if __name__ == "__main__":
    leave = threading.Timer(90, os._exit, [0])
    leave.daemon = True
    leave.start()
    main()
    os._exit(0)
