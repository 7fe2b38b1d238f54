"""The stdio transport: an SDK transport over a kept process, with every line bounded and the end known exactly."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from core.sources.mcp.frames import Noise, ProtocolFault, Splitter, read_frame
from core.sources.mcp.hearing import Hearing, LineReader
from core.sources.mcp.process import ServerProcess, start_process
from core.sources.mcp.spec import ServerSpec

_DRAIN_S = 0.3
_NOTICE_S = 0.2


class _Stream:
    """What the SDK asks of either of its streams beside the messages."""

    async def aclose(self) -> None:
        return

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        return


class _Incoming(_Stream):
    """Messages from the server's stdout; ends with the stream, or at a fault, which ``on_fault`` is told."""

    def __init__(self, process: ServerProcess, transport: StdioTransport) -> None:
        self._pipe = process.stdout
        self._transport = transport
        self._splitter = Splitter()
        self._lines: deque[bytes] = deque()
        self._ended = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            while True:
                while self._lines:
                    if (message := self._read(self._lines.popleft())) is not None:
                        return message
                await self._more()
        except ProtocolFault as fault:
            self._transport.fault = str(fault)
            raise StopAsyncIteration from fault

    async def receive(self) -> SessionMessage | Exception:
        try:
            return await self.__anext__()
        except StopAsyncIteration:
            raise anyio.EndOfStream from None

    async def _more(self) -> None:
        if self._ended:
            raise StopAsyncIteration
        await asyncio.sleep(0)  # a server that floods must not keep the loop from everybody else
        chunk = await self._pipe.read()
        self._ended = self._transport.silent = not chunk
        self._lines.extend(self._splitter.feed(chunk) if chunk else [self._splitter.take()])

    def _read(self, line: bytes) -> SessionMessage | None:
        if not line.strip():
            return None
        frame = read_frame(line)
        if isinstance(frame, Noise):
            self._transport.hearing.line("stdout", frame.text)
            return None
        return frame


class _Outgoing(_Stream):
    def __init__(self, process: ServerProcess) -> None:
        self._pipe = process.stdin

    async def send(self, item: SessionMessage, /) -> None:
        text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        if not self._pipe.write(text.encode() + b"\n"):
            raise anyio.BrokenResourceError
        if isinstance(item.message, JSONRPCRequest):
            await self._pipe.drained()


class StdioTransport:
    """Starts the server on entry; on exit it and all its descendants are gone."""

    def __init__(self, spec: ServerSpec, environment: Mapping[str, str], hearing: Hearing) -> None:
        self.hearing = hearing
        self.fault: str | None = None
        self.grace_s, self.term_s = 1.0, 1.0
        self.told_to_end = False
        self.silent = False
        self.process: ServerProcess | None = None
        self._spec = spec
        self._environment = environment

    async def __aenter__(self) -> tuple[_Incoming, _Outgoing]:
        spec = self._spec
        self.process = await start_process(spec.program, spec.argv, self._environment, spec.cwd)
        self._errors = asyncio.create_task(self._hear_stderr(self.process))
        return _Incoming(self.process, self), _Outgoing(self.process)

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        if self.process is None:
            return
        try:
            await self._end(self.process)
        finally:
            await self.process.kill()
            self._errors.cancel()

    async def _end(self, process: ServerProcess) -> None:
        if self.silent:  # it has probably ended by itself, and how is worth a moment
            await asyncio.wait([process.exited], timeout=_NOTICE_S)
        if not process.exited.done():
            self.told_to_end = True
            process.stop(self.grace_s, self.term_s)
            await asyncio.wait([process.exited], timeout=self.grace_s + self.term_s + 1.0)
        await asyncio.wait([self._errors], timeout=_DRAIN_S)

    async def _hear_stderr(self, process: ServerProcess) -> None:
        lines = LineReader(lambda text: self.hearing.line("stderr", text))
        with contextlib.suppress(OSError):
            while chunk := await process.stderr.read():
                lines.feed(chunk)
                await asyncio.sleep(0)
        lines.end()
