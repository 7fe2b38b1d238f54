"""Finding skills and tools by the words of their names, fast enough to follow typing over 100,000 of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

LONGEST = 200
"""What is looked at of a query, in characters."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A skill, a tool that it lists itself, or a server of it whose tools are not known yet."""

    skill: str
    tool: str | None = None
    server: str | None = None

    @property
    def name(self) -> str:
        """The last name that it has."""
        return self.tool or self.server or self.skill


def words_of(query: str) -> list[str]:
    """Return the words of a query as names are compared with them."""
    return query[:LONGEST].casefold().split()


class Taken(NamedTuple):
    """What was made findable of one skill, and the file that says all of it, or something else where none does."""

    file: object
    entries: list[Entry]
    haystack: list[str]


@dataclass
class Finder:
    """All names of a workspace, in the order of the tree. A query's words must all occur, case ignored.

    ``taken`` has them by skill, so that the next finder can take over what is the same.
    """

    entries: list[Entry] = field(default_factory=list)
    haystack: list[str] = field(default_factory=list)
    taken: dict[str, Taken] = field(default_factory=dict)
    _last: tuple[str, list[int]] | None = None

    def find(self, query: str, most: int) -> tuple[list[Entry], int]:
        """Return at most ``most`` entries that hold every word of ``query``, and how many there are.

        No more than ``LONGEST`` characters of it count. A longer query narrows the hits of a shorter one.
        """
        needle = " ".join(words_of(query))
        if not needle:
            return [], 0
        hits: Iterable[int] = range(len(self.haystack))
        if self._last and needle.startswith(self._last[0]):
            hits = self._last[1]
        haystack = self.haystack
        for word in needle.split():
            hits = [i for i in hits if word in haystack[i]]
        found = list(hits)
        self._last = (needle, found)
        return [self.entries[i] for i in found[:most]], len(found)

    def add(self, entry: Entry) -> None:
        """Make an entry findable by the last name it has."""
        self.take([Taken(None, [entry], [entry.name.casefold()])])

    def take(self, taken: Iterable[Taken]) -> None:
        """Make all entries of some skills findable."""
        taken = tuple(taken)
        self.entries += chain.from_iterable(one.entries for one in taken)
        self.haystack += chain.from_iterable(one.haystack for one in taken)
        self._last = None
