"""Frames on a pipe: four bytes of length, most significant first, then that many bytes of JSON."""

from __future__ import annotations

import os
import re

_LENGTH = 4
_CHUNK = 1 << 16
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))
MAX_DEPTH = 100


class FrameTooLong(Exception):  # noqa: N818 - it names a state of the pipe
    """A frame announces more bytes than the reader takes."""


def packed(payload: bytes) -> bytes:
    """Return ``payload`` with its length before it."""
    return len(payload).to_bytes(_LENGTH, "big") + payload


class FrameBuffer:
    """Puts frames together from whatever pieces a pipe gives."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._data = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Take ``data`` in and return the frames that are whole now.

        Raises:
            FrameTooLong: the next frame is longer than ``limit``.
        """
        self._data += data
        frames = []
        while (end := self._end()) is not None and len(self._data) >= end:
            frames.append(bytes(self._data[_LENGTH:end]))
            del self._data[:end]
        return frames

    def _end(self) -> int | None:
        if len(self._data) < _LENGTH:
            return None
        length = int.from_bytes(self._data[:_LENGTH], "big")
        if length > self.limit:
            raise FrameTooLong
        return _LENGTH + length


def read_frame(fd: int) -> bytes | None:
    """Wait for one frame; None when the pipe has ended."""
    header = _read_exactly(fd, _LENGTH)
    return None if header is None else _read_exactly(fd, int.from_bytes(header, "big"))


def _read_exactly(fd: int, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        piece = os.read(fd, min(_CHUNK, size - len(data)))
        if not piece:
            return None
        data += piece
    return bytes(data)


def write_frame(fd: int, payload: bytes) -> None:
    """Write the whole frame, waiting as long as the pipe is full."""
    left = memoryview(packed(payload))
    while left:
        left = left[os.write(fd, left) :]


def too_deep(payload: bytes, limit: int = MAX_DEPTH) -> bool:
    """Whether the JSON text ``payload`` nests deeper than ``limit``; takes linear time and no recursion."""
    if payload.count(b"[") + payload.count(b"{") <= limit:
        return False
    depth = 0
    for bracket in _STRING.sub(b"", payload).translate(None, _NO_BRACKET):
        depth += 1 if bracket in b"[{" else -1
        if depth > limit:
            return True
    return False
