"""What starting costs: CPU time of whole processes, as ratios to floors of the same run."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from statistics import median

import pytest
from places import SAMPLE

pytestmark = pytest.mark.benchmark

ROUNDS = 5
PASS = ("-c", "pass")
LIBRARIES = ("-c", "import yaml, click\nfrom pydantic import BaseModel\nclass Model(BaseModel):\n    field: int")
PROGRAM = ("-P", "-m", "explorer")


def cpu_seconds(arguments: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, timeout=60, env=dict(os.environ))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def ratio(arguments: Sequence[str], floor: Sequence[str]) -> float:
    """Return the median of the ratios of rounds in which both run, one after the other."""
    rounds = [(cpu_seconds(arguments), cpu_seconds(floor)) for _ in range(ROUNDS + 1)][1:]
    return median(cost / least for cost, least in rounds)


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_help_and_version_cost_at_most_five_bare_interpreters(argument: str) -> None:
    assert ratio((*PROGRAM, argument), PASS) <= 5


def test_a_check_of_the_sample_costs_at_most_two_and_a_half_imports_of_its_libraries() -> None:
    assert ratio((*PROGRAM, "check", str(SAMPLE)), LIBRARIES) <= 2.5
