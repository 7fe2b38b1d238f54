"""Tries what a confined process should not be able to do, and prints what worked, as JSON.

The plan names a workspace that is to be read-only, a folder outside with a file, ports and a socket of the
process that asks, and that process itself.
"""

from __future__ import annotations

import json
import os
import socket
import sys

from core.runtime.worker.landlock import Ruleset
from core.runtime.worker.seccomp import Filter
from core.runtime.worker.syscalls import numbers

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_PATIENCE_S = 1.0


def main(plan: str) -> None:
    """Try everything in ``plan`` and print a JSON object of name and success."""
    wanted: dict[str, Any] = json.loads(plan)
    sealed, outside = wanted["workspace"], wanted["outside"]
    if wanted["landlock"] is not None:
        rules = wanted["landlock"]
        Ruleset(rules["read"], rules["write"], rules["list"], network=rules["network"]).enter()
        if rules["filter"]:
            Filter(network=rules["network"], modes=rules["modes"]).enter()
    tries: dict[str, Callable[[], object]] = {
        "write_workspace": lambda: _create(os.path.join(sealed, "made")),
        "modes_workspace": lambda: _any(_changes_of_modes(os.path.join(sealed, "file"))),
        "write_outside": lambda: _create(os.path.join(outside, "made")),
        "modes_outside": lambda: _any(_changes_of_modes(os.path.join(outside, "file"))),
        "read_outside": lambda: os.close(os.open(os.path.join(outside, "file"), os.O_RDONLY)),
        "processes": lambda: _see(wanted["pid"], wanted["started"]),
        "sockets": lambda: _any(_ways_to_socket(outside)),
        "tcp": lambda: _connect(socket.AF_INET, ("127.0.0.1", wanted["tcp"])),
        "udp": lambda: _send(("127.0.0.1", wanted["udp"])),
    }
    json.dump({name: _works(attempt) for name, attempt in tries.items()}, sys.stdout)


def _works(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _any(attempts: list[Callable[[], object]]) -> None:
    """Raise OSError unless one of ``attempts`` works."""
    if not any(map(_works, attempts)):
        raise OSError("none works")


def _changes_of_modes(path: str) -> list[Callable[[], object]]:
    """Return the ways to change what is said of a file, the newest call among them, which no library uses yet."""
    return [
        lambda: os.chmod(path, 0o640),
        lambda: os.utime(path, (1, 1)),
        lambda: os.setxattr(path, "user.probe", b"1"),
        lambda: os.chown(path, os.geteuid(), os.getegid()),
        lambda: _call_newest(path),
    ]


def _call_newest(path: str) -> None:
    known = numbers()
    if known is None:
        raise OSError("the numbers of this machine are not known")
    import ctypes

    [number] = known.of(["fchmodat2"])
    if ctypes.CDLL(None, use_errno=True).syscall(number, -100, os.fsencode(path), 0o640, 0) != 0:
        raise OSError(ctypes.get_errno(), "fchmodat2")


def _ways_to_socket(folder: str) -> list[Callable[[], object]]:
    """Return the ways to reach a process by a path: a connection, and a datagram of a pair that is led elsewhere."""
    return [
        lambda: _connect(socket.AF_UNIX, os.path.join(folder, "socket")),
        lambda: _redirected(os.path.join(folder, "datagrams")),
    ]


def _redirected(path: str) -> None:
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        ends[0].connect(path)
    finally:
        for end in ends:
            end.close()


def _create(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)


def _see(pid: int, started: str) -> None:
    """Raise OSError unless the process ``pid``, as the asking process knows it, can be looked into."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        if file.read().rpartition(")")[2].split()[19] != started:
            raise ProcessLookupError
    os.close(os.open(f"/proc/{pid}/environ", os.O_RDONLY))


def _connect(family: int, address: Any) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as made:
        made.settimeout(_PATIENCE_S)
        made.connect(address)


def _send(address: tuple[str, int]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.sendto(b"probe", address)
