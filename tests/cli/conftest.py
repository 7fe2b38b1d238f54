from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from explorer.cli import main

Answer = tuple[int, Any]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run a command in this process with ``--format json``; return its status and its document."""

    def run(*arguments: str) -> Answer:
        status = main([*arguments, "--format", "json"])
        return status, json.loads(capsys.readouterr().out)

    return run
