"""A stdio server that lists the tools of a JSON file and answers each call as the file says; standard library alone.

An entry is ``{"tool": …, "answer": [message, …]}``. Each message of the answer is sent in turn, with the number and
the progress token of the call put in; a message with ``wait`` holds back all that follow until the call is
cancelled, and then writes ``cancelled`` to stderr. Without an answer the call gives back its arguments as text,
byte for byte as they came in. A result may ask for long texts: ``{"repeat": "x", "times": 3}``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOOLS: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text("utf-8"))


def send(**message: object) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def exact_arguments(line: str) -> str:
    """Return the characters of the member ``arguments``; nothing where the call has none."""
    _, found, rest = line.partition('"arguments":')
    rest = rest.lstrip()
    return rest[: json.JSONDecoder().raw_decode(rest)[1]] if found else ""


def written_out(value: Any) -> Any:
    if isinstance(value, dict) and "repeat" in value:
        return "".join(value["repeat"].replace("#", str(at)) for at in range(value["times"]))
    if isinstance(value, dict):
        return {key: written_out(member) for key, member in value.items()}
    return [written_out(item) for item in value] if isinstance(value, list) else value


def until_cancelled(lines: Iterator[str]) -> None:
    for line in lines:
        if json.loads(line).get("method") == "notifications/cancelled":
            print("cancelled", file=sys.stderr, flush=True)
            return


def call(line: str, message: dict[str, Any], lines: Iterator[str]) -> None:
    number, params = message["id"], message["params"]
    token = params.get("_meta", {}).get("progressToken")
    for step in TOOLS[params["name"]].get("answer", ()):
        if "wait" in step:
            until_cancelled(lines)
            return
        if "method" not in step:
            send(id=number, **written_out(step))
            return
        given = {"progressToken": token} if step["method"] == "notifications/progress" else {}
        send(method=step["method"], params={**given, **step["params"]})
    send(id=number, result={"content": [{"type": "text", "text": exact_arguments(line)}]})


def answer(line: str, lines: Iterator[str]) -> None:
    message = json.loads(line)
    number, method = message.get("id"), message.get("method")
    if number is None or method is None:
        return
    if method == "initialize":
        about = {"capabilities": {"tools": {}, "logging": {}}, "serverInfo": {"name": "awkward", "version": "1"}}
        send(id=number, result={"protocolVersion": message["params"]["protocolVersion"], **about})
    elif method == "tools/list":
        send(id=number, result={"tools": [{"name": name, **entry["tool"]} for name, entry in TOOLS.items()]})
    elif method == "tools/call":
        call(line, message, lines)
    elif method in ("ping", "logging/setLevel"):
        send(id=number, result={})
    else:
        send(id=number, error={"code": -32601, "message": "no such method"})


def main() -> None:
    sys.stdin.reconfigure(encoding="utf-8")
    lines = iter(sys.stdin.readline, "")
    for line in lines:
        answer(line, lines)


if __name__ == "__main__":
    main()
