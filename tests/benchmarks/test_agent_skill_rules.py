"""What the rules of SKILL.md cost: the CPU of 2,500 skills as a ratio to the reference validator (quality, 1).

The floor is the library call of `skills-ref` where it is installed. Elsewhere PyYAML's own loader in Python stands in
for it, three times over: on these files one call of the reference costs 3 to 4 such loads.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from core.language.agent_skill.reader import read_agent_skill
from core.language.scan import scan

pytestmark = pytest.mark.benchmark
ROUNDS = 5
SKILLS = 2_500
MEDIAN_BYTES, SPREAD, LARGEST_BYTES = 4_200, 0.88, 294_426
STAND_INS_OF_THE_REFERENCE = 3
WORDS = ["lamp", "plan", "floor", "count", "audit", "light", "collect", "merge", "group", "note", "change", "result"]


def cpu_s(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(WORDS, k=count))


def _block(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.15:
        return f"\n## {_words(chance, 4)}\n"
    if kind < 0.35:
        return f"{chance.randint(1, 9)}. **{_words(chance, 3)}** - {_words(chance, 12)}"
    if kind < 0.55:
        return "\n".join(f"- `{_words(chance, 1)}`: {_words(chance, 10)}" for _ in range(3))
    if kind < 0.65:
        return "\n```python\n" + f"    {_words(chance, 6)} = {_words(chance, 2)}()\n" * 6 + "```\n"
    if kind < 0.70:
        return f"\nSee [the guide](references/guide.md) and [this](https://example.org/x) for {_words(chance, 8)}.\n"
    return f"\n{_words(chance, 14)}\n"


def _skill_md(chance: random.Random, name: str) -> str:
    size = min(LARGEST_BYTES, math.exp(chance.gauss(math.log(MEDIAN_BYTES), SPREAD)))
    lines = [f"name: {name}", f"description: {_words(chance, chance.randint(20, 60))}. Use before each audit."]
    lines += ["license: MIT"] * (chance.random() < 0.33)
    lines += ["metadata:", "  author: somebody", '  version: "1.0"'] * (chance.random() < 0.17)
    lines += ["allowed-tools: Read Grep"] * (chance.random() < 0.05)
    blocks: list[str] = []
    while sum(map(len, blocks)) < size:
        blocks += [_block(chance) for _ in range(10)]
    return "---\n{}\n---\n\n# Steps\n\n{}\n".format("\n".join(lines), "\n".join(blocks))


def _write(root: Path, count: int) -> list[str]:
    chance = random.Random(1)
    for number in range(count):
        folder = root / f"group-{number % 25:02}" / f"skill-{number:04}"
        (folder / "references").mkdir(parents=True)
        (folder / "references" / "guide.md").write_text("Short.\n", encoding="utf-8")
        (folder / "SKILL.md").write_text(_skill_md(chance, folder.name), encoding="utf-8")
    return scan(root).agent_skill_folders


def _read_all(root: Path, folders: list[str]) -> None:
    for folder in folders:
        read_agent_skill(root, folder)


def _reference_cpu_s(root: Path, folders: list[str]) -> float:
    if find_spec("skills_ref"):
        validate = import_module("skills_ref.validator").validate
        return cpu_s(lambda: [validate(root / folder) for folder in folders])
    return STAND_INS_OF_THE_REFERENCE * cpu_s(lambda: [_load(root / folder / "SKILL.md") for folder in folders])


def _load(path: Path) -> object:
    return yaml.load(path.read_text(encoding="utf-8").split("---", 2)[1], yaml.SafeLoader)


def test_the_rules_take_at_most_half_of_what_the_reference_validator_takes(tmp_path: Path) -> None:
    folders = _write(tmp_path, SKILLS)
    assert len(folders) == SKILLS
    floors, costs = [], []
    for _ in range(ROUNDS):
        floors.append(_reference_cpu_s(tmp_path, folders))
        costs.append(cpu_s(lambda: _read_all(tmp_path, folders)))
    floor, cost = statistics.median(floors), statistics.median(costs)
    print(f"{SKILLS} skills: {cost:.2f} s of CPU, {cost / floor:.2f} of the reference ({floor:.2f} s)")
    assert cost <= 0.5 * floor


@pytest.mark.parametrize(
    "unit",
    [
        "[a](none.md) ",
        "[](",
        "](<",
        "`` ` ",
        "<a ",
        "<!-- ",
        "[a]:\n",
        "1. x\n",
        "```\n",
        "\u200d",
        "\x1b\n",
        " \n",
        "a\r",
    ],
)
def test_eight_times_the_text_takes_at_most_sixteen_times_as_long(unit: str, tmp_path: Path) -> None:
    def read(name: str, count: int) -> Callable[[], object]:
        (tmp_path / name).mkdir()
        front = f"---\nname: {name}\ndescription: Counts the lamps in a floor plan.\n---\n"
        (tmp_path / name / "SKILL.md").write_bytes((front + unit * count).encode())
        return lambda: read_agent_skill(tmp_path, name)

    small, large = read("small", 50_000 // len(unit)), read("large", 400_000 // len(unit))
    floor = statistics.median(cpu_s(small) for _ in range(3))
    assert statistics.median(cpu_s(large) for _ in range(3)) <= 16 * floor
