"""Finds the best confinement by trying each one; the answer is kept while system and programs stay the same."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.runtime.bubblewrap import World
from core.runtime.confinement import Confinement, Mechanism, shim_environment
from core.runtime.python import LIBRARY, interpreter_paths, overlay_command, probe_command
from core.sources.program import ProgramRefused, resolve_program
from core.sources.reaper import finds_descendants

_PATIENCE_S = 10
_VERSION = 4
_OPTIONS: tuple[tuple[str, ...], ...] = (("--unshare-user", "--disable-userns"), ("--unshare-user",), ())
_BARELY = {"write_outside", "read_outside"}


def find_confinement(root: Path, state: Path) -> Confinement:
    """Return the best confinement that works here; tried once for each state of the system.

    The workspace ``root`` never provides a program for it. An answer that can't be kept is found again next time.
    """
    program = _bubblewrap(root)
    key = _key(program)
    kept = state / "confinement.json"
    if state.resolve().is_relative_to(root.resolve()):
        return _with_overlay(_try_all(program), state)  # who writes the workspace could have written the answer
    found = _read(kept, key)
    if found is None:
        found = _with_overlay(_try_all(program), state)
        _write(kept, key, found)
    return found


def _bubblewrap(root: Path) -> str | None:
    try:
        return resolve_program("bwrap", root, os.environ, str(root))
    except ProgramRefused:
        return None


def _key(program: str | None) -> list[Any]:
    system = os.uname()
    stamp = os.stat(program).st_mtime_ns if program else None
    return [
        _VERSION,
        finds_descendants(),
        system.sysname,
        system.release,
        system.version,
        os.geteuid(),
        program,
        stamp,
        LIBRARY,
    ]


def _try_all(program: str | None) -> Confinement:
    found = (try_mechanism(mechanism, program) for mechanism in Mechanism)
    return next(confinement for confinement in found if confinement is not None)


def try_mechanism(mechanism: Mechanism, program: str | None = None) -> Confinement | None:
    """Return what ``mechanism`` achieves here; None when it doesn't work. ``program`` is bubblewrap's path."""
    if mechanism is Mechanism.LIMITS:
        return Confinement(reaps=finds_descendants())
    if mechanism is Mechanism.LANDLOCK:
        return _tried(Confinement(mechanism, reaps=finds_descendants()))
    if mechanism is Mechanism.LANDLOCK_SECCOMP:
        return _tried_both_ways(Confinement(mechanism, reaps=finds_descendants()))
    tried = (_tried(Confinement(mechanism, program, options)) for options in _OPTIONS if program)
    return next((confinement for confinement in tried if confinement is not None), None)


def _with_overlay(found: Confinement, state: Path) -> Confinement:
    return replace(found, overlay=offers_overlay(found, state / "scratch"))


def offers_overlay(found: Confinement, folder: Path) -> bool:
    """Whether an overlay whose changes lie in ``folder`` works here, and ``found`` holds on it as it does elsewhere."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="probe-", dir=folder) as made:
            left_open = _open_ways(found, overlay=_workspace_to_overlay(Path(made)))
    except OSError:
        return False
    return left_open is not None and (found.mechanism is Mechanism.LIMITS or left_open <= found.open)


def _workspace_to_overlay(folder: Path) -> dict[str, str]:
    """Make what ``worker.overlay_probe`` tries; return its plan."""
    (folder / "source/folder").mkdir(parents=True)
    for name in ("changed", "kept", "here", "gone", "file", "folder/old"):
        (folder / "source" / name).write_text("probe")
    os.mkfifo(folder / "source/pipe")
    return {name: str(folder / name) for name in ("source", "target", "layers")}


def _tried_both_ways(wanted: Confinement) -> Confinement | None:
    """Return ``wanted`` as ``_tried`` does, with what a tool that only reads could do beside it."""
    writer, reader = _tried(wanted), _tried(wanted, writes=False)
    return None if writer is None or reader is None else replace(writer, open_to_readers=reader.open)


def _tried(wanted: Confinement, *, writes: bool = True) -> Confinement | None:
    """Return ``wanted`` with what the trial could do in it; None when it doesn't hold the least."""
    found = _open_ways(wanted, writes=writes)
    return None if found is None or found & _BARELY else replace(wanted, open=found)


def _open_ways(
    wanted: Confinement, *, writes: bool = True, overlay: dict[str, str] | None = None
) -> frozenset[str] | None:
    """Return the names of what the trial could do in ``wanted``, on ``overlay`` if given; None if it does not start."""
    with tempfile.TemporaryDirectory(prefix="skill-explorer-probe-") as made, _targets(Path(made)) as (plan, arrived):
        folder = Path(made)
        head = [] if overlay is None else overlay_command(json.dumps(overlay))
        if overlay is not None:
            plan["workspace"] = overlay["target"]
        paths = (*interpreter_paths(), plan["workspace"])
        home = str(folder / "home")
        world = World(paths, (home,), environment=shim_environment(home, "/tmp"), writes=writes)
        worked = _run(wanted, world, plan, head)
        if worked is None:
            return None
        worked["udp"] = worked["udp"] and arrived()
    return frozenset(name for name, success in worked.items() if success)


@contextlib.contextmanager
def _targets(folder: Path) -> Iterator[tuple[dict[str, Any], Callable[[], bool]]]:
    """Make what a confined process should not reach; also a way to ask whether a datagram came through."""
    for name in ("workspace", "outside", "home"):
        (folder / name).mkdir()
    for name in ("workspace", "outside"):
        (folder / name / "file").write_text("probe")
    with (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as local,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams,
    ):
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        udp.bind(("127.0.0.1", 0))
        udp.setblocking(False)
        local.bind(str(folder / "outside" / "socket"))
        local.listen()
        datagrams.bind(str(folder / "outside" / "datagrams"))
        plan = {
            "workspace": str(folder / "workspace"),
            "outside": str(folder / "outside"),
            "pid": os.getpid(),
            "started": _started(),
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
        }
        yield plan, lambda: _arrived(udp)


def _started() -> str:
    """Return the start time of this process, which tells it from another of the same number."""
    try:
        return Path("/proc/self/stat").read_text(errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _arrived(udp: socket.socket) -> bool:
    try:
        return bool(udp.recv(16))
    except OSError:
        return False


def _run(wanted: Confinement, world: World, plan: dict[str, Any], head: list[str]) -> dict[str, bool] | None:
    """Run the trial as a tool would be run; None when it does not even start."""
    rules = wanted.rules(world) if wanted.mechanism.by_rules else None
    order = wanted.order(probe_command(json.dumps({**plan, "landlock": rules})), world, "/")
    try:
        done = subprocess.run(
            [*head, *order["argv"]],
            env=world.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE_S,
            cwd="/",
            start_new_session=True,
            check=True,
        )
        worked = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return worked if isinstance(worked, dict) else None


def _read(path: Path, key: list[Any]) -> Confinement | None:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["key"] != key:
            return None
        mechanism = Mechanism(kept["mechanism"])
        options, gaps, to_readers = tuple(kept["options"]), frozenset(kept["open"]), kept["open_to_readers"]
        readers = None if to_readers is None else frozenset(to_readers)
        overlay = kept["overlay"] is True
        return Confinement(mechanism, kept["program"], options, gaps, bool(kept["reaps"]), readers, overlay)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _write(path: Path, key: list[Any], found: Confinement) -> None:
    kept = {
        "key": key,
        "mechanism": found.mechanism,
        "program": found.program,
        "options": found.options,
        "open": sorted(found.open),
        "reaps": found.reaps,
        "overlay": found.overlay,
        "open_to_readers": None if found.open_to_readers is None else sorted(found.open_to_readers),
    }
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        fresh.write_text(json.dumps(kept), encoding="utf-8")
        fresh.replace(path)
    except OSError:
        return  # found again next time
