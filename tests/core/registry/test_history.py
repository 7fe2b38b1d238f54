"""The history of calls: it survives restarts, and no damage to it stops the program."""

from __future__ import annotations

import os
import sqlite3
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.protocol import SkillError, SkillErrorType, SkillResult
from core.registry import history as module
from core.registry.history import History, schema_digest

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def opened(tmp_path: Path, root: str = "ws") -> History:
    return History(tmp_path / "state", tmp_path / root, clock=lambda: NOON)


def result(output: object = 1, tool: str = "local/t") -> SkillResult:
    return SkillResult(skill_name="local/s", tool_name=tool, success=True, output_data=output, duration_ms=1.5)


def keep(history: History, arguments: object = None, answer: SkillResult | None = None) -> int | None:
    answer = answer or result()
    return history.add("local/s", answer.tool_name, arguments or {}, "digest", False, answer)


def test_a_call_comes_back_as_it_was_after_a_restart(tmp_path: Path) -> None:
    failed = SkillResult(
        skill_name="local/s",
        tool_name="local/t",
        success=False,
        error=SkillError(error_type=SkillErrorType.VALIDATION_ERROR, message="no", skill_name="local/s"),
    )
    number = keep(opened(tmp_path), {"big": 2**70, "text": "\ud800"}, failed)
    found = opened(tmp_path).call(number or 0)
    assert found is not None
    assert (found.arguments, found.result, found.at) == ({"big": 2**70, "text": "\ud800"}, failed, NOON.isoformat())


def test_calls_come_newest_first_and_by_tool(tmp_path: Path) -> None:
    history = opened(tmp_path)
    first, second, third = keep(history), keep(history, answer=result(tool="local/u")), keep(history)
    assert [call.id for call in history.calls()] == [third, second, first]
    assert [call.id for call in history.calls(tool="local/t")] == [third, first]


def test_another_workspace_has_a_history_of_its_own(tmp_path: Path) -> None:
    keep(opened(tmp_path))
    assert opened(tmp_path, "other").calls() == []


def test_only_the_newest_calls_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CALLS", 3)
    history = opened(tmp_path)
    numbers = [keep(history) for _ in range(5)]
    assert [call.id for call in history.calls()] == numbers[:1:-1]


def test_a_huge_output_is_left_out_and_says_so(tmp_path: Path) -> None:
    history = opened(tmp_path)
    keep(history, answer=result("x" * (module.MOST_RESULT + 1)))
    assert "not kept" in history.calls()[0].result.output_data


def test_the_file_is_private(tmp_path: Path) -> None:
    keep(opened(tmp_path))
    assert stat.S_IMODE((tmp_path / "state" / "history.sqlite").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\0" * 200], ids=["text", "zeroed"])
def test_a_damaged_database_is_kept_aside_and_a_new_one_works(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "history.sqlite").write_bytes(content)
    history = opened(tmp_path)
    assert keep(history) is not None
    assert len(opened(tmp_path).calls()) == 1
    assert any(".corrupt-" in name for name in os.listdir(tmp_path / "state"))


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    keep(opened(tmp_path))
    path = tmp_path / "state" / "history.sqlite"
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.commit()
    database.close()
    history = opened(tmp_path)
    assert keep(history) is None
    assert "newer" in (history.notice or "")
    assert history.calls() == []


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "state" / "history.sqlite").mkdir(parents=True)
    history = opened(tmp_path)
    assert keep(history) is None
    assert history.notice


def test_the_digest_of_a_schema_ignores_the_order_of_keys() -> None:
    assert schema_digest({"a": 1, "b": 2}) == schema_digest({"b": 2, "a": 1})
    assert schema_digest({"a": 1}) != schema_digest({"a": 2})
