"""A state folder that cannot be used is told of, with the remedy, before anything is kept in it; nothing is made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.workspace import Workspace
from core.workspace.state import state_problem


def test_a_folder_that_is_there_or_can_be_made_has_no_problem(tmp_path: Path) -> None:
    assert state_problem(tmp_path) is None
    assert state_problem(tmp_path / "new" / "deep") is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_below_a_file_is_named_with_the_file_and_the_ways_to_another(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    folder = tmp_path / "taken" / "state"
    said = state_problem(folder)
    assert said is not None
    assert all(
        part in said for part in (str(folder), f"{tmp_path / 'taken'} is no folder", "--state", "XDG_STATE_HOME")
    )


def test_a_link_that_leads_nowhere_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    assert "is no folder" in (state_problem(tmp_path / "link" / "state") or "")


@pytest.mark.parametrize(("folder", "reason"), [("", "it cannot be written"), ("new", "it cannot be made in")])
def test_a_folder_without_the_right_to_write_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, reason: str
) -> None:
    monkeypatch.setattr(os, "access", lambda _path, mode: not mode & os.W_OK)
    assert reason in (state_problem(tmp_path / folder) or "")


def test_the_problem_is_the_only_notice_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "taken").write_text("a file")
    workspace = Workspace(tmp_path / "ws", state=tmp_path / "taken")
    workspace.load()
    assert workspace.history.calls(None, None, 5) == []
    assert workspace.notices == (state_problem(tmp_path / "taken"),)
