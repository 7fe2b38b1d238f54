"""Real servers under a real pool."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp_bench import Bench

from core.sources.mcp.pool import ServerPool


@pytest.fixture
def environ() -> dict[str, str]:
    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}


@pytest.fixture
def bench(tmp_path: Path, environ: dict[str, str]) -> Iterator[Bench]:
    root = tmp_path / "workspace"
    root.mkdir()
    (tmp_path / "pids").mkdir()
    pool = ServerPool(environ)
    yield Bench(root, pool, environ)
    pool.close()
