"""What one save costs among 10,000 skills: CPU time from the path that a watch names to all findings (quality, 1)."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median, quantiles

import pytest

from core.gc_pause import no_collections
from core.language.load import load_file
from core.workspace import Workspace

pytestmark = pytest.mark.benchmark
SKILLS, FAN, SAVES = 10_000, 5, 40
SAVE_P95_S = 0.15
SET_FLOORS = 2
SKILL = (
    "name: local/s{n}\ndescription: Skill number {n}.\nincludes: [{includes}]\ntools:\n  - local/t{tool}\n"
    "  - name: here\n    description: Counts what it is given.\n    source: custom\n    code: return len(arguments)\n"
    "    capability: {{read_only: true}}\n    input_schema: {{type: object, properties: {{path: {{type: string}}}}}}\n"
)
TOOL = "name: local/t{n}\ndescription: T.\nsource: custom\ncode: return 1\ncapability: {{read_only: true}}\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Skills that include five later ones each, read and resolved."""
    root, chance = tmp_path_factory.mktemp("ws"), random.Random(4)
    for number in range(SKILLS):
        later = range(number + 1, SKILLS)
        includes = ", ".join(f"local/s{n}" for n in sorted(chance.sample(later, min(FAN, len(later)))))
        text = SKILL.format(n=number, includes=includes, tool=number % 500)
        _write(root / path_of(number), text)
    for number in range(500):
        _write(root / f"tools/t{number}.yaml", TOOL.format(n=number))
    found = Workspace(root, state=tmp_path_factory.mktemp("state"))
    with no_collections(keeps=True):
        found.load()
    yield found
    found.close()


def path_of(number: int) -> str:
    return f"skills/{number % 10}/s{number}.yaml"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def cpu_s(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def saves(workspace: Workspace, old: str, new: str) -> tuple[list[float], list[float]]:
    """Return what each of some saves costs, and reading that file alone."""
    costs, floors = [], []
    for number in random.Random(5).sample(range(SKILLS), SAVES):
        path = path_of(number)
        text = (workspace.root / path).read_text(encoding="utf-8")
        _write(workspace.root / path, text.replace(old, new))
        with no_collections():
            floors.append(cpu_s(lambda path=path: load_file(workspace.root, path, "skills", frozenset())))  # type: ignore[misc]
            costs.append(cpu_s(lambda path=path: workspace.load(changed=[path])))  # type: ignore[misc]
        assert workspace.files_read == (path,)
    return costs, floors


@pytest.mark.large
def test_a_save_that_changes_no_set_costs_a_small_part_of_a_second(workspace: Workspace) -> None:
    costs, floors = saves(workspace, "Skill number", "The skill")
    p95 = quantiles(costs, n=20)[-1]
    print(
        f"save: {median(costs) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, {median(costs) / median(floors):.0f} readings"
    )
    assert p95 <= SAVE_P95_S


@pytest.mark.large
def test_a_save_that_changes_all_sets_above_costs_at_most_two_first_resolutions(workspace: Workspace) -> None:
    def anew() -> None:
        fresh = type(workspace.catalogue)(workspace.declarations)
        fresh.diagnostics()

    with no_collections():
        floor = median(cpu_s(anew) for _ in range(3))
    costs, _ = saves(workspace, "name: here", "name: there")
    p95 = quantiles(costs, n=20)[-1]
    print(f"save: {median(costs) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms; first resolution {floor * 1000:.0f} ms")
    assert p95 <= SET_FLOORS * floor
