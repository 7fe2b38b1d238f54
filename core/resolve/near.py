"""Names that a misspelt one was probably meant to be, found among many without comparing with each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from heapq import nsmallest

from core.text import like_the_best, nearest

_MOST_COMPARED = 25
_COMMON = 2_000
_MOST_ASKED = 500


class NearNames:
    """The names of a workspace, indexed by their pieces when the first question comes.

    After 500 different questions it answers none: hints of that number help nobody.
    """

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._index = _Index(names)
        self._asked: dict[str, list[str]] = {}

    def anew(self) -> NearNames:
        """Return the same names, of which nothing has been asked yet."""
        fresh = NearNames(tuple)
        fresh._index = self._index
        return fresh

    def to(self, word: str, allowed: Callable[[str], bool] | None = None, limit: int = 3) -> list[str]:
        """Return up to ``limit`` names close to ``word``, best first; ``allowed`` leaves others out."""
        close = self._close(word)
        if allowed is not None:
            close = [name for name in close if allowed(name)]
        return like_the_best(word, nearest(word, close, limit))

    def _close(self, word: str) -> list[str]:
        found = self._asked.get(word)
        if found is None:
            found = self._index.candidates(word) if len(self._asked) < _MOST_ASKED else []
            self._asked[word] = found
        return found


class _Index:
    """Names by the pieces of three characters that they have."""

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names
        self._pieces: dict[str, list[str]] | None = None

    def candidates(self, word: str) -> list[str]:
        """Return the names that share most pieces with ``word``."""
        if self._pieces is None:
            self._pieces = self._collected()
        known = self._pieces
        lists = sorted((known[p] for p in _pieces(word) if p in known), key=len)
        shared: Counter[str] = Counter()
        for rank, names in enumerate(lists):
            if len(names) > _COMMON and rank >= len(lists) // 3:
                break
            shared.update(names)
        best = nsmallest(_MOST_COMPARED, ((-count, name) for name, count in shared.items()))
        return [name for _, name in best]

    def _collected(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self._names():
            for piece in _pieces(name):
                found.setdefault(piece, []).append(name)
        return found


def _pieces(name: str) -> set[str]:
    text = f" {name[:100].lower()} "
    return {text[i : i + 3] for i in range(len(text) - 2)}
