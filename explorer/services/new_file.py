"""Writing a new file for the user's eyes alone; nothing is ever replaced."""

from __future__ import annotations

import os
from pathlib import Path

from core.registry.private_file import private_folder

MOST_OF_A_NAME = 1_000


def write_new(text: str, folder: Path, name: str, suffix: str, number: int = 1) -> Path:
    """Write ``text`` to ``name-number.suffix`` in ``folder``, or under the next number that is free; raises OSError."""
    private_folder(folder)
    for at in range(number, number + MOST_OF_A_NAME):
        path = folder / f"{name}-{at}.{suffix}"
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except FileExistsError:
            continue
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        return path
    raise FileExistsError("a thousand files of that name are there already")
