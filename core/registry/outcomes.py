"""What worked with a server the last time, kept from run to run in the user's state folder.

It is a convenience: what is damaged, old or too much is forgotten, and nothing is ever allowed because of it.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

from core.registry.private_file import Damaged, lies_inside, locked, read_private, write_private

VERSION = 1
MOST_KEPT = 500
KEPT_S = 30 * 86_400.0
_LONGEST = 200

_Kept = dict[str, tuple[str, float]]


class Outcomes:
    """Short texts by key, at most 500, each for 30 days. Implements ``core.sources.memory.Memory``.

    Args:
        state: the user's state folder.
        root: the workspace; where the state folder lies in it, nothing is remembered.
        clock: gives the time in seconds since 1970.
    """

    def __init__(self, state: Path, root: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._path = state / "outcomes.json"
        self._inside = lies_inside(state, root)
        self._clock = clock
        self._lock = threading.Lock()

    def recall(self, key: str) -> str | None:
        """Return what was kept under ``key`` within the last 30 days."""
        found = self._read().get(key)
        return None if found is None else found[0]

    def remember(self, key: str, text: str) -> None:
        """Keep ``text`` under ``key``; where that can't be written it is forgotten."""
        if self._inside or len(text) > _LONGEST:
            return
        try:
            with self._lock, locked(self._path):
                self._write({**self._read(), key: (text, self._clock())})
        except OSError:
            return  # found out again next time

    def _read(self) -> _Kept:
        if self._inside:
            return {}
        try:
            content = read_private(self._path)
            kept = _decode(content) if content else {}
        except (Damaged, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return {}
        now = self._clock()
        return {key: (text, at) for key, (text, at) in kept.items() if now - KEPT_S <= at <= now}

    def _write(self, kept: _Kept) -> None:
        newest = sorted(kept.items(), key=lambda entry: entry[1][1])[-MOST_KEPT:]
        document = {"version": VERSION, "outcomes": {key: list(entry) for key, entry in newest}}
        write_private(self._path, json.dumps(document).encode())


def _decode(content: bytes) -> _Kept:
    document = json.loads(content)
    if document["version"] != VERSION:
        raise ValueError("another version")
    return {str(key): (_text(text), float(at)) for key, (text, at) in document["outcomes"].items()}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("an outcome is no text")
    return value
