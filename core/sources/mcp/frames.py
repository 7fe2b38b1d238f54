"""Lines of a server's stdout as protocol messages: strict about bytes, lenient about everything a reader can repair."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

from core.sources.mcp.json_limits import UnfitJsonError, fit_json

MAX_LINE = 4 << 20


class ProtocolFault(Exception):  # noqa: N818 - what a server did, not an error of ours
    """Something on stdout after which the session cannot go on; the message says what."""


@dataclass(frozen=True, slots=True)
class Noise:
    """A line that is no message."""

    text: str


class Splitter:
    """Cuts a byte stream into lines in time proportional to its length."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the lines that ``chunk`` completes.

        Raises:
            ProtocolFault: a line is longer than the limit.
        """
        head, *rest = chunk.split(b"\n")
        self._keep(head)
        lines = []
        for part in rest:
            lines.append(self.take())
            self._keep(part)
        return lines

    def take(self) -> bytes:
        """Return what has come of the line that isn't complete yet, and begin a new one."""
        line = b"".join(self._parts)
        self._parts, self._size = [], 0
        return line

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._limit:
            raise ProtocolFault(f"protocol error: the server sent a line longer than {self._limit >> 20} MiB")
        self._parts.append(part)


def read_frame(line: bytes) -> SessionMessage | Noise:
    """Return the message on ``line``; an unreadable answer becomes an error for the request it answers.

    Raises:
        ProtocolFault: the line is not UTF-8.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProtocolFault("protocol error: the server sent bytes that are not UTF-8") from error
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValueError:
        return _repaired(text.lstrip("\ufeff"))


def _repaired(text: str) -> SessionMessage | Noise:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return Noise(text)
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_python(fit_json(value), by_name=False))
    except UnfitJsonError as error:
        return _refused(value, text, str(error))
    except ValueError:
        return _refused(value, text, "its result is no object")


def _refused(value: Any, text: str, why: str) -> SessionMessage | Noise:
    """Answer the request in the server's place, so that nobody waits for a line that has already come."""
    request = value.get("id") if isinstance(value, dict) and "method" not in value else None
    if not isinstance(request, int | str) or isinstance(request, bool):
        return Noise(text)
    error = ErrorData(code=PARSE_ERROR, message=f"unreadable answer: {why}")
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=request, error=error))
