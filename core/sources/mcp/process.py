"""A server process under its keeper, as seen from the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from core.sources.mcp.failures import ConnectFailure
from core.sources.mcp.pipes import ReadPipe, WritePipe

_PACKAGES = Path(__file__).parents[3]
_BOOT = "import sys; sys.path.append(sys.argv[1]); from core.sources.keeper import main; main(int(sys.argv[2]))"
_KEEPER_GONE_S = 3.0


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a server process ended: its exit code, or the name of the signal that ended it; None where unknown."""

    code: int | None = None
    signal: str | None = None

    @classmethod
    def of(cls, status: int | None) -> ExitStatus:
        """Read the keeper's status; negative numbers are signals."""
        if status is None or status >= 0:
            return cls(code=status)
        with contextlib.suppress(ValueError):
            return cls(signal=signal.Signals(-status).name)
        return cls(signal=str(-status))


class ServerProcess:
    """A running server; ``exited`` is done as soon as it has ended, before its descendants are swept away."""

    def __init__(self, keeper: _Keeper, pid: int, stdin: WritePipe, stdout: ReadPipe, stderr: ReadPipe) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.exited: asyncio.Future[ExitStatus] = asyncio.get_running_loop().create_future()
        self._keeper = keeper
        self._listener = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        status = (await self._keeper.reply()).get("exit")
        if status is None:
            self._kill_group()  # the keeper ended first, so nobody else will
        self._ended(ExitStatus.of(status))

    def _ended(self, status: ExitStatus) -> None:
        if not self.exited.done():
            self.exited.set_result(status)

    def stop(self, grace_s: float, term_s: float) -> None:
        """Ask the server to end: its stdin closes now, SIGTERM follows after ``grace_s``, SIGKILL ``term_s`` later."""
        self.stdin.close()
        self._keeper.tell({"stop": [grace_s, term_s]})

    async def kill(self) -> None:
        """Have everything of the server killed at once, and return when it is gone or was waited for long enough."""
        self.stdin.close(at_once=True)
        self._listener.cancel()
        if not await self._keeper.dismiss():
            self._kill_group()
        self._ended(ExitStatus())
        self.stdout.close()
        self.stderr.close()

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


async def start_process(path: str, argv: Sequence[str], env: Mapping[str, str], cwd: str) -> ServerProcess:
    """Start the program at the absolute ``path`` under a keeper.

    Raises:
        ConnectFailure: it could not be started; the message says why.
    """
    keeper = await _Keeper.spawn()
    try:
        keeper.tell({"path": path, "argv": list(argv), "env": dict(env), "cwd": cwd})
        reply = await keeper.reply()
        if "pid" not in reply:
            raise ConnectFailure(f"cannot start the server: {reply.get('failed', 'the process beside it ended')}")
        stdin, stdout, stderr = await keeper.pipes()
    except BaseException:
        await keeper.dismiss()
        keeper.close_pipes()
        raise
    return ServerProcess(keeper, int(reply["pid"]), stdin, stdout, stderr)


class _Keeper:
    """The keeper process and the control socket to it; a thread collects its status, whatever is cancelled here."""

    def __init__(self, process: subprocess.Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self._process = process
        self._reader = reader
        self._writer = writer

    @classmethod
    async def spawn(cls) -> _Keeper:
        ours, theirs = socket.socketpair()
        try:
            process = _spawn(theirs.fileno())
        except OSError as error:
            ours.close()
            raise ConnectFailure(f"cannot start a process: {error.strerror}") from error
        finally:
            theirs.close()
        threading.Thread(target=process.wait, name="mcp-reaper", daemon=True).start()
        try:
            return cls(process, *await asyncio.open_unix_connection(sock=ours))
        except BaseException:  # nobody has the keeper yet, so nobody else would end it
            ours.close()
            process.kill()
            _close(process)
            raise

    def tell(self, order: dict[str, Any]) -> None:
        self._writer.write(json.dumps(order).encode() + b"\n")

    async def reply(self) -> dict[str, Any]:
        """Return the keeper's next line; empty when it has ended."""
        try:
            line = await self._reader.readline()
            return cast("dict[str, Any]", json.loads(line)) if line else {}
        except (OSError, ValueError):
            return {}

    async def pipes(self) -> tuple[WritePipe, ReadPipe, ReadPipe]:
        """Take over the server's pipes, all or none."""
        stdin, stdout, stderr = _files(self._process)
        with contextlib.ExitStack() as taken:
            writes = await WritePipe.of(stdin)
            taken.callback(writes.close)
            reads = await ReadPipe.of(stdout)
            taken.callback(reads.close)
            errors = await ReadPipe.of(stderr)
            taken.pop_all()
        return writes, reads, errors

    def close_pipes(self) -> None:
        _close(self._process)

    async def dismiss(self) -> bool:
        """Close the control socket, upon which the keeper kills what it keeps; whether it ended in time."""
        self._writer.close()
        if await self._ends():
            return True
        self._process.kill()
        await self._ends()
        return False

    async def _ends(self) -> bool:
        until = asyncio.get_running_loop().time() + _KEEPER_GONE_S
        while self._process.returncode is None:
            if asyncio.get_running_loop().time() > until:
                return False
            await asyncio.sleep(0.005)
        return True


def _files(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    return cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", (process.stdin, process.stdout, process.stderr))


def _close(process: subprocess.Popen[bytes]) -> None:
    for pipe in _files(process):
        pipe.close()


def _spawn(control: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _BOOT, str(_PACKAGES), str(control)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[control],
        env={},
        cwd="/",
        start_new_session=True,
    )
