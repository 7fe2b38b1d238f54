"""A workspace with real servers, closed after each test with nothing of it left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from office import Office, eventually


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.close()
    assert eventually(lambda: not made.alive)
    assert made.copies == []
