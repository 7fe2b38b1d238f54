"""A workspace, and a state folder outside it."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"
