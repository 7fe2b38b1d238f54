"""The lines between two columns: one upright trunk for each source, in a track of its own where trunks would touch."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Channel:
    """The tracks between a column and the next. A source whose only line runs straight has no track."""

    track: dict[int, int]
    width: int


def route(segments: Mapping[int, Sequence[int]], rows: Sequence[int]) -> Channel | None:
    """Return tracks such that no two lines lie on each other; None where the rows don't allow it.

    A line that comes in at the row of some source's own line must stand right of that source's trunk, or the two
    would seem to be one.
    """
    trunks = _trunks(segments, rows)
    after = _constraints(segments, trunks, rows)
    order = _in_order(trunks, after)
    if order is None:
        return None
    before: dict[int, list[int]] = {}
    for first, others in after.items():
        for other in others:
            before.setdefault(other, []).append(first)
    track: dict[int, int] = {}
    taken: list[list[tuple[int, int]]] = []
    for source in order:
        low, high = trunks[source]
        at = max((track[other] + 1 for other in before.get(source, ())), default=0)
        while at < len(taken) and not _is_free(taken[at], low, high):
            at += 1
        while at >= len(taken):
            taken.append([])
        insort(taken[at], (low, high))
        track[source] = at
    return Channel(track, len(taken))


def _trunks(segments: Mapping[int, Sequence[int]], rows: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return the rows of each trunk, from and to; a source whose only target is in its own row has none."""
    trunks = {}
    for source, targets in segments.items():
        reached = [rows[target] for target in targets]
        reached.append(rows[source])
        low, high = min(reached), max(reached)
        if low != high:
            trunks[source] = (low, high)
    return trunks


def _is_free(taken: list[tuple[int, int]], low: int, high: int) -> bool:
    """Whether a trunk from ``low`` to ``high`` fits between those of a track, which are sorted."""
    at = bisect_left(taken, (low, low))
    return (at == 0 or taken[at - 1][1] < low) and (at == len(taken) or taken[at][0] > high)


def _constraints(
    segments: Mapping[int, Sequence[int]], trunks: Mapping[int, tuple[int, int]], rows: Sequence[int]
) -> dict[int, set[int]]:
    """Return for each source those whose trunk must stand right of its own."""
    source_at = {rows[source]: source for source in trunks}
    after: dict[int, set[int]] = {}
    for other in trunks:
        for target in segments[other]:
            source = source_at.get(rows[target])
            if source is not None and source != other:
                after.setdefault(source, set()).add(other)
    return after


def _in_order(trunks: Mapping[int, tuple[int, int]], after: Mapping[int, set[int]]) -> list[int] | None:
    """Return the sources so that each comes before those right of it, upper ones first; None if that is circular."""
    waiting = dict.fromkeys(trunks, 0)
    for others in after.values():
        for other in others:
            waiting[other] += 1
    order = sorted((source for source, left in waiting.items() if not left), key=lambda source: trunks[source])
    for source in order:
        for other in sorted(after.get(source, ()), key=lambda other: trunks[other]):
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    return order if len(order) == len(trunks) else None
