"""The database of the skill registry: what is acknowledged stays, and no state of the file stops the program."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from swapped_files import a_folder, linked, open_to_others

from core.model import ToolCapability, ToolRecord, ToolStatus
from core.registry import skills as module
from core.registry.database import Unusable
from core.registry.drift import NO_DRIFT, Difference, Drift
from core.registry.skills import Entered, SkillRegistry
from core.registry.snapshot import Snapshot

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 1, 3, 12, 0, tzinfo=UTC)


def opened(state: Path, root: Path, at: datetime = NOON) -> SkillRegistry:
    return SkillRegistry(state, root, clock=lambda: at)


def tool(name: str = "local/t", source: str = "custom", status: str = "ready", **flags: Any) -> ToolRecord:
    capability = ToolCapability(**flags)
    return ToolRecord(
        name=name,
        source=source,
        from_skill="local/s",
        status=ToolStatus(status),
        capability=capability,
        gate_capability=capability,
    )


def snapshot(*tools: ToolRecord, **fields: Any) -> Snapshot:
    return Snapshot(description="D.", tools=list(tools), **fields)


def change(state: Path, statement: str) -> None:
    database = sqlite3.connect(state / "registry.sqlite")
    database.execute(statement)
    database.commit()
    database.close()


def test_what_was_registered_comes_back_as_it_was_after_a_restart(state: Path, root: Path) -> None:
    given = snapshot(tool(writes=True), input_schema={"type": "object", "x": [1, 1.5, True, None, "\ud800é"]})
    entered = opened(state, root).register("local/s", given)
    assert (entered.new, entered.drift, entered.snapshot) == (True, NO_DRIFT, given)
    again = opened(state, root)
    [entry] = again.entries()
    assert (entry.name, entry.registered_at, entry.refreshed_at, entry.tools) == ("local/s", NOON.isoformat(), None, 1)
    assert again.snapshot("local/s") == given


def test_nothing_is_there_before_anything_is_registered_and_nothing_is_made_by_looking(state: Path, root: Path) -> None:
    registry = opened(state, root)
    assert (registry.entries(), registry.snapshot("local/s")) == ((), None)
    assert not state.exists()


def test_registering_again_tells_what_is_different_and_stamps_anew(state: Path, root: Path) -> None:
    opened(state, root).register("local/s", snapshot(tool(writes=False), tool("local/old")))
    entered = opened(state, root, LATER).register("local/s", snapshot(tool(writes=True), tool("local/new")))
    changed = (Difference("local/t", "writes", False, True),)
    assert (entered.new, entered.drift) == (False, Drift(("local/new",), ("local/old",), changed))
    assert entered.entry.registered_at == LATER.isoformat()


def test_a_refresh_keeps_when_it_was_registered_and_stamps_what_was_checked_whole(state: Path, root: Path) -> None:
    opened(state, root).register("local/s", snapshot(tool()))
    partly = opened(state, root, LATER).refresh("local/s", snapshot(tool()), whole=False)
    whole = opened(state, root, LATER).refresh("local/s", snapshot(tool()), whole=True)
    assert partly is not None
    assert whole is not None
    assert (partly.entry.registered_at, partly.entry.refreshed_at) == (NOON.isoformat(), None)
    assert (whole.entry.registered_at, whole.entry.refreshed_at) == (NOON.isoformat(), LATER.isoformat())


def test_a_refresh_brings_nothing_back_that_was_removed_meanwhile(state: Path, root: Path) -> None:
    registry = opened(state, root)
    registry.register("local/s", snapshot())
    opened(state, root).remove(["local/s", "local/never"])
    assert registry.refresh("local/s", snapshot(), whole=True) is None
    assert registry.entries() == ()


def test_another_workspace_has_a_registry_of_its_own(state: Path, root: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    opened(state, root).register("local/s", snapshot())
    other = opened(state, tmp_path / "other")
    assert other.entries() == ()
    other.remove(["local/s"])
    assert [entry.name for entry in opened(state, root).entries()] == ["local/s"]


def test_the_file_is_private(state: Path, root: Path) -> None:
    opened(state, root).register("local/s", snapshot())
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert stat.S_IMODE((state / "registry.sqlite").stat().st_mode) == 0o600


def test_two_programs_lose_none_of_each_others_entries(state: Path, root: Path) -> None:
    names = [f"local/s{number}" for number in range(12)]
    work = [
        threading.Thread(target=lambda half=half: [opened(state, root).register(n, snapshot()) for n in names[half::2]])
        for half in (0, 1)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert {entry.name for entry in opened(state, root).entries()} == set(names)


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\0" * 200], ids=["text", "zeroed"])
def test_a_damaged_database_is_kept_aside_with_a_notice_and_a_new_one_works(
    content: bytes, state: Path, root: Path
) -> None:
    state.mkdir()
    (state / "registry.sqlite").write_bytes(content)
    registry = opened(state, root)
    assert registry.entries() == ()
    assert "damaged" in (registry.notice or "")
    [aside] = [name for name in os.listdir(state) if ".corrupt-" in name]
    assert (state / aside).read_bytes() == content
    registry.register("local/s", snapshot())
    assert len(opened(state, root).entries()) == 1


def test_a_newer_database_is_refused_and_left_as_it_is(state: Path, root: Path) -> None:
    opened(state, root).register("local/s", snapshot())
    change(state, "PRAGMA user_version = 99")
    before = (state / "registry.sqlite").read_bytes()
    for use in (lambda r: r.entries(), lambda r: r.register("local/x", snapshot()), lambda r: r.remove(["local/s"])):
        with pytest.raises(Unusable, match="registry could not be opened: it was written by a newer version"):
            use(opened(state, root))
    assert (state / "registry.sqlite").read_bytes() == before


@pytest.mark.parametrize("change_file", [linked, a_folder, open_to_others], ids=lambda f: f.__name__)
def test_a_file_that_others_could_have_put_there_is_not_used(change_file: Any, state: Path, root: Path) -> None:
    opened(state, root).register("local/s", snapshot())
    change_file(state / "registry.sqlite")
    with pytest.raises(Unusable, match="registry could not be opened"):
        opened(state, root).entries()


def test_a_state_folder_inside_the_workspace_keeps_nothing(root: Path) -> None:
    with pytest.raises(Unusable, match="lies inside the workspace"):
        opened(root / "state", root).register("local/s", snapshot())
    assert not (root / "state").exists()


def test_a_folder_that_is_only_to_be_read_is_read(state: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(state, root).register("local/s", snapshot(tool()))
    monkeypatch.setattr(os, "access", lambda _path, mode: not mode & os.W_OK)
    registry = opened(state, root)
    assert [entry.name for entry in registry.entries()] == ["local/s"]
    assert registry.snapshot("local/s") == snapshot(tool())
    with pytest.raises(Unusable, match="readonly"):
        registry.register("local/x", snapshot())
    assert sorted(os.listdir(state)) == ["registry.sqlite"]


def test_what_another_program_writes_for_too_long_is_an_error_that_says_so(
    state: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.registry.database._BUSY_MS", 1)
    opened(state, root).register("local/s", snapshot())
    other = sqlite3.connect(state / "registry.sqlite")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Unusable, match="locked"):
        opened(state, root).register("local/x", snapshot())
    other.rollback()
    other.close()
    assert [entry.name for entry in opened(state, root).entries()] == ["local/s"]


def test_an_entry_too_large_to_keep_is_refused_and_the_one_before_stays(
    state: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = opened(state, root)
    registry.register("local/s", snapshot(tool()))
    with monkeypatch.context() as patch:
        patch.setattr(module, "MOST_SNAPSHOT", 10)
        with pytest.raises(ValueError, match="more than is kept of one skill"):
            registry.register("local/s", snapshot())
    assert registry.snapshot("local/s") == snapshot(tool())


UNREADABLE = [b"text", b"", *map(zlib.compress, (b"{", b"[]", b'{"tools": [{}]}', b'{"more": 1}', b"[" * 100_000))]


@pytest.mark.parametrize("stored", UNREADABLE, ids=range(len(UNREADABLE)))
def test_an_entry_that_cannot_be_read_spoils_no_other_and_is_replaced(stored: bytes, state: Path, root: Path) -> None:
    registry = opened(state, root)
    for name in ("local/bad", "local/good"):
        registry.register(name, snapshot(tool()))
    change(state, f"UPDATE skills SET snapshot = x'{stored.hex()}' WHERE name = 'local/bad'")
    assert registry.snapshot("local/bad") is None
    assert registry.snapshot("local/good") == snapshot(tool())
    entered = registry.refresh("local/bad", snapshot(tool()), whole=True)
    assert isinstance(entered, Entered)
    assert entered.new
    assert registry.snapshot("local/bad") == snapshot(tool())
