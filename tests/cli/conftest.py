from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from desk_workspace import DeskWorkspace
from registry_desk import Registry

from explorer.cli import main

Answer = tuple[int, Any]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run a command in this process with ``--format json``; return its status and its document."""

    def run(*arguments: str) -> Answer:
        status = main([*arguments, "--format", "json"])
        return status, json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def registry(tmp_path: Path, ask: Callable[..., Answer]) -> Registry:
    """A workspace whose skills can be registered; none is."""
    return Registry(DeskWorkspace(tmp_path), ask)


@pytest.fixture
def known(registry: Registry) -> Registry:
    """The same with `local/office` registered, and what its server lists."""
    registry.register("local/office")
    status, buckets, found = registry.refreshed("--trust")
    assert (status, buckets) == (0, {"refreshed": ["local/office"]})
    assert found["refreshed"][0]["added"] == ["desk/echo", "desk/add", "desk/crash"]
    assert [(s["name"], s["tools"], s["error"]) for s in found["servers"]] == [("desk", 3, None)]
    return registry
