"""Where a program comes from: never from the workspace, whatever the PATH says (resolution, part 5)."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path


class ProgramRefused(Exception):  # noqa: N818 - it names what happened, as its siblings do
    """A program that is missing or must not be run; the message says which and why.

    ``inside`` tells a program that lies in the workspace from one that isn't there.
    """

    def __init__(self, message: str, *, inside: bool = False) -> None:
        super().__init__(message)
        self.inside = inside


def is_inside(path: str, root: Path) -> bool:
    """Whether ``path``, as written or with its links followed, lies in the workspace ``root``."""
    roots = {os.path.abspath(root), os.path.realpath(root)}
    return any(os.path.commonpath([base, way]) == base for base in roots for way in _ways(path))


def _ways(path: str) -> tuple[str, ...]:
    absolute = os.path.abspath(path)
    parent = os.path.join(os.path.realpath(os.path.dirname(absolute)), os.path.basename(absolute))
    return absolute, parent, os.path.realpath(absolute)


def clean_path(root: Path, environ: Mapping[str, str]) -> str:
    """Return the PATH of ``environ`` without relative, empty and workspace entries."""
    entries = environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(e for e in entries if os.path.isabs(e) and not is_inside(e, root))


def resolve_program(name: str, root: Path, environ: Mapping[str, str], folder: str) -> str:
    """Return the absolute path of the program ``name``; one with a slash starts at ``folder``.

    Raises:
        ProgramRefused: it isn't there, isn't executable, or lies inside the workspace.
    """
    if not name or "\0" in name:
        raise ProgramRefused("the command is empty" if not name else "the command holds a NUL character")
    if os.sep in name:
        return _checked(os.path.normpath(os.path.join(folder, name)), name, root)
    for entry in filter(None, clean_path(root, environ).split(os.pathsep)):
        candidate = os.path.join(entry, name)
        if _is_program(candidate) and not is_inside(candidate, root):
            return candidate
    raise ProgramRefused(f"no program {name!r} on the PATH outside the workspace")


def _checked(path: str, name: str, root: Path) -> str:
    if is_inside(path, root):
        raise ProgramRefused(
            f"the program {name!r} lies inside the workspace; a program of the system may run a script of the "
            "workspace instead",
            inside=True,
        )
    if not _is_program(path):
        raise ProgramRefused(f"{name!r} is no executable file")
    return path


def _is_program(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(mode) and os.access(path, os.X_OK)
