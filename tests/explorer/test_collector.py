"""The collector stands between garbage and the screen: quick rounds by themselves, full ones only where short."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from explorer.services.collector import MOST_ROUNDS, NEVER, Collector


@pytest.fixture
def collector() -> Iterator[Collector]:
    before, enabled = gc.get_threshold(), gc.isenabled()
    collector = Collector()
    yield collector
    collector.stop()
    gc.unfreeze()
    assert gc.get_threshold() == before
    assert gc.isenabled() == enabled


def full_rounds() -> int:
    return gc.get_stats()[2]["collections"]


def test_a_full_round_never_comes_by_itself(collector: Collector) -> None:
    collector.start()
    assert gc.get_threshold()[2] == NEVER
    before = full_rounds()
    kept = [[[]] for _ in range(200_000)]
    assert full_rounds() == before
    assert len(kept) == 200_000


def test_tidying_walks_a_little_and_sets_much_aside(collector: Collector) -> None:
    collector.start()
    before = full_rounds()
    collector.tidy()
    assert full_rounds() == before + 1
    kept = [[[]] for _ in range(MOST_ROUNDS * 10_000)]
    frozen = gc.get_freeze_count()
    collector.tidy()
    assert full_rounds() == before + 1
    assert gc.get_freeze_count() > frozen
    collector.tidy()
    assert full_rounds() == before + 2
    assert kept


def test_nothing_is_tidied_while_somebody_keeps_the_collector_off(collector: Collector) -> None:
    collector.start()
    gc.disable()
    try:
        before = full_rounds()
        collector.tidy()
        assert full_rounds() == before
    finally:
        gc.enable()
