"""The pictures of the README: the same bytes each time, without a trace of the machine they were made on."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

REPOSITORY = Path(__file__).parents[2]
PICTURES = REPOSITORY / "screenshots"


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_pictures", PICTURES / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["tools", "cycle", "approval", "changes"])
async def test_a_picture_is_made_of_the_same_bytes_each_time(name: str, make: ModuleType, tmp_path: Path) -> None:
    shot = next(shot for shot in make.SHOTS if shot.name == name)
    assert await make.take(shot, tmp_path / "one") == await make.take(shot, tmp_path / "two")


def test_every_picture_that_the_command_makes_is_there_and_shown(make: ModuleType) -> None:
    names = {shot.name for shot in make.SHOTS}
    shown = set(re.findall(r"screenshots/(\w+)\.svg", (REPOSITORY / "README.md").read_text("utf-8")))
    assert names == shown == {file.stem for file in PICTURES.glob("*.svg")}


def test_no_picture_names_a_folder_of_the_machine_it_was_made_on() -> None:
    for file in PICTURES.glob("*.svg"):
        text = file.read_text("utf-8").replace("/home/you/sample_workspace", "").replace("/usr/bin/python3", "")
        assert not re.search(r"/(home|root|tmp|work|Users|usr|opt)/", text), file.name
