"""Which confinement is in force, found by trying (resolution, part 4): bubblewrap, Landlock with or without a filter
of system calls, or limits alone.

What is said about it comes from what the trial could and could not do, never from the mechanism's name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.runtime.bubblewrap import READABLE_FOR_NETWORK, READABLE_SYSTEM, World, bubblewrap_command
from core.runtime.python import LIBRARY

_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Mechanism(StrEnum):
    """What confines a tool, best first."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK_SECCOMP = "Landlock and seccomp"
    LANDLOCK = "Landlock"
    LIMITS = "limits"

    @property
    def by_rules(self) -> bool:
        """Whether the process gives up rights itself, rather than being put into a world of its own."""
        return self in (Mechanism.LANDLOCK_SECCOMP, Mechanism.LANDLOCK)


class WorksOn(StrEnum):
    """What a tool finds at its working folder."""

    COPY = "copy"
    READ_ONLY_COPY = "read_only_copy"
    REAL = "real"
    SEALED = "sealed"
    READ = "read"


_WORKS_ON = {
    WorksOn.COPY: "It works on {} of the workspace{}.",
    WorksOn.READ_ONLY_COPY: "It works on {} of the workspace, and any change is refused{}.",
    WorksOn.REAL: "It works on the real workspace.",
    WorksOn.SEALED: "It reads the real workspace and can't change it.",
    WorksOn.READ: "It reads the real workspace.",
}
_LIMITS_OF_OVERLAYS = ": what others save meanwhile shows through, and folders that are there already can't be renamed"
WRITABLE = (WorksOn.COPY, WorksOn.REAL)
_ASPECTS = (
    ("write_outside", "write elsewhere", "writing elsewhere"),
    ("modes_outside", "change modes and times of other files", "modes and times of other files"),
    ("read_outside", "read your other files", "reading your other files"),
    ("processes", "see other processes", "other processes"),
    ("sockets", "reach local sockets", "local sockets"),
    ("network", "use the network", "the network"),
    ("tcp", "open TCP connections", "TCP connections"),
    ("udp", "send UDP", "UDP"),
)
_NETWORK = frozenset({"tcp", "udp"})


@dataclass(frozen=True, slots=True)
class Grant:
    """What one call is given."""

    works_on: WorksOn
    network: bool = False


@dataclass(frozen=True, slots=True)
class Confinement:
    """The mechanism that was found; ``open`` names what the trial could do in spite of it.

    ``open_to_readers`` is the same for a tool that only reads; None: no different. ``reaps`` says whether processes
    that a tool detaches are found and ended with it, ``overlay`` whether all this holds on an overlay too.
    """

    mechanism: Mechanism = Mechanism.LIMITS
    program: str | None = None
    options: tuple[str, ...] = ()
    open: frozenset[str] = field(
        default_factory=lambda: frozenset(name for name, _, _ in _ASPECTS if name != "network")
    )

    reaps: bool = True
    open_to_readers: frozenset[str] | None = None
    overlay: bool = False

    def gaps(self, grant: Grant) -> frozenset[str]:
        """Return the names of what a call with ``grant`` could do in spite of the confinement."""
        writes = grant.works_on in WRITABLE
        return self.open if writes or self.open_to_readers is None else self.open_to_readers

    def seals(self) -> bool:
        """Whether the real workspace can be shown to a tool that must not change it in any way."""
        return self.mechanism is Mechanism.BUBBLEWRAP and not self.open & {"write_workspace", "modes_workspace"}

    def sentence(self, grant: Grant, *, overlaid: bool = False) -> str:
        """Say in words what holds for a call with ``grant``; ``overlaid`` says that an overlay stands for the copy."""
        outlives = "" if self.reaps else " Processes that it detaches may outlive the call."
        what = "an overlay" if overlaid else "a copy or an overlay" if self.overlay else "a copy"
        where = _WORKS_ON[grant.works_on].format(what, _LIMITS_OF_OVERLAYS if overlaid else "")
        return f"{self._what_holds(grant)} {where}{outlives}"

    def _what_holds(self, grant: Grant) -> str:
        if self.mechanism is Mechanism.LIMITS:
            return (
                "Not sandboxed: runs as you, can read and write your files and use the network; "
                "only time, memory and output are limited."
            )
        gaps = self.gaps(grant)
        aspects = _aspects(gaps, grant.network)
        closed = [verb for name, verb, _ in aspects if name not in gaps]
        left = [noun for name, _, noun in aspects if name in gaps]
        network = " The network is open, since the tool declares side effects." if grant.network else ""
        if not left:
            return f"Sandboxed by {self.mechanism}: it can't {_listed(closed)}.{network}"
        partly = f"Partly sandboxed by {self.mechanism}: it can't {_listed(closed)}."
        return f"{partly} Not blocked: {', '.join(left)}.{network}"

    def order(self, argv: list[str], world: World, cwd: str) -> dict[str, Any]:
        """Return the part of a supervisor's order that confines ``argv``."""
        order: dict[str, Any] = {"argv": argv, "binds_at": None, "landlock": None, "cwd": cwd, "env": world.environment}
        if self.mechanism is Mechanism.BUBBLEWRAP and self.program:
            head = bubblewrap_command(self.program, self.options, world, cwd)
            order |= {"argv": [*head, "--", *argv], "binds_at": len(head), "cwd": "/", "env": {}}
        elif self.mechanism.by_rules:
            order["landlock"] = self.rules(world)
        return order

    def rules(self, world: World) -> Mapping[str, Any]:
        """Return what a process that gives up rights keeps: paths, the network, and what a filter leaves it."""
        system = (*READABLE_SYSTEM, *(READABLE_FOR_NETWORK if world.network else ()))
        paths = {"read": [*system, *world.read], "write": [*_DEVICES, *world.write], "list": [LIBRARY]}
        filtered = self.mechanism is Mechanism.LANDLOCK_SECCOMP
        return {**paths, "network": world.network, "filter": filtered, "modes": world.writes}


def _aspects(left_open: frozenset[str], granted: bool) -> list[tuple[str, str, str]]:
    """Return what is worth saying: nothing of a network that is granted, and in one word what is wholly closed."""
    closed = {"network"} if left_open & _NETWORK else set(_NETWORK)
    unsaid = {"network", *_NETWORK, "sockets"} if granted else closed  # sockets without a path come with the network
    return [aspect for aspect in _ASPECTS if aspect[0] not in unsaid]


def _listed(words: list[str]) -> str:
    if not words:
        return "exceed its limits of time, memory and output"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def shim_environment(home: str, temporary: str) -> dict[str, str]:
    """Return the whole environment of a tool: nothing of the user's own."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": home,
        "TMPDIR": temporary,
        "TZ": os.environ.get("TZ", "UTC"),
        "GIT_OPTIONAL_LOCKS": "0",
    }
