"""Workers say in a word what they do: without one Textual writes out all that they are given, for seconds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from places import ROOT

WORKER_CALLS = ("run_worker", "work")


def starts() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted((ROOT / "explorer").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in WORKER_CALLS:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


@pytest.mark.parametrize(("place", "call"), starts(), ids=[place for place, _ in starts()])
def test_a_worker_is_described_in_a_word(place: str, call: ast.Call) -> None:
    (said,) = [keyword.value for keyword in call.keywords if keyword.arg == "description"]
    assert isinstance(said, ast.Constant), place
