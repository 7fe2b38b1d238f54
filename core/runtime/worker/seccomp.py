"""A filter of system calls for what Landlock leaves open: sockets, modes, times, attributes, and other processes.

What is not known is refused: calls newer than the list, and those of another architecture.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

from core.runtime.worker.syscalls import NEWEST, numbers

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Iterable

_SET_SECCOMP, _FILTER, _NO_NEW_PRIVILEGES = 22, 2, 38
_LOAD, _AND, _EQUAL, _ABOVE, _HAS, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NEW_NAMESPACES = 0x7E020080  # the CLONE_NEW* flags
_STREAM, _PACKETS, _KIND = 1, 5, 0xF  # of a pair of sockets; datagrams could be sent elsewhere
_INTERNET, _INTERNET_6, _NETLINK = 2, 10, 16

_OTHERS = ("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise")
_KERNEL = (
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("add_key", "request_key", "keyctl", "init_module", "finit_module", "delete_module", "kexec_load"),
    *("kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "syslog", "vhangup"),
    *("settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "sethostname", "setdomainname", "iopl", "ioperm"),
)
_MOUNTS = (
    *("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree", "move_mount", "fsopen", "fsconfig"),
    *("fsmount", "fspick", "mount_setattr", "fanotify_init", "name_to_handle_at", "open_by_handle_at"),
)
_OWNERS = ("chown", "fchown", "lchown", "fchownat")
_ATTRIBUTES = ("setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr")
_MODES = ("chmod", "fchmodat", "fchmodat2", "utime", "utimes", "futimesat")


class SeccompUnavailable(Exception):  # noqa: N818 - it names a state of the system
    """The kernel has no such filter, refuses it, or is of a machine that isn't known here."""


class Filter:
    """The filter, made ready before a fork.

    ``network`` leaves the internet's sockets open; ``modes`` lets modes and times of files be changed, which a tool
    that writes into its copy needs.
    """

    def __init__(self, *, network: bool, modes: bool) -> None:
        known = numbers()
        if sys.platform != "linux" or known is None:
            raise SeccompUnavailable("the system calls of this machine are not known")
        self._numbers = known
        code = [*self._known_only(), *self._refused(modes), *self._clone(), *self._sockets(network)]
        code += [] if modes else self._times()
        self._code = b"".join([*code, _returns(_ALLOW)])

    def enter(self) -> None:
        """Restrict this process and its descendants, for good.

        Raises:
            SeccompUnavailable: the kernel refuses; nothing is restricted then.
        """
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
            raise SeccompUnavailable("new privileges can't be given up")
        code = ctypes.create_string_buffer(self._code, len(self._code))
        program = struct.pack("@HP", len(self._code) // 8, ctypes.addressof(code))
        if libc.prctl(_SET_SECCOMP, _FILTER, ctypes.create_string_buffer(program, len(program)), 0, 0) != 0:
            raise SeccompUnavailable(os.strerror(ctypes.get_errno()))

    def _known_only(self) -> list[bytes]:
        unknown = _returns(_REFUSE | errno.ENOSYS)
        right = _step(_EQUAL, self._numbers.architecture, 1, 0)
        return [_step(_LOAD, _ARCHITECTURE), right, unknown, _load_number(), _step(_ABOVE, NEWEST, 0, 1), unknown]

    def _refused(self, modes: bool) -> list[bytes]:
        names = (*_OTHERS, *_KERNEL, *_MOUNTS, *_OWNERS, *_ATTRIBUTES, *(() if modes else _MODES))
        refused = [self._numbers.of(names), self._numbers.of(["clone3"])]
        answers = [_returns(_REFUSE | errno.EPERM), _returns(_REFUSE | errno.ENOSYS)]  # who lacks clone3 uses clone
        pairs = ((number, answer) for some, answer in zip(refused, answers, strict=True) for number in some)
        return [part for number, answer in pairs for part in (_step(_EQUAL, number, 0, 1), answer)]

    def _clone(self) -> list[bytes]:
        """New namespaces are refused, new processes and threads are not."""
        asks = [_argument(0), _step(_HAS, _NEW_NAMESPACES, 0, 1), _returns(_REFUSE | errno.EPERM), _returns(_ALLOW)]
        return self._for("clone", asks)

    def _sockets(self, network: bool) -> list[bytes]:
        """Of sockets, the internet's where that is granted; of pairs, those that stay among themselves."""
        families = (_INTERNET, _INTERNET_6, _NETLINK) if network else ()
        pair = [_argument(1), _step(_AND, _KIND), *_one_of((_STREAM, _PACKETS))]
        return [*self._for("socket", [_argument(0), *_one_of(families)]), *self._for("socketpair", pair)]

    def _times(self) -> list[bytes]:
        """Times by an open file, without a path, are harmless: the file was opened under Landlock's rules."""
        low, high = _argument(1), _step(_LOAD, _ARGUMENTS + 8 + 4)
        refuse = _returns(_REFUSE | errno.EPERM)
        return self._for(
            "utimensat", [low, _step(_EQUAL, 0, 0, 2), high, _step(_EQUAL, 0, 1, 0), refuse, _returns(_ALLOW)]
        )

    def _for(self, name: str, part: list[bytes]) -> list[bytes]:
        """Return ``part`` for the call ``name`` alone; ``part`` always returns, and leaves the number as it was."""
        return [step for number in self._numbers.of([name]) for step in (_step(_EQUAL, number, 0, len(part)), *part)]


def _one_of(values: Iterable[int]) -> list[bytes]:
    allowed = [step for value in values for step in (_step(_EQUAL, value, 0, 1), _returns(_ALLOW))]
    return [*allowed, _returns(_REFUSE | errno.EACCES)]


def _step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)


def _returns(what: int) -> bytes:
    return _step(_RETURN, what)


def _load_number() -> bytes:
    return _step(_LOAD, _NUMBER)


def _argument(index: int) -> bytes:
    """Load the low half of an argument, on machines that put it first."""
    return _step(_LOAD, _ARGUMENTS + 8 * index)
