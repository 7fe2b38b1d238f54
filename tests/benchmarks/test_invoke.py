"""What a call costs beyond the tool's own time: CPU of all processes, as a ratio to a bare interpreter (quality 1)."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.language.load import load_declarations
from core.resolve.catalogue import Catalogue
from core.runtime.call import CallOptions
from core.runtime.runtime import ToolRuntime

pytestmark = pytest.mark.benchmark
ROUNDS = 5
YES = CallOptions(approve=lambda _: True)


def cpu_s(work: Callable[[], object]) -> float:
    """Return the CPU time of this process and of the children that have ended."""

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    before = used()
    work()
    return used() - before


def bare() -> None:
    subprocess.run([sys.executable, "-I", "-c", "pass"], check=True)


CALLS = {
    "inline code": ("local/t", {"n": 1}),
    "built-in reader": ("builtin/read_file", {"path": "a.txt"}),
    "built-in writer on a copy": ("builtin/write_file", {"path": "b.txt", "content": "x"}),
}


@pytest.mark.parametrize(("tool", "arguments"), CALLS.values(), ids=CALLS)
def test_a_cold_call_costs_at_most_six_bare_interpreters(
    tmp_path: Path, tool: str, arguments: dict[str, object]
) -> None:
    root = tmp_path / "ws"
    for path, text in {
        "a.txt": "x",
        "tools/t.yaml": "name: local/t\ndescription: T.\nsource: custom\ncode: return arguments\n"
        "capability: {read_only: true}\n",
        "skills/s.yaml": "name: local/s\ndescription: S.\nbuiltin_groups: [file_operations]\ntools: [local/t]\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    flat = Catalogue(load_declarations(root)).flatten("local/s")
    runtime = ToolRuntime(root, state=tmp_path / "state")
    floors, costs = [], []
    assert runtime.invoke(flat, "local/s", tool, arguments, YES).result.success
    for _ in range(ROUNDS):
        floors.append(cpu_s(bare))
        costs.append(cpu_s(lambda: runtime.invoke(flat, "local/s", tool, arguments, YES)))
    runtime.close()
    floor, cost = statistics.median(floors), statistics.median(costs)
    print(f"{tool}: {cost * 1000:.0f} ms of CPU, {cost / floor:.1f} times a bare interpreter ({floor * 1000:.0f} ms)")
    assert cost <= 6 * floor
