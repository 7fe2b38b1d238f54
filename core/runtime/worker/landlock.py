"""Landlock: a Linux process gives up access to files, TCP and signals, for good and for its descendants.

Not covered by the kernel's interface: file modes, times and extended attributes, UDP, and sockets reached by path;
``seccomp`` closes some of that.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
import sys

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_NO_NEW_PRIVILEGES = 38
_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_READING = _EXECUTE | _READ_FILE | _READ_FOLDER
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_ALL_RIGHTS = (1 << 16) - 1
_TCP, _SCOPES = 3, 3
_OUT_OF_THE_WAY = 10  # the low numbers are given to the shim


class LandlockUnavailable(Exception):  # noqa: N818 - it names a state of the system
    """The kernel has no Landlock, or refuses it."""


def version() -> int:
    """Return the kernel's Landlock version; 0 where there is none."""
    if sys.platform != "linux":  # the numbers below mean something else elsewhere
        return 0
    try:
        return max(0, int(_libc().syscall(_CREATE_RULESET, None, 0, 1)))
    except (OSError, AttributeError):
        return 0


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


class Ruleset:
    """Rules made ready before a fork, so that the child only has to enter them.

    ``listed`` are folders whose names may be seen, but not what they hold.
    """

    def __init__(self, read: Iterable[str], write: Iterable[str], listed: Iterable[str], *, network: bool) -> None:
        self._libc = _libc()
        self._version = version()
        if self._version < 1:
            raise LandlockUnavailable("the kernel has no Landlock")
        self._rights = _FILE_RIGHTS.get(self._version, _ALL_RIGHTS)
        attributes = [self._rights]
        if self._version >= 4:
            attributes.append(0 if network else _TCP)
        if self._version >= 6:
            attributes.append(_SCOPES)
        packed = struct.pack(f"{len(attributes)}Q", *attributes)
        low = self._call(_CREATE_RULESET, ctypes.create_string_buffer(packed, len(packed)), len(packed), 0)
        self._fd = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY)
        os.close(low)
        for path in listed:
            self._allow(path, _READ_FOLDER)
        for path in read:
            self._allow(path, _READING)
        for path in write:
            self._allow(path, self._rights)

    def _call(self, number: int, *arguments: Any) -> int:
        result = int(self._libc.syscall(number, *arguments))
        if result < 0:
            raise LandlockUnavailable(os.strerror(ctypes.get_errno()))
        return result

    def _allow(self, path: str, rights: int) -> None:
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return  # what isn't there needs no rule
        try:
            allowed = (rights if os.path.isdir(path) else rights & _ON_FILES) & self._rights
            rule = struct.pack("=Qi", allowed, fd)
            self._call(_ADD_RULE, self._fd, _BENEATH, ctypes.create_string_buffer(rule, len(rule)), 0)
        finally:
            os.close(fd)

    def enter(self) -> None:
        """Restrict this process to the rules.

        Raises:
            LandlockUnavailable: the kernel refuses; nothing is restricted then.
        """
        if self._libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
            raise LandlockUnavailable("new privileges can't be given up")
        self._call(_RESTRICT_SELF, self._fd, 0)
