"""The pipes of a supervisor: what is printed, kept to a limit, and what is to be written, never waiting."""

from __future__ import annotations

import codecs
import os
import select

from core.runtime.worker.frames import packed

_CHUNK = 1 << 16
_LONGEST_LINE = 1 << 13


class Outbox:
    """Bytes on their way into a pipe that may be full."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._data = bytearray()
        os.set_blocking(fd, False)

    def put(self, payload: bytes) -> None:
        """Add one frame and write what fits."""
        self._data += packed(payload)
        self.flush()

    @property
    def waiting(self) -> bool:
        """Whether something is left to write."""
        return bool(self._data)

    def flush(self) -> None:
        """Write what the pipe takes; when its reader is gone, everything is dropped."""
        try:
            while self._data:
                del self._data[: os.write(self.fd, self._data[: _CHUNK * 16])]
        except BlockingIOError:
            return
        except OSError:
            self._data.clear()


class LogPipe:
    """One output stream of a tool: the first ``limit`` bytes are passed on, the rest is read and counted."""

    def __init__(self, fd: int, stream: str, limit: int) -> None:
        self.fd = fd
        self.stream = stream
        self.open = True
        self.dropped = 0
        self._left = limit
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def ready(self) -> bool:
        """Whether there is something to read, or the end."""
        return bool(select.select([self.fd], [], [], 0)[0])

    def read(self) -> str:
        """Read once and return the whole lines that are there now."""
        try:
            chunk = os.read(self.fd, _CHUNK)
        except BlockingIOError:
            return ""
        except OSError:
            chunk = b""
        self.open = bool(chunk)
        taken = chunk[: self._left]
        self._left -= len(taken)
        self.dropped += len(chunk) - len(taken)
        return self._lines(taken)

    def _lines(self, taken: bytes) -> str:
        text = self._rest + self._decoder.decode(taken, final=not self.open)
        cut = len(text) if not self.open or not self._left else text.rfind("\n") + 1
        if len(text) - cut > _LONGEST_LINE:
            cut = len(text)
        self._rest = text[cut:]
        return text[:cut]

    def rest(self) -> str:
        """Return what was printed without a line end."""
        text, self._rest = self._rest, ""
        return text
