"""What is remembered of servers from run to run: bounded, private, and forgotten when anything is odd about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.registry.outcomes import KEPT_S, MOST_KEPT, Outcomes


def test_what_was_remembered_is_known_to_the_next_program(state: Path, root: Path) -> None:
    Outcomes(state, root).remember("protocol abc", "legacy")

    assert Outcomes(state, root).recall("protocol abc") == "legacy"
    assert Outcomes(state, root).recall("protocol abd") is None
    assert (state / "outcomes.json").stat().st_mode & 0o777 == 0o600


def test_the_later_word_counts(state: Path, root: Path) -> None:
    for text in ("legacy", "2026-07-28"):
        Outcomes(state, root).remember("k", text)
    assert Outcomes(state, root).recall("k") == "2026-07-28"


def test_more_than_is_kept_drops_the_oldest(state: Path, root: Path) -> None:
    ticks = iter(range(1, 10_000))
    kept = Outcomes(state, root, clock=lambda: float(next(ticks)))
    written = {f"k{number}": ["v", number / 1e6] for number in range(MOST_KEPT)}
    state.mkdir()
    (state / "outcomes.json").write_text(json.dumps({"version": 1, "outcomes": written}), "utf-8")

    kept.remember("fresh", "v")

    held = json.loads((state / "outcomes.json").read_text("utf-8"))["outcomes"]
    assert (len(held), "k0" in held, "k1" in held, "fresh" in held) == (MOST_KEPT, False, True, True)


def test_what_is_too_old_or_from_the_future_is_forgotten(state: Path, root: Path) -> None:
    Outcomes(state, root, clock=lambda: 1e9).remember("k", "v")

    assert Outcomes(state, root, clock=lambda: 1e9 + KEPT_S).recall("k") == "v"
    assert Outcomes(state, root, clock=lambda: 1e9 + KEPT_S + 1).recall("k") is None
    assert Outcomes(state, root, clock=lambda: 1e9 - 1).recall("k") is None


DAMAGE = {
    "no JSON": b"{",
    "another version": b'{"version": 2, "outcomes": {}}',
    "a list": b"[]",
    "an entry of another shape": b'{"version": 1, "outcomes": {"k": "v"}}',
    "a text that is none": b'{"version": 1, "outcomes": {"k": [1, 1e9]}}',
    "a time that is none": b'{"version": 1, "outcomes": {"k": ["v", NaN]}}',
    "no UTF-8": b"\xff",
}


@pytest.mark.parametrize("content", DAMAGE.values(), ids=DAMAGE)
def test_what_is_damaged_is_forgotten_and_written_afresh(state: Path, root: Path, content: bytes) -> None:
    state.mkdir()
    (state / "outcomes.json").write_bytes(content)
    kept = Outcomes(state, root)
    assert kept.recall("k") is None

    kept.remember("k", "again")

    assert kept.recall("k") == "again"


def test_a_file_that_others_can_write_is_not_believed(state: Path, root: Path) -> None:
    kept = Outcomes(state, root)
    kept.remember("k", "v")
    (state / "outcomes.json").chmod(0o666)
    assert kept.recall("k") is None


def test_a_state_folder_inside_the_workspace_remembers_nothing(root: Path) -> None:
    kept = Outcomes(root / "state", root)
    kept.remember("k", "v")
    assert kept.recall("k") is None
    assert not (root / "state").exists()


def test_a_state_folder_that_cannot_be_written_is_no_error(tmp_path: Path, root: Path) -> None:
    (tmp_path / "state").write_text("a file", "utf-8")
    kept = Outcomes(tmp_path / "state", root)
    kept.remember("k", "v")
    assert kept.recall("k") is None
