"""Unified diffs of what a tool changed, made where a slow comparison holds nobody up."""

from __future__ import annotations

import os
import time

from core.runtime.worker.snapshot import FILE

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SIZE_LIMIT = 1 << 18
LINE_LIMIT = 5_000
MAX_DIFFS = 200
_BUDGET_S = 2.0


def diffs(changes: list[dict[str, Any]], root: str, before: Callable[[str], bytes | None]) -> list[dict[str, str]]:
    """Return path, change and unified text for each changed file; the text is empty for what can't be compared.

    ``before`` gives the old content of a path. At most 200 files, in two seconds, are compared.
    """
    until = time.monotonic() + _BUDGET_S
    made: list[dict[str, str]] = []
    for change in changes:
        if change.get("type", FILE) != FILE:
            continue
        tried = len(made) < MAX_DIFFS and time.monotonic() < until
        text = _diff(change, root, before) if tried else ""
        made.append({"path": change["path"], "change": change["change"], "diff": text})
    return made


def _diff(change: dict[str, Any], root: str, before: Callable[[str], bytes | None]) -> str:
    path = change["path"]
    old = "" if change["change"] == "created" else _text(before(path))
    new = "" if change["change"] == "deleted" else _text(content(os.path.join(root, path)))
    if old is None or new is None:
        return ""
    old_lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if max(len(old_lines), len(new_lines)) > LINE_LIMIT:
        return ""
    from difflib import unified_diff

    names = ("/dev/null" if change["change"] == "created" else f"a/{path}", f"b/{path}")
    if change["change"] == "deleted":
        names = (names[0], "/dev/null")
    return "".join(_ended(line) for line in unified_diff(old_lines, new_lines, *names))


def _ended(line: str) -> str:
    return line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def _text(content: bytes | None) -> str | None:
    if content is None or b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def content(path: str) -> bytes | None:
    """Return the bytes of a regular file of at most 256 KiB; None for anything else."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        data = os.read(fd, SIZE_LIMIT + 1)
    except OSError:
        return None
    finally:
        os.close(fd)
    return data if len(data) <= SIZE_LIMIT else None
