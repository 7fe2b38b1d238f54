"""What reading costs, as ratios to floors of the same run: YAML to a bare pass of libyaml, the scan to a bare walk."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import pytest
from yaml._yaml import CParser
from yaml.events import StreamEndEvent

from core.gc_pause import no_collections
from core.language.scan import scan
from core.language.yaml_reader import read_yaml
from core.text import nearest

pytestmark = pytest.mark.benchmark

ROUNDS = 9
YAML_FLOORS = 1.7
SCAN_FLOORS = 3
TOOL = """\
  - name: tool-{n}
    description: Reads the file number {n} of the project and says what it found in a line or two.
    source: custom
    code: |
      def run(path, limit=10):
          return {{"lines": open(path).read().splitlines()[:limit]}}
    input_schema:
      type: object
      properties:
        path: {{type: string, description: "Where it is"}}
        limit: {{type: integer, minimum: 1, maximum: 100, default: 10}}
      required: [path]
      additionalProperties: false
    capability:
      read_only: true
      side_effects: []
    timeout: 30   # seconds
"""
SKILL = (
    "name: local/skill-{n}\ndescription: Skill number {n}.\nversion: 1.0.{n}\nincludes:\n  - local/skill-1\ntools:\n"
)


@pytest.fixture(autouse=True)
def _no_collections() -> Iterator[None]:
    gc.collect()
    with no_collections():
        yield


def ratio(cost: Callable[[], object], floor: Callable[[], object]) -> float:
    """Return the median of the ratios of rounds in which both run, one after the other."""
    return median(cpu_s(cost) / cpu_s(floor) for _ in range(ROUNDS))


def cpu_s(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def bare_pass(text: str) -> list[int]:
    """Run through libyaml's events and note where each begins."""
    parser = CParser(text)
    starts = []
    while True:
        event = parser.get_event()
        if type(event) is StreamEndEvent:
            parser.dispose()
            return starts
        starts.append(event.start_mark.index)


def test_positioned_documents_cost_little_more_than_a_bare_pass_of_libyaml() -> None:
    texts = [SKILL.format(n=n) + "".join(TOOL.format(n=i) for i in range(10)) for n in range(40)]
    found = ratio(
        lambda: [read_yaml(text, "x.yaml").ok for text in texts],  # a load keeps no document either
        lambda: [len(bare_pass(text)) for text in texts],
    )
    print(f"reading YAML: {found:.2f} bare passes of libyaml")
    assert found <= YAML_FLOORS


@pytest.mark.parametrize(
    "unit", ["a: {b: c, d: [e]}\n", "- &a x\n", "k{n}: 1\n", "- |\n  text\n", "# note\n", "{{a: 1}}: b\n"]
)
def test_eight_times_the_text_takes_at_most_sixteen_times_as_long(unit: str) -> None:
    small, large = ("".join(unit.replace("{n}", str(n)) for n in range(count)) for count in (2_500, 20_000))
    assert ratio(lambda: read_yaml(large, "x.yaml"), lambda: read_yaml(small, "x.yaml")) <= 16


def test_a_scan_costs_little_more_than_a_walk_that_asks_for_each_file(tmp_path: Path) -> None:
    for number in range(5_000):
        folder = tmp_path / f"skills/{number // 100}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.yaml").touch()

    def bare_walk() -> None:
        for folder, _, names in os.walk(tmp_path):
            for name in names:
                os.stat(os.path.join(folder, name))

    found = ratio(lambda: scan(tmp_path), bare_walk)
    print(f"scan: {found:.2f} bare walks")
    assert found <= SCAN_FLOORS


def test_the_nearest_of_a_hundred_thousand_names_costs_a_few_searches_for_a_part() -> None:
    names = [f"local/{verb}-{what}-{n}" for n in range(10_000) for verb in ("read", "list") for what in "abcde"]
    found = ratio(lambda: nearest("local/raed-a-777", names), lambda: [name for name in names if "ead-a-77" in name])
    print(f"nearest: {found:.0f} searches")
    assert found <= 100
