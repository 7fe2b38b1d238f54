"""Opening a file of the workspace in the user's editor, at a line."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

FALLBACKS = ("nano", "vim", "vi")
_GOTO = ("code", "code-insiders", "codium", "cursor", "windsurf")
_COLON = ("subl", "hx", "helix", "zed", "micro")


class NoEditor(Exception):  # noqa: N818 - it names a state
    """There is no editor that may be started; the message says why."""


def editor_command(root: Path, path: str, line: int, environment: Mapping[str, str] | None = None) -> list[str]:
    """Return the arguments that open ``path`` of the workspace ``root`` at ``line``; no shell is involved.

    Raises:
        NoEditor: none is set or found, it lies in the workspace, or the file is not in the workspace.
    """
    environment = os.environ if environment is None else environment
    said = environment.get("VISUAL") or environment.get("EDITOR")
    try:
        words = shlex.split(said) if said else []
    except ValueError as error:
        raise NoEditor(f"$EDITOR is not a command: {error}") from error
    folder = root.resolve()
    program = _program(words[0] if words else None, folder, environment.get("PATH"))
    file = (folder / path).resolve()
    if not file.is_relative_to(folder) or not file.is_file():
        raise NoEditor(f"{path} is not a file of this workspace")
    return [program, *words[1:], *_arguments(Path(program).name, file, line)]


def _program(name: str | None, folder: Path, search: str | None) -> str:
    for candidate in (name,) if name else FALLBACKS:
        found = shutil.which(candidate, path=search)
        if found is None:
            continue
        if Path(found).resolve().is_relative_to(folder):
            raise NoEditor(f"the editor {candidate} lies in the workspace, so it is not started")
        return str(Path(found).absolute())
    raise NoEditor(f"{name} is not a program" if name else "set $EDITOR to open files in your editor")


def _arguments(program: str, file: Path, line: int) -> list[str]:
    if program in _GOTO:
        return ["--wait", "--goto", f"{file}:{line}"]
    if program in _COLON:
        return [f"{file}:{line}"]
    return [f"+{line}", str(file)]
