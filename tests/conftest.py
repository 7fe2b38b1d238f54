"""Isolation: no test sees the home folder, the locale, the time zone or the terminal of who runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

import pytest
from places import ROOT

PINNED_FOR_SNAPSHOTS = ("textual", "rich", "pytest-textual-snapshot")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse new snapshots from other versions than the pinned ones: they would differ for everybody else."""
    if not config.getoption("--snapshot-update", default=False):
        return
    pins = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split() if "==" in line
    )
    for name in PINNED_FOR_SNAPSHOTS:
        if pins.get(name) != version(name):
            pytest.exit(f"snapshots are made with {name} {pins.get(name)}, not {version(name)}", returncode=4)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Run two workers more than there are cores: many tests wait for a process or a terminal."""
    return (os.cpu_count() or 1) + 2


@pytest.fixture(autouse=True)
def isolation(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)


Tree = Mapping[str, str | bytes]


@pytest.fixture
def make_workspace(tmp_path: Path) -> Callable[[Tree], Path]:
    """Write a tree of relative path to text under a new folder and return it."""

    def make(tree: Tree, name: str = "ws") -> Path:
        root = tmp_path / name
        root.mkdir(exist_ok=True)
        for relative, content in tree.items():
            path = root / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            if hasattr(content, "make"):
                content.make(path)
            else:
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return make


@pytest.fixture
def run_program() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the installed program as a process of its own, without a terminal."""

    def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        given = {
            "capture_output": True,
            "text": True,
            "timeout": 60,
            "stdin": subprocess.DEVNULL,
            "env": dict(os.environ),
        }
        return subprocess.run([sys.executable, "-P", "-m", "explorer", *arguments], check=False, **{**given, **options})

    return run
