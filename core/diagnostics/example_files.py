"""Files of rule examples that plain text can't stand for; as text each says what it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Self


class Stored(str):
    """Shown as its text, but stored as other bytes, for encodings and sizes that no page can show."""

    stored: Callable[[], bytes]

    def __new__(cls, shown: str, stored: Callable[[], bytes]) -> Self:
        """Take what is shown, and what gives the bytes."""
        new = super().__new__(cls, shown)
        new.stored = stored
        return new

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        """Return the stored bytes, whatever the encoding."""
        return self.stored()


class Link(str):
    """A symbolic link; ``target`` is where it leads."""

    target: str

    def __new__(cls, target: str) -> Self:
        """Take where the link leads, as it is written into it."""
        new = super().__new__(cls, f"(a symbolic link to {target})")
        new.target = target
        return new

    def make(self, path: Path) -> None:
        """Create the link at ``path``."""
        path.symlink_to(self.target)


class Pipe(str):
    """A named pipe, which no reader may open: it would wait for ever."""

    def __new__(cls) -> Self:
        """Take nothing: all pipes are alike."""
        return super().__new__(cls, "(a named pipe)")

    def make(self, path: Path) -> None:
        """Create the pipe at ``path``."""
        os.mkfifo(path)
