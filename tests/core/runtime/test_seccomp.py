"""The filter of system calls, from inside: what it refuses, and that ordinary programs don't notice it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest
from places import ROOT

from core.runtime.worker.seccomp import Filter, SeccompUnavailable
from core.runtime.worker.syscalls import numbers

PROGRAM = """
import asyncio, ctypes, errno, json, os, shutil, socket, subprocess, sys, threading
sys.path.insert(0, {root!r})
from core.runtime.worker.seccomp import Filter
from core.runtime.worker.syscalls import numbers
path = {path!r}
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    result = libc.syscall(number, *arguments)
    return errno.errorcode[ctypes.get_errno()] if result < 0 else result
def named(name, *arguments):
    return call(numbers().of([name])[0], *arguments)
def refused(attempt):
    try:
        attempt()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"
fd = os.open(path, os.O_RDWR)
Filter(network={network}, modes={modes}).enter()
def main():
{body}
print(json.dumps(main()))
"""


@pytest.fixture
def inside(tmp_path: Path) -> Any:
    """Run code under the filter and return what it gives."""
    try:
        Filter(network=False, modes=False)
    except SeccompUnavailable as error:
        pytest.skip(str(error))
    (tmp_path / "file").write_text("x")

    def run(body: str, *, network: bool = False, modes: bool = False) -> Any:
        given = {"root": str(ROOT), "path": str(tmp_path / "file"), "network": network, "modes": modes}
        code = PROGRAM.format(body=indent(dedent(body), "    "), **given)
        done = subprocess.run(
            [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


PATHS = """
return [refused(attempt) for attempt in (
    lambda: os.chmod(path, 0o600), lambda: os.utime(path), lambda: shutil.copymode(path, path),
)] + [named("fchmodat2", -100, path.encode(), 0o600, 0)]
"""


def test_modes_and_times_by_path_are_refused_to_a_tool_that_only_reads(inside: Any) -> None:
    assert inside(PATHS) == ["EPERM"] * 4


def test_modes_and_times_by_path_are_left_to_a_tool_that_writes(inside: Any) -> None:
    assert inside(PATHS, modes=True)[:3] == ["done"] * 3


def test_what_is_open_may_be_changed_by_its_descriptor(inside: Any) -> None:
    assert inside("return [refused(lambda: os.utime(fd)), refused(lambda: os.fchmod(fd, 0o600))]") == ["done", "done"]


@pytest.mark.parametrize("modes", [True, False], ids=["writer", "reader"])
def test_owners_and_attributes_are_refused_to_everybody(inside: Any, modes: bool) -> None:
    body = """
    return [refused(attempt) for attempt in (
        lambda: os.setxattr(path, "user.x", b"1"), lambda: os.setxattr(fd, "user.x", b"1"),
        lambda: os.chown(path, os.getuid(), os.getgid()), lambda: os.fchown(fd, os.getuid(), os.getgid()),
    )]
    """
    assert inside(body, modes=modes) == ["EPERM"] * 4


SOCKETS = """
families = {"unix": socket.AF_UNIX, "tcp": socket.AF_INET, "tcp 6": socket.AF_INET6, "vsock": 40}
return {name: refused(lambda: socket.socket(family).close()) for name, family in families.items()}
"""


def test_no_socket_is_had_without_the_network(inside: Any) -> None:
    assert set(inside(SOCKETS).values()) == {"EACCES"}


def test_the_network_brings_the_sockets_of_the_internet_alone(inside: Any) -> None:
    found = inside(SOCKETS, network=True)
    assert (found["unix"], found["vsock"], found["tcp"]) == ("EACCES", "EACCES", "done")


def test_a_pair_of_sockets_stays_among_itself(inside: Any) -> None:
    body = """
    kinds = (socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
    return [refused(lambda: [s.close() for s in socket.socketpair(socket.AF_UNIX, kind)]) for kind in kinds]
    """
    assert inside(body) == ["done", "done", "EACCES", "EACCES"]


def test_what_reaches_around_the_rules_is_refused(inside: Any) -> None:
    """Mounts, new namespaces, other processes' memory, and the queue that makes calls no filter sees."""
    body = """
    names = ("io_uring_setup", "ptrace", "process_vm_readv", "mount", "unshare", "setns", "bpf", "keyctl", "open_tree")
    return [named(name, 0, 0, 0, 0, 0) for name in names] + [named("clone", 0x10000000 | 17, 0, 0, 0, 0)]
    """
    assert set(inside(body)) == {"EPERM"}


def test_calls_that_nobody_has_looked_at_are_unknown(inside: Any) -> None:
    """New ones, those of the 32-bit numbers on a 64-bit kernel, and nonsense."""
    body = "return [call(number, 0, 0, 0, 0, 0) for number in (463, 469, 1000, 0x40000000 + 39, 0x7fffffff, -1)]"
    assert set(inside(body)) == {"ENOSYS"}


@pytest.mark.parametrize("modes", [True, False], ids=["writer", "reader"])
def test_ordinary_programs_do_not_notice(inside: Any, modes: bool) -> None:
    body = """
    said = []
    thread = threading.Thread(target=lambda: said.append("thread")); thread.start(); thread.join()
    async def wait():
        process = await asyncio.create_subprocess_exec("/bin/echo", "process", stdout=asyncio.subprocess.PIPE)
        return (await process.communicate())[0].decode().strip()
    said.append(asyncio.run(wait()))
    said.append(subprocess.run(["/bin/sh", "-c", "echo $((6*7))"], capture_output=True, text=True).stdout.strip())
    os.rename(path, path + ".new"); os.mkdir(path); os.rmdir(path); os.link(path + ".new", path)
    return said
    """
    assert inside(body, modes=modes) == ["thread", "process", "42"]


def test_the_numbers_are_those_that_this_system_uses() -> None:
    """Looked up in the C library's own header where it is there."""
    known = numbers()
    headers = [Path(p) for p in ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm-generic/unistd.h")]
    header = headers[0] if os.uname().machine == "x86_64" else headers[1]
    if known is None or not header.exists():
        pytest.skip("no list of numbers to compare with")
    listed = dict(line.split()[1:3] for line in header.read_text().splitlines() if line.startswith("#define __NR"))
    prefixes = ("__NR_", "__NR3264_")
    for name, number in known._by_name.items():
        said = next((listed[p + name] for p in prefixes if p + name in listed), None)
        assert said is None or int(said, 0) == number, name
