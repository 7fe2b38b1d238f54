"""A stdio server with one tool that writes the line it was called with, byte for byte, to the file named by HEARD."""

from __future__ import annotations

import json
import os
import sys


def answer(number: object, result: object) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}) + "\n")
    sys.stdout.flush()


for line in sys.stdin.buffer:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] == "initialize":
        about = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}}}
        answer(message["id"], {**about, "serverInfo": {"name": "echo", "version": "1"}})
    elif message["method"] == "tools/list":
        answer(message["id"], {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]})
    elif message["method"] == "tools/call":
        with open(os.environ["HEARD"], "wb") as file:
            file.write(line)
        answer(message["id"], {"content": [{"type": "text", "text": "heard"}]})
    else:
        error = {"code": -32601, "message": "no such method"}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}) + "\n")
        sys.stdout.flush()
