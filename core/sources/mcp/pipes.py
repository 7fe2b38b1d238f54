"""Both ends of a child's pipes on the event loop, without asyncio's child watching."""

from __future__ import annotations

import asyncio
from typing import IO

_CHUNK = 1 << 18


class ReadPipe:
    """What a child writes; read in chunks of at most 256 KiB, so that a flood waits in the child."""

    def __init__(self, reader: asyncio.StreamReader, transport: asyncio.ReadTransport) -> None:
        self._reader = reader
        self._transport = transport

    @classmethod
    async def of(cls, pipe: IO[bytes]) -> ReadPipe:
        """Take over ``pipe``."""
        reader = asyncio.StreamReader(limit=_CHUNK)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        return cls(reader, transport)

    async def read(self) -> bytes:
        """Return the next chunk; empty once every writer has closed its end."""
        return await self._reader.read(_CHUNK)

    def close(self) -> None:
        """Stop reading; whoever waits in ``read`` sees the end."""
        self._transport.close()
        self._reader.feed_eof()


class _Flow(asyncio.BaseProtocol):
    def __init__(self) -> None:
        self.clear = asyncio.Event()
        self.clear.set()
        self.lost = False

    def pause_writing(self) -> None:
        self.clear.clear()

    def resume_writing(self) -> None:
        self.clear.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self.clear.set()


class WritePipe:
    """What a child reads."""

    def __init__(self, transport: asyncio.WriteTransport, flow: _Flow) -> None:
        self._transport = transport
        self._flow = flow

    @classmethod
    async def of(cls, pipe: IO[bytes]) -> WritePipe:
        """Take over ``pipe``."""
        transport, flow = await asyncio.get_running_loop().connect_write_pipe(_Flow, pipe)
        return cls(transport, flow)

    def write(self, data: bytes) -> bool:
        """Hand over ``data`` without waiting; False when nobody can read it any more."""
        if self._flow.lost or self._transport.is_closing():
            return False
        self._transport.write(data)
        return True

    async def drained(self) -> None:
        """Wait until the child has taken nearly everything, or is gone."""
        await self._flow.clear.wait()

    def close(self, *, at_once: bool = False) -> None:
        """Close the end after what is still to be written, or ``at_once``."""
        if at_once and self._transport.get_write_buffer_size():
            self._transport.abort()
        else:
            self._transport.close()
