"""How much of one YAML file is read, and how reading ends early."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

MAX_DEPTH: Final = 64
MAX_NODES: Final = 200_000
"""Holds for the values of a file with every alias written out."""
FREE_VALUES: Final = 30_000
CHARACTERS_A_VALUE: Final = 8
KEY: Final = 2
COLLECTION: Final = 4
"""As how many values a key, and an empty list or mapping, count: they take as much memory."""
MAX_ALIASES: Final = 1_000
MAX_TEXT: Final = 262_144
MAX_FAULTS: Final = 100

Report = Callable[..., None]
"""Takes a rule, a span, a message, and as keywords what ``Findings.report`` takes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What passing a limit means. Aliases beyond theirs are read as null, with or without an error."""

    report_aliases: bool = True
    part: int = 1
    """Values are allowed one part of so many."""

    def most_values(self, text: str) -> int:
        """Return how many values, keys included, are read of ``text``, so that they take no multiple of its size."""
        return (FREE_VALUES + len(text) // CHARACTERS_A_VALUE) // self.part


class Stop(Exception):  # noqa: N818 - it ends the reading and is no error
    """Reading ends here; if that is a fault, it has been reported."""
