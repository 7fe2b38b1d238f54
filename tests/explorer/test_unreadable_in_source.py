"""Source says why a file is not shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from app_driver import Driver, opened

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
GOOD = "name: local/a\ndescription: Does it.\n"


def not_utf8(path: Path) -> None:
    path.write_bytes(b"name: local/b\ndescription: caf\xe9\n")


def fifo(path: Path) -> None:
    os.mkfifo(path)


def outside(path: Path) -> None:
    path.symlink_to("/etc/hostname")


def too_large(path: Path) -> None:
    path.write_bytes(b"# x\n" * (1 << 19))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (not_utf8, "the file is not UTF-8"),
        (fifo, "a named pipe, not a regular file"),
        (outside, "leads out of the workspace"),
        (too_large, "larger than 1 MiB"),
    ],
)
async def test_a_file_that_cannot_be_shown_says_why(
    make: Callable[[Path], None], reason: str, make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    root = make_workspace({"skills/a.yaml": GOOD})
    make(root / "skills" / "b.yaml")
    async with opened(root, tmp_path / "state", (160, 50)) as driver:
        await driver.main.detail.show_place("skills/b.yaml", 1, 1)
        await driver.quiet()
        assert source_says(driver).startswith(" ✗ cannot show skills/b.yaml:")
        assert reason in source_says(driver)


def source_says(driver: Driver) -> str:
    return driver.main.detail.source.row(0, 400).plain
