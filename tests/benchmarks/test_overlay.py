"""What a call costs on a workspace of 20,000 files and 1 GB, by overlay and by copy: CPU time of all processes."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from test_invoke import YES, cpu_s

from core.language.load import load_declarations
from core.resolve.catalogue import Catalogue
from core.runtime.probing import find_confinement
from core.runtime.runtime import ToolRuntime

pytestmark = pytest.mark.benchmark
FILES, SIZE, IN_A_FOLDER = 20_000, 50_000, 200


def fill(root: Path) -> None:
    """Make the files; they take no room on the disk, but what is read of them is as much."""
    for number in range(FILES):
        folder = root / f"d{number // IN_A_FOLDER}"
        if number % IN_A_FOLDER == 0:
            folder.mkdir(parents=True)
        with (folder / f"f{number}").open("wb") as file:
            file.truncate(SIZE)
    (root / "s.yaml").write_text("name: local/s\ndescription: S.\nbuiltin_groups: [file_operations]\n")


def test_a_call_on_an_overlay_costs_at_most_half_of_one_on_a_full_copy(tmp_path: Path) -> None:
    root, state = tmp_path / "ws", tmp_path / "state"
    fill(root)
    offered = find_confinement(root, state)
    if not offered.overlay:
        pytest.skip("no overlay works on this machine")
    flat = Catalogue(load_declarations(root)).flatten("local/s")
    costs = {}
    for name, confinement in {"overlay": offered, "copy": replace(offered, overlay=False)}.items():
        runtime = ToolRuntime(root, state=state, confinement=confinement)
        said: list[str] = []

        def call(runtime: ToolRuntime = runtime, said: list[str] = said) -> None:
            arguments = {"path": "new.txt", "content": "x"}
            outcome = runtime.invoke(flat, "local/s", "builtin/write_file", arguments, YES)
            assert [c["path"] for c in outcome.result.resource_changes] == ["new.txt"]
            said += [event.text for event in outcome.log]

        start = time.monotonic()
        costs[name] = cpu_s(call)
        print(f"{name}: {costs[name]:.2f} s of CPU, {time.monotonic() - start:.1f} s in all")
        runtime.close()
        if "sharing blocks" in " ".join(said):
            pytest.skip("the file system shares blocks: a copy is no work")
    assert costs["overlay"] <= 0.5 * costs["copy"]
