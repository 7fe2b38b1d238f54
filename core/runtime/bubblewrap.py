"""The command line of bubblewrap: an empty world into which only what a tool needs is mounted."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

_SYSTEM_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/mime.types", "/nix/store")
_NETWORK_FILES = (
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/ssl",
    "/etc/pki",
    "/etc/ca-certificates",
    "/run/systemd/resolve",
)
_TMP_BYTES = 1 << 28
READABLE_SYSTEM = ("/usr", *_SYSTEM_LINKS, *_SYSTEM_FILES)
READABLE_FOR_NETWORK = _NETWORK_FILES


@dataclass(frozen=True, slots=True)
class World:
    """What a confined process may see: ``read`` and ``write`` are real paths, mounted at the same place.

    ``hide`` are folders inside them that look empty. ``writes`` says whether files of the workspace may be changed.
    """

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    network: bool = False
    environment: dict[str, str] = field(default_factory=dict)
    hide: tuple[str, ...] = ()
    writes: bool = True


def bubblewrap_command(program: str, extra: Iterable[str], world: World, cwd: str) -> list[str]:
    """Return the options before the ``--``; mounts that are given later go to the end of this list.

    Order matters to bubblewrap: what is mounted below ``/tmp`` must come after the empty ``/tmp``, and a folder
    before what is mounted inside it.
    """
    network = ["--share-net"] if world.network else []
    fixed = ["--die-with-parent", "--new-session", "--clearenv", "--proc", "/proc", "--dev", "/dev"]
    command = [program, "--unshare-all", *network, *extra, *fixed]
    command += ["--size", str(_TMP_BYTES), "--tmpfs", "/tmp", *_system(), *_try(_SYSTEM_FILES)]
    command += _try(_NETWORK_FILES) if world.network else []
    mounts = [(path, ["--bind", path, path]) for path in world.write]
    mounts += [(path, ["--ro-bind", path, path]) for path in world.read]
    mounts += [(path, ["--tmpfs", path]) for path in world.hide]
    for _, words in sorted(mounts):
        command += words
    for name, value in world.environment.items():
        command += ["--setenv", name, value]
    return [*command, "--chdir", cwd]


def _system() -> list[str]:
    made = ["--ro-bind", "/usr", "/usr"]
    for path in _SYSTEM_LINKS:
        if os.path.islink(path):
            made += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            made += ["--ro-bind", path, path]
    return made


def _try(paths: Iterable[str]) -> list[str]:
    return [word for path in paths for word in ("--ro-bind-try", path, path)]
