"""What a skill author's first hour must get right: each case is a workspace, commands, and their outcomes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from matching import misses

CASES = yaml.safe_load((Path(__file__).parent.parent / "cases" / "first_light.yaml").read_text(encoding="utf-8"))[
    "cases"
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_first_hour_goes_as_written(case: dict[str, Any], make_workspace: Any, run_program: Any) -> None:
    root = make_workspace(case["tree"])
    for step in case["steps"]:
        done = run_program(*[argument.replace("{ws}", str(root)) for argument in step["run"]])
        assert done.returncode == step.get("exit", 0), (step["run"], done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        assert misses(step["json"], json.loads(done.stdout)) == []
