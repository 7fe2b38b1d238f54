"""A program that leaves in the middle of a call, as its last argument says; the tests run it by itself."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from core.runtime.call import CallEvent, CallOptions
from core.workspace import Workspace


def main(root: str, state: str, tool: str, how: str) -> None:
    workspace = Workspace(Path(root), state=Path(state))
    workspace.load()
    begun = threading.Event()

    def hear(event: CallEvent) -> None:
        if event.text in ("hanging", "waiting"):
            begun.set()

    def call() -> None:
        workspace.invoke("local/office", tool, {}, CallOptions(confirmed=True, approve=lambda _: True), hear)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    begun.wait(30)
    try:
        print("in the call", flush=True)
        if how == "raises":
            raise SystemExit("left")
        if how != "returns":
            thread.join()
        workspace.close()
    except KeyboardInterrupt:
        workspace.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
