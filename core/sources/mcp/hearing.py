"""What is heard of a server beside its answers: stderr, noise on stdout, log messages, refused requests."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any

from core.sources.mcp.redactor import Redactor

Listener = Callable[[str, str], None]
"""Takes a stream (``stderr``, ``stdout``, ``server``, ``client``) and a line; must be quick and must not raise."""

_LINE = 2000
_KEPT = 200
_TAIL = 20


class Hearing:
    """Keeps the last stderr lines and passes every line on to whoever listens, without secrets."""

    def __init__(self, redactor: Redactor, listeners: set[Listener]) -> None:
        self.redactor = redactor
        self.listeners = listeners
        self._stderr: deque[str] = deque(maxlen=_KEPT)

    def line(self, stream: str, text: str) -> None:
        """Hear one line; what is longer than 2,000 characters is cut."""
        text = self.redactor.text(text)
        rest = len(text) - _LINE
        text = f"{text[:_LINE]}… {rest:,} more" if rest > 0 else text
        if stream == "stderr":
            self._stderr.append(text)
        for listener in tuple(self.listeners):
            listener(stream, text)

    def message(self, params: Any) -> None:
        """Hear a ``notifications/message``."""
        said = params if isinstance(params, dict) else {}
        data = said.get("data")
        text = data if isinstance(data, str) else _as_json(data)
        level, logger = (said.get(key) for key in ("level", "logger"))
        head = " ".join(str(part)[:100] for part in (level, logger) if part)
        self.line("server", f"{head}: {text}" if head else text)

    def tail(self) -> list[str]:
        """Return the last stderr lines, at most 20."""
        return list(self._stderr)[-_TAIL:]

    def stderr(self) -> str:
        """Return the stderr lines that are kept."""
        return "\n".join(self._stderr)


def _as_json(data: Any) -> str:
    try:
        return json.dumps(data, ensure_ascii=False)
    except (ValueError, RecursionError):
        return "(data that cannot be shown)"


class LineReader:
    """Cuts a byte stream into lines of text, losing nothing but what a line has over its limit."""

    def __init__(self, hear: Callable[[str], None], limit: int = 4 * _LINE) -> None:
        self._hear = hear
        self._limit = limit
        self._rest = b""
        self._cut = 0

    def feed(self, chunk: bytes) -> None:
        """Hear every line that ``chunk`` completes."""
        *lines, rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._line(line)
        self._cut += max(0, len(rest) - self._limit)
        self._rest = rest[: self._limit]

    def end(self) -> None:
        """Hear what was begun."""
        if self._rest:
            self._line(self._rest)
            self._rest = b""

    def _line(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").rstrip("\r")
        self._hear(f"{text}… {self._cut:,} more bytes" if self._cut else text)
        self._cut = 0
