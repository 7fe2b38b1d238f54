"""The built-in tool that runs a command with the shell (language, part 4)."""

from __future__ import annotations

import os
import select
import subprocess
import time

from core.sources.builtin_base import OUTPUT_LIMIT

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SHELL = "/bin/sh"
_CHUNK = 1 << 16
_POLL_S = 0.02
_DRAIN_S = 0.2


def run_bounded(argv: list[str], cwd: str, env: dict[str, str]) -> tuple[int, bytes, bytes, bool]:
    """Run ``argv``; return exit status, what it printed up to 1 MiB each, and whether anything was left out.

    What it has started in the background, and may hold its pipes open, is not waited for.
    """
    outputs = [_Output(), _Output()]
    with subprocess.Popen(
        argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=outputs[0].write, stderr=outputs[1].write
    ) as process:
        for output in outputs:
            os.close(output.write)
        while process.poll() is None and any(output.open for output in outputs):
            _read_ready(outputs, _POLL_S)
        status = process.wait()
        until = time.monotonic() + _DRAIN_S
        while time.monotonic() < until and _read_ready(outputs, 0):
            continue
    for output in outputs:
        os.close(output.read)
    return status, bytes(outputs[0].data), bytes(outputs[1].data), any(output.more for output in outputs)


class _Output:
    """One pipe and what came out of it."""

    def __init__(self) -> None:
        self.read, self.write = os.pipe()
        self.data = bytearray()
        self.open = True
        self.more = False

    def take(self) -> None:
        """Read once."""
        chunk = os.read(self.read, _CHUNK)
        self.open = bool(chunk)
        left = OUTPUT_LIMIT - len(self.data)
        self.data += chunk[:left]
        self.more = self.more or len(chunk) > left


def _read_ready(outputs: list[_Output], seconds: float) -> bool:
    """Read what comes within ``seconds``; whether anything did."""
    ready, _, _ = select.select([output.read for output in outputs if output.open], [], [], seconds)
    for output in outputs:
        if output.read in ready:
            output.take()
    return bool(ready)


def shell_execute(root: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Run a command in the workspace; its exit status is part of the result, not a failure."""
    command = arguments["command"]
    status, stdout, stderr, more = run_bounded([_SHELL, "-c", command], root, dict(os.environ))
    note = f"\n(more than {OUTPUT_LIMIT >> 20} MiB was printed; the rest is left out)" if more else ""
    return {"exit_code": status, "stdout": stdout.decode("utf-8", "replace"), "stderr": _text(stderr) + note}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _shell(data: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda arguments: shell_execute(data["root"], arguments)


TOOLS = {"shell_execute": _shell}
