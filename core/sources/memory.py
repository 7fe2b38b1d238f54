"""What an adapter may remember from one run to the next: short texts, none of them needed."""

from __future__ import annotations

from typing import Protocol


class Memory(Protocol):
    """Keeps a text under a key; what it has forgotten costs time, nothing else. Used from any thread."""

    def recall(self, key: str) -> str | None:
        """Return what was kept under ``key``, if it still is."""
        ...

    def remember(self, key: str, text: str) -> None:
        """Keep ``text`` under ``key``; never raises. May block for a moment."""
        ...


class ProcessMemory:
    """Remembers as long as the program runs."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def recall(self, key: str) -> str | None:
        """Return what was kept under ``key``."""
        return self._kept.get(key)

    def remember(self, key: str, text: str) -> None:
        """Keep ``text`` under ``key``."""
        self._kept[key] = text
