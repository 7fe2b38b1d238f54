"""What survives a restart; a damaged file is no session, and never an error."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from explorer.services.session import Session, read_session, session_file, write_session


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    path = session_file(tmp_path, Path("/some/ws"))
    session = Session({("namespace", "local")}, ("namespace", "local", "skill", "local/a"), "tools", "explorer-light")
    write_session(path, session)
    assert read_session(path) == session


def test_workspaces_do_not_share_a_session(tmp_path: Path) -> None:
    assert session_file(tmp_path, Path("/a")) != session_file(tmp_path, Path("/b"))


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"version": 2, "tab": "tools"}', '{"version": 1, "opened": 3, "cursor": [1], "tab": []}']
)
def test_a_damaged_or_foreign_file_is_no_session(tmp_path: Path, text: str) -> None:
    path = tmp_path / "s.json"
    path.write_text(text, encoding="utf-8")
    assert read_session(path) == Session()


def test_the_folder_is_the_users_alone(tmp_path: Path) -> None:
    path = session_file(tmp_path / "state", Path("/a"))
    write_session(path, Session())
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == [path.name]
