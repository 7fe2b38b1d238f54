"""Mounts that only this process and what it starts can see; no privilege is needed where the kernel allows it."""

from __future__ import annotations

import ctypes
import os

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from typing import Any

_NEW_USER, _NEW_MOUNTS = 0x10000000, 0x20000
_NO_SUID, _NO_DEVICES = 2, 4
_DETACH, _NO_FOLLOW = 2, 8


def enter_own_mounts() -> None:
    """Move this process into user and mount namespaces of its own, in which it is still the same user.

    Raises:
        OSError: the kernel refuses; the process may be nobody from then on.
    """
    user, group = os.geteuid(), os.getegid()
    _call("unshare", ctypes.c_int(_NEW_USER | _NEW_MOUNTS))
    _write("setgroups", "deny")
    _write("uid_map", f"{user} {user} 1")
    _write("gid_map", f"{group} {group} 1")


def mount_overlay(lower: str, upper: str, work: str, target: str) -> None:
    """Mount an overlay at ``target``. Folders are named by descriptors, so that any character may be in a path.

    Raises:
        OSError: the kernel refuses.
    """
    held = [os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC) for path in (lower, upper, work)]
    try:
        names = zip(("lowerdir", "upperdir", "workdir"), held, strict=True)
        options = ",".join([*(f"{name}=/proc/self/fd/{fd}" for name, fd in names), "userxattr"])
        flags = ctypes.c_ulong(_NO_SUID | _NO_DEVICES)
        _call("mount", b"overlay", os.fsencode(target), b"overlay", flags, options.encode())
    finally:
        for fd in held:
            os.close(fd)


def unmount(target: str) -> None:
    """Take the mount at ``target`` away, even if somebody still works in it.

    Raises:
        OSError: nothing is mounted there.
    """
    _call("umount2", os.fsencode(target), ctypes.c_int(_DETACH | _NO_FOLLOW))


def _call(name: str, *arguments: Any) -> None:
    call = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if call is None:
        raise OSError(f"this system has no {name}")
    if call(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _write(name: str, text: str) -> None:
    with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
        file.write(text)
