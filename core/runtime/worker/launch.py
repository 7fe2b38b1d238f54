"""Starts the shim: a session of its own, limits, confinement, and nothing inherited but five descriptors."""

from __future__ import annotations

import fcntl
import os
import resource
import signal

from core.runtime.worker.launch_fds import REPLIES_FD, REQUESTS_FD
from core.sources.reaper import descendants, die_with_parent

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from typing import Any

    from core.runtime.worker.landlock import Ruleset
    from core.runtime.worker.seccomp import Filter


_ABOVE = 10
_IGNORED_HERE = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGXFSZ)


class Child:
    """A started shim and our ends of its pipes."""

    def __init__(self, pid: int, requests: int, replies: int, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.requests, self.replies, self.stdout, self.stderr = requests, replies, stdout, stderr


def ignore_signals() -> None:
    """Leave the end of this process to its lifeline: a signal to the terminal's group must not leave orphans."""
    for number in _IGNORED_HERE:
        signal.signal(number, signal.SIG_IGN)


def launch(order: dict[str, Any], argv: list[str]) -> tuple[Child | None, str]:
    """Start ``argv``; the text says why there is no child."""
    rules, filtering = _rules(order), _filter(order)
    ends = [_pipe() for _ in range(5)]
    theirs = [ends[0][0], ends[1][1], ends[2][1], ends[3][1]]
    ours = [ends[0][1], ends[1][0], ends[2][0], ends[3][0]]
    failed, tell = ends[4]
    pid = os.fork()
    if pid == 0:
        _become(order, argv, [made for made in (rules, filtering) if made is not None], theirs, tell)
    for fd in (*theirs, tell):
        os.close(fd)
    with os.fdopen(failed, encoding="utf-8", errors="replace") as pipe:
        reason = pipe.read()
    for fd in ours:
        os.set_blocking(fd, False)
    return (None, reason) if reason else (Child(pid, *ours), "")


def _pipe() -> tuple[int, int]:
    """Return a pipe whose ends can't be taken for the numbers that the shim expects."""
    ends = os.pipe()
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _ABOVE) for fd in ends]
    for fd in ends:
        os.close(fd)
    return high[0], high[1]


def _rules(order: dict[str, Any]) -> Ruleset | None:
    wanted = order["landlock"]
    if wanted is None:
        return None
    from core.runtime.worker.landlock import Ruleset

    return Ruleset(wanted["read"], wanted["write"], wanted["list"], network=wanted["network"])


def _filter(order: dict[str, Any]) -> Filter | None:
    wanted = order["landlock"]
    if wanted is None or not wanted["filter"]:
        return None
    from core.runtime.worker.seccomp import Filter

    return Filter(network=wanted["network"], modes=wanted["modes"])


def _become(
    order: dict[str, Any], argv: list[str], restrictions: list[Ruleset | Filter], theirs: list[int], tell: int
) -> None:
    """Turn the forked process into the shim; what prevents it is written to ``tell``."""
    try:
        os.setsid()
        die_with_parent()
        nothing = os.open(os.devnull, os.O_RDONLY)
        requests, replies, stdout, stderr = theirs
        for source, number in ((nothing, 0), (stdout, 1), (stderr, 2), (requests, REQUESTS_FD), (replies, REPLIES_FD)):
            os.dup2(source, number)
        for number in (*_IGNORED_HERE, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(order["cwd"])
        _limit(order["limits"])
        for restriction in restrictions:
            restriction.enter()
        os.execve(argv[0], argv, order["env"])
    except Exception as error:  # noqa: BLE001 - after a fork there is nobody else to tell
        os.write(tell, f"{type(error).__name__}: {error}"[:500].encode("utf-8", "replace"))
    finally:
        os._exit(127)


def _limit(limits: dict[str, int]) -> None:
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_AS, limits["memory"])
    _lower(resource.RLIMIT_CPU, limits["cpu_s"])
    _lower(resource.RLIMIT_FSIZE, limits["file"])
    _lower(resource.RLIMIT_NOFILE, limits["open_files"])
    if hasattr(resource, "RLIMIT_NPROC") and os.geteuid() != 0:
        _lower(resource.RLIMIT_NPROC, len(descendants(1)) + limits["processes"])


def _lower(kind: int, value: int) -> None:
    """Set soft and hard limit, never above the present hard one."""
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (OSError, ValueError):
        return  # a system without this limit; the probe tells what holds
