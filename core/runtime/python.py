"""How our own helper processes are started: isolated interpreters that import nothing of the workspace."""

from __future__ import annotations

import os
import sys
from functools import cache

import core

LIBRARY = os.path.dirname(os.path.dirname(os.path.abspath(core.__file__)))
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
_FIND = "import sys; p = sys.argv[1]; known = p in sys.path; known or sys.path.append(p); "


def supervisor_command() -> list[str]:
    """Return the command line of a supervisor."""
    run = f"{_FIND}from core.runtime.worker.supervisor import main; main()"
    return [sys.executable, "-I", "-S", "-X", "utf8", "-c", run, LIBRARY]


def shim_command() -> list[str]:
    """Return the command line of a shim; the installed packages are there for the tool."""
    run = f"{_FIND}from core.runtime.worker.shim import main; main(None if known else p)"
    return [sys.executable, "-I", "-X", "utf8", "-c", run, LIBRARY]


def probe_command(plan: str) -> list[str]:
    """Return the command line that tries what ``plan`` (JSON) describes."""
    run = f"{_FIND}from core.runtime.worker.probe import main; main(sys.argv[2])"
    return [sys.executable, "-I", "-S", "-X", "utf8", "-c", run, LIBRARY, plan]


def overlay_command(plan: str) -> list[str]:
    """Return the head of a command line whose rest is run once the overlay that ``plan`` (JSON) describes works."""
    run = f"{_FIND}from core.runtime.worker.overlay_probe import main; main(sys.argv[2])"
    return [sys.executable, "-I", "-S", "-X", "utf8", "-c", run, LIBRARY, plan]


def checking_command() -> list[str]:
    """Return the command line of a process that checks one value against one schema."""
    run = f"{_FIND}from core.runtime.checking import main; main()"
    return [sys.executable, "-I", "-X", "utf8", "-c", run, LIBRARY]


@cache
def library_folders() -> tuple[str, ...]:
    """Return the folders that a tool's imports come from apart from the workspace: packages, standard library."""
    import sysconfig

    known = [sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib", "platstdlib")]
    found = {path for folder in known if folder for path in (folder, os.path.realpath(folder))}
    return tuple(sorted(found, key=len, reverse=True))


@cache
def interpreter_paths() -> tuple[str, ...]:
    """Return the folders that a helper process must be able to read: interpreter, packages and our own code."""
    own = os.path.join(LIBRARY, "core")
    paths = [sys.base_prefix, sys.prefix, sys.base_exec_prefix, sys.exec_prefix, own]
    real = [os.path.realpath(path) for path in (*paths, os.path.dirname(os.path.realpath(sys.executable)))]
    return tuple(dict.fromkeys([*paths, *real]))
