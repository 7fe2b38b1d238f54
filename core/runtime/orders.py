"""What a supervisor is told to begin with: where the tool works, what it may see and use, and how it is started."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from core.runtime.bubblewrap import World
from core.runtime.confinement import WRITABLE, Confinement, Grant, WorksOn, shim_environment
from core.runtime.errors import REPLY_LIMIT
from core.runtime.python import interpreter_paths, shim_command
from core.sources.interface import Program

LOG_LIMIT = 1 << 18
COPY_ENTRIES = 50_000
COPY_BYTES = 1 << 30
OVERLAY_ENTRIES = 500_000
QUICK_ENTRIES, QUICK_BYTES = 10_000, 1 << 27
"""What is copied even where an overlay is possible: about a second's work where no blocks are shared."""
_CPU_SLACK_S = 60
_KINDS = {
    WorksOn.COPY: "copy",
    WorksOn.READ_ONLY_COPY: "copy",
    WorksOn.REAL: "real",
    WorksOn.SEALED: "sealed",
    WorksOn.READ: "read",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """What one process of a tool may use; the time limit is the call's own."""

    memory: int = 1 << 31
    file: int = 1 << 28
    open_files: int = 256
    processes: int = 200

    def order(self, timeout_s: float) -> dict[str, int]:
        """Return the limits as a supervisor's order has them."""
        return {**asdict(self), "cpu_s": int(timeout_s) + _CPU_SLACK_S}


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker is started with."""

    root: Path
    scratch: Path
    grant: Grant
    confinement: Confinement
    limits: Limits = field(default_factory=Limits)
    exclude: tuple[str, ...] = ()


def place_of(setup: Setup, folder: str) -> str:
    """Return the folder that the tool works in, for a call whose own folder is ``folder``."""
    return os.path.join(folder, "workspace") if _KINDS[setup.grant.works_on] == "copy" else str(setup.root)


def start_order(setup: Setup, folder: str, program: Program, timeout_s: float) -> dict[str, Any]:
    """Return the first order of a call."""
    home, temporary, place = os.path.join(folder, "home"), os.path.join(folder, "tmp"), place_of(setup, folder)
    write, read = [home, temporary], [*interpreter_paths(), *program.visible]
    writes = setup.grant.works_on in WRITABLE
    (write if writes else read).append(place)
    environment = shim_environment(home, temporary)
    hide = tuple(os.path.join(place, path) for path in _inside(setup.exclude, place))
    world = World(tuple(dict.fromkeys(read)), tuple(write), setup.grant.network, environment, hide, writes)
    return {
        "op": "start",
        "scratch": folder,
        "folders": ["home", "tmp"],
        "place": {
            "kind": _KINDS[setup.grant.works_on],
            "source": str(setup.root),
            "target": place,
            "nothing": os.path.join(folder, "nothing"),
            "entries": COPY_ENTRIES,
            "bytes": COPY_BYTES,
            "exclude": list(setup.exclude),
            "overlay": _overlay(folder) if setup.confinement.overlay else None,
        },
        "limits": setup.limits.order(timeout_s),
        "reply_limit": REPLY_LIMIT,
        "log_limit": LOG_LIMIT,
        **setup.confinement.order(shim_command(), world, place),
    }


def _inside(paths: Iterable[str], place: str) -> Iterator[str]:
    """Yield those of ``paths`` that lie in ``place``, by whatever name, relative to it."""
    real = os.path.realpath(place)
    for path in map(os.path.realpath, paths):
        if Path(path).is_relative_to(real):
            yield os.path.relpath(path, real)


def _overlay(folder: str) -> dict[str, Any]:
    return {
        "layers": os.path.join(folder, "layers"),
        "entries": OVERLAY_ENTRIES,
        "quick_entries": QUICK_ENTRIES,
        "quick_bytes": QUICK_BYTES,
    }
