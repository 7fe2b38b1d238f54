"""The approval store: it remembers exactly what was approved, and fails closed."""

from __future__ import annotations

import json
import os
import shutil
import stat
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from swapped_files import a_folder, linked, open_to_others

from core.registry.approvals import Approvals
from core.sources.identity import ExecutionIdentity

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def identity(digest: str = "a" * 64, **changes: object) -> ExecutionIdentity:
    plain = ExecutionIdentity(
        digest, "custom", "local/t", "tools/t.yaml", 3, (("workspace", "/w"), ("argument 0", "srv")), code="return 1"
    )
    return replace(plain, **changes)


def store(state: Path, root: Path) -> Approvals:
    return Approvals(state, root, clock=lambda: NOON)


def test_only_what_was_approved_is_allowed(state: Path, root: Path) -> None:
    approvals = store(state, root)
    approvals.record([identity()])
    assert approvals.allows(identity())
    assert not approvals.allows(identity("b" * 64))


def test_an_approval_outlives_the_program(state: Path, root: Path) -> None:
    store(state, root).record([identity()])
    assert store(state, root).allows(identity())


def test_an_approval_counts_in_no_other_workspace(state: Path, root: Path, tmp_path: Path) -> None:
    store(state, root).record([identity()])
    (tmp_path / "ws" / "below").mkdir()
    assert not store(state, tmp_path / "ws" / "below").allows(identity())


def test_a_change_is_told_against_the_earlier_approval(state: Path, root: Path) -> None:
    approvals = store(state, root)
    approvals.record([identity()])
    changed = identity("b" * 64, details=(("workspace", "/w"), ("argument 0", "evil")), code="return 2")
    assert approvals.state_of(changed) == "changed"
    told = approvals.compared(changed).changed
    assert "- argument 0: srv" in told
    assert "+ argument 0: evil" in told
    assert "-return 1" in told
    assert "+return 2" in told


def test_revoking_takes_back_by_the_beginning_of_the_digest(state: Path, root: Path) -> None:
    approvals = store(state, root)
    approvals.record([identity(), identity("b" * 64)])
    assert [gone.digest for gone in approvals.revoke(["aaaa"])] == ["a" * 64]
    assert not approvals.allows(identity())
    assert approvals.allows(identity("b" * 64))


def test_the_store_is_private(state: Path, root: Path) -> None:
    store(state, root).record([identity()])
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert stat.S_IMODE((state / "approvals.json").stat().st_mode) == 0o600


def _newer(path: Path) -> None:
    path.write_text(json.dumps({"version": 99, "approvals": []}), encoding="utf-8")


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _deep(path: Path) -> None:
    path.write_text("[" * 100_000, encoding="utf-8")


def _wrong_entry(path: Path) -> None:
    path.write_text(json.dumps({"version": 1, "approvals": [{"digest": 1}]}), encoding="utf-8")


@pytest.mark.parametrize(
    "damage", [_newer, _truncated, linked, a_folder, open_to_others, _deep, _wrong_entry], ids=lambda f: f.__name__
)
def test_a_damaged_store_allows_nothing_and_is_kept_aside(damage, state: Path, root: Path) -> None:
    store(state, root).record([identity()])
    damage(state / "approvals.json")
    approvals = store(state, root)
    assert not approvals.allows(identity())
    assert "nothing counts as approved" in (approvals.notice or "")
    assert [name for name in os.listdir(state) if ".corrupt-" in name]
    approvals.record([identity()])
    assert approvals.allows(identity())


def test_a_state_folder_inside_the_workspace_approves_nothing(root: Path) -> None:
    approvals = store(root / "state", root)
    with pytest.raises(PermissionError):
        approvals.record([identity()])
    assert not approvals.allows(identity())


def test_a_store_that_the_workspace_brings_along_approves_nothing(state: Path, root: Path) -> None:
    store(state, root).record([identity()])
    shutil.copytree(state, root / "state")
    brought = store(root / "state", root)
    assert [entry.digest for entry in brought.entries()] == [identity().digest]
    assert not brought.allows(identity())
    assert brought.digests() == frozenset()


def test_two_programs_lose_none_of_each_others_approvals(state: Path, root: Path) -> None:
    one, two = store(state, root), store(state, root)
    one.record([identity()])
    two.record([identity("b" * 64)])
    assert one.allows(identity("b" * 64))
    assert {entry.digest for entry in two.entries()} == {"a" * 64, "b" * 64}
