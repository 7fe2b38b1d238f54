"""What a cold load of very many skills costs, as a ratio to a floor of the same run, and whether it grows with them.

The floor is what no loader can leave out: reading the files, one pass of libyaml that has positions, pydantic. What
the load does beyond it: mappings and lists from the pass, the rules of the language, the syntax of code, schemas,
names and includes across files, findings.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from large_workspace import write_workspace
from test_reading_speed import bare_pass, cpu_s

from core.gc_pause import no_collections
from core.language.load import load_declarations
from core.workspace import Workspace

pytestmark = pytest.mark.benchmark

FEW, MANY, GROWTH = 1_000, 10_000, 12
ROUNDS = 5
FLOORS = 3.9
"""The aim is 1.3; each line that this prints says how far from it a load is."""


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_workspace(tmp_path_factory.mktemp("few") / "ws", FEW, files=FEW // 10, inline=5)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_workspace(tmp_path_factory.mktemp("many") / "ws", MANY, files=MANY // 10, inline=5)


def test_a_cold_load_costs_a_few_times_what_no_loader_can_leave_out(few: Path, tmp_path: Path) -> None:
    floor = floor_of(few)
    ratios = [cold_load_s(few, tmp_path) / floor() for _ in range(ROUNDS)]
    print(f"cold load of {FEW:,} skills: {median(ratios):.2f} floors")
    assert median(ratios) <= FLOORS


@pytest.mark.large
def test_ten_times_the_skills_take_at_most_twelve_times_as_long(few: Path, many: Path, tmp_path: Path) -> None:
    growth = [cold_load_s(many, tmp_path) / median(cold_load_s(few, tmp_path) for _ in range(3)) for _ in range(2)]
    print(f"cold load of {MANY:,} skills: {min(growth):.1f} times that of {FEW:,}")
    assert min(growth) <= GROWTH


def cold_load_s(root: Path, state: Path) -> float:
    """Return the CPU seconds of all that ``check`` does before it prints."""

    def check() -> None:
        workspace = Workspace(root, state=state)
        workspace.load()
        assert workspace.counts.skills > 0

    gc.collect()
    spent = cpu_s(check)
    gc.unfreeze()
    return spent


def floor_of(root: Path) -> Callable[[], float]:
    """Return what measures the floor: CPU seconds of reading, of libyaml and of pydantic for every file."""
    paths = sorted(root.rglob("*.yaml"))
    declared = load_declarations(root)
    models: list[Any] = [skill.model for skill in declared.skills] + [file.tool.model for file in declared.tools]
    fields = [(type(model), model.model_dump(exclude_unset=True)) for model in models]

    def work() -> None:
        for path in paths:
            bare_pass(path.read_bytes().decode())
        for model, values in fields:
            model(**values)

    def measure() -> float:
        gc.collect()
        with no_collections():
            return cpu_s(work)

    return measure
