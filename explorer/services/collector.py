"""The garbage collector, kept from stopping the screen: it never walks all of a large workspace while keys wait."""

from __future__ import annotations

import gc
from dataclasses import dataclass

EVERY_S = 10.0
NEVER = 1_000_000_000
MOST_ROUNDS = 40
"""Middle rounds between two tidyings, at most some 7,000 new objects each, up to which a full walk is short."""


@dataclass
class Collector:
    """Lets the two quick kinds of round run by themselves and does the full one itself, every ``EVERY_S`` seconds.

    Where so much has been made meanwhile that a full walk would be felt, all there is by now is set aside instead,
    and never walked again: large sets of data hold no cycles, and what holds none needs no collector to go.
    """

    _before: tuple[int, int, int] | None = None

    def start(self) -> None:
        """Take over. What is there by now stays."""
        if self._before is None:
            self._before = gc.get_threshold()
            gc.freeze()
            gc.set_threshold(*self._before[:2], NEVER)
            gc.enable()

    def tidy(self) -> None:
        """Do the full round, or set aside what would make it long; nothing while somebody keeps the collector off."""
        if not gc.isenabled():
            return
        if gc.get_count()[2] > MOST_ROUNDS:
            gc.freeze()
        else:
            gc.collect()

    def stop(self) -> None:
        """Let the full round run by itself again; what is set aside stays so, and costs nothing at the end."""
        if self._before is not None:
            gc.set_threshold(*self._before)
            self._before = None
