"""A program that uses a server and then ends as its first argument says; run by the tests as a process of its own."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from pathlib import Path

from mcp_bench import Bench, Used

from core.sources.mcp.failures import McpFailure
from core.sources.mcp.pool import ServerPool


def main(how: str, folder: Path) -> None:
    pool = ServerPool(dict(os.environ))
    server = Bench(folder / "workspace", pool, dict(os.environ)).misbehaving()
    server.call("children")
    threading.Thread(target=hang, args=(server,), daemon=True).start()
    print("ready", flush=True)
    if how == "waits":
        try:
            hang(server)
        except KeyboardInterrupt:
            pool.close()
    elif how == "raises":
        raise SystemExit(3)


def hang(server: Used) -> None:
    with contextlib.suppress(McpFailure):
        server.call("hang", timeout_s=60)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
