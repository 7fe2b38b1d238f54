"""Holds the tool: loads a program, runs its stages as they are asked for, and answers in frames.

Whatever the tool prints goes to the pipes that stand at stdout and stderr, never into an answer. The tool shares
this process and could write answers of its own, so an answer carries output or an error's text and no more; what
matters otherwise is measured by the supervisor.
"""

from __future__ import annotations

import json
import os
import sys

from core.runtime.worker.failure import described
from core.runtime.worker.frames import read_frame, write_frame
from core.runtime.worker.launch_fds import REPLIES_FD, REQUESTS_FD

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_dumps = json.dumps  # a tool that replaces json.dumps must not lose its own result


def main(library: str | None = None) -> None:
    """Answer until the requests end; ``library`` is the folder that was added to find this module."""
    os.set_inheritable(REQUESTS_FD, False)
    os.set_inheritable(REPLIES_FD, False)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    stages: dict[str, Callable[..., Any]] = {}
    while (request := read_frame(REQUESTS_FD)) is not None:
        reply = _answer(json.loads(request), stages, library)
        _flush()
        write_frame(REPLIES_FD, reply)


def _answer(request: dict[str, Any], stages: dict[str, Callable[..., Any]], library: str | None) -> bytes:
    try:
        value = _run(request, stages, library)
    except BaseException as raised:  # noqa: BLE001 - whatever a tool raises is an answer
        return _dumps({"ok": False, "error": described(raised)}).encode()
    try:
        return f'{{"ok":true,"output":{_dumps(value, allow_nan=False, ensure_ascii=False)}}}'.encode()
    except BaseException as raised:  # noqa: BLE001 - a value may do anything when it is looked at
        return _dumps({"ok": False, "error": {**described(raised), "returned": type(value).__name__}}).encode()


def _run(request: dict[str, Any], stages: dict[str, Callable[..., Any]], library: str | None) -> Any:
    if request["stage"] == "load":
        __import__(request["loader"])
        load = sys.modules[request["loader"]].load
        sys.path[:] = [entry for entry in sys.path if entry != library]
        stages.update(load(request["data"]))
        return None
    stage = stages.get(request["stage"])
    if stage is None:
        return None
    value = stage(request.get("arguments") or {})
    return _awaited(value) if hasattr(type(value), "__await__") else value


def _awaited(value: Any) -> Any:
    import asyncio

    async def wait() -> Any:
        return await value

    return asyncio.run(wait())


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # noqa: BLE001 - a tool may have replaced or closed it
            continue
