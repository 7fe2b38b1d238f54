"""Code of tools is compiled, here or in a guarded process, and never executed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language.python_check import LARGE, PythonChecker, Unchecked, is_odd
from core.language.python_compile import Problem, problem_of
from core.language.scalar_places import place_in_scalar
from core.language.tree import SourceText, unpack
from core.language.yaml_reader import read_yaml


@pytest.fixture
def checker() -> Iterator[PythonChecker]:
    with PythonChecker() as checker:
        yield checker


@pytest.mark.parametrize(
    "code",
    [
        "x = 1\n" * LARGE,
        "x = " + "(" * 60 + ")" * 60,
        "return " + "-" * 200 + "1",
        "return " + "not " * 100 + "x",
        "x = " + "1 + " * 800 + "1",
        "f = " + "lambda: " * 100 + "1",
    ],
    ids=["long", "nested", "signs", "nots", "wide line", "lambdas"],
)
def test_large_and_odd_code_is_compiled_elsewhere_with_the_same_answer(checker: PythonChecker, code: str) -> None:
    assert is_odd(code)
    broken = checker.problem(code + "\n)")
    assert checker.problem(code) is None or "nested" in checker.problem(code)[2]  # type: ignore[index]
    assert broken is not None


def test_plain_code_needs_no_process(checker: PythonChecker) -> None:
    assert checker.problem("def run(a):\n    return {'a': [a, (1, 2)]}\n") is None
    assert checker._process is None


def test_code_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import core.language.python_check as module

    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text("import sys\nsys.stdin.buffer.read()\n")
    monkeypatch.setattr(module, "_SCRIPT", sleeper)
    monkeypatch.setattr(module, "TIME_LIMIT_S", 0.2)
    with PythonChecker() as checker:
        for _ in range(module.MAX_FAILURES + 5):
            with pytest.raises(Unchecked):
                checker.problem("x = 1\n" * LARGE)
        assert checker._process is None


def test_a_process_that_dies_is_started_again(checker: PythonChecker) -> None:
    large = "x = 1\n" * LARGE
    assert checker.problem(large) is None
    assert checker._process is not None
    checker._process.kill()
    checker._process.wait()
    with pytest.raises(Unchecked):
        checker.problem(large + "y = 2\n")
    assert checker.problem(large + "y = 2\n") is None


def test_code_without_faults_is_compiled_once_and_faulty_code_is_told_each_time(
    checker: PythonChecker, monkeypatch: pytest.MonkeyPatch
) -> None:
    import core.language.python_check as module

    compiled: list[str] = []

    def noted(code: str) -> Problem | None:
        compiled.append(code)
        return problem_of(code)

    monkeypatch.setattr(module, "problem_of", noted)
    fine, faulty = "return 1", "return ("
    first, second = [[checker.problem(code) for code in (fine, faulty)] for _ in range(2)]
    assert first == second == [None, problem_of(faulty)]
    assert first[1] is not None
    assert compiled == [fine, faulty, faulty]


def test_no_process_is_left_behind() -> None:
    with PythonChecker() as checker:
        checker.problem("x = 1\n" * LARGE)
        process = checker._process
    assert process is not None
    assert process.returncode is not None


def test_what_python_warns_of_is_no_fault_and_no_noise(checker: PythonChecker) -> None:
    assert checker.problem("if x is 'a':\n    return '\\d'\n") is None


def test_warnings_are_as_before_afterwards() -> None:
    before = list(warnings.filters)
    with PythonChecker() as checker:
        checker.problem("return 1")
    assert list(warnings.filters) == before


def test_the_names_of_a_module_are_those_that_it_binds_at_its_top(checker: PythonChecker) -> None:
    code = (
        "import os.path\nfrom a import b as c\nX: int = 1\nif X:\n    def run(): pass\nelse:\n    run = None\n"
        "try:\n    Y = 1\nexcept E:\n    Z = 2\ndef f():\n    inner = 1\n"
    )
    assert checker.names(code) == ["X", "Y", "Z", "c", "f", "os", "run"]
    assert checker.names(")") is None
    assert checker.names(code + "# x\n" * LARGE) == ["X", "Y", "Z", "c", "f", "os", "run"]


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("abx =():\n\t'\"\\#0[]{}\0\u00e9"), max_size=60))
def test_any_text_is_judged(code: str) -> None:
    with PythonChecker() as checker:
        problem = checker.problem(code)
    assert problem is None or (problem[0] >= 1 and problem[1] >= 1 and problem[2])


STYLES = st.sampled_from(["|", "|-", "|+", "|2", "quoted", "double", "plain"])
LINES = st.lists(
    st.text(st.sampled_from("ab =(é"), max_size=6).map(lambda line: line.strip() or "x"), min_size=1, max_size=4
)


def _scalar(style: str, lines: list[str]) -> str:
    if style.startswith("|"):
        return style + "\n" + "".join(f"  {line}\n" for line in lines)
    if style == "double":
        return '"' + "\\n".join(lines) + '"\n'
    return f"'{lines[0]}'\n" if style == "quoted" else f"x{lines[0].replace(' ', '').replace('=', '')}\n"


@settings(max_examples=200, deadline=None)
@given(STYLES, LINES, st.data())
def test_a_place_in_a_text_is_found_in_its_scalar(style: str, lines: list[str], data: st.DataObject) -> None:
    text = "a: 1\ncode: " + _scalar(style, lines)
    document = read_yaml(text, "f.yaml")
    value, span = document.root["code"], document.root.spans["code"]  # type: ignore[index,call-overload,union-attr]
    rows = value.split("\n")
    line = data.draw(st.integers(1, len(rows)).filter(lambda n: bool(rows[n - 1])))
    column = data.draw(st.integers(1, len(rows[line - 1])))
    start, end = unpack(place_in_scalar(text, span, value, line, column))
    assert text[start:end] == rows[line - 1][column - 1]


def test_a_place_past_the_end_stays_in_the_file() -> None:
    text = "code: |\n  x\n"
    document = read_yaml(text, "f.yaml")
    span = document.root.spans["code"]  # type: ignore[union-attr]
    for line in range(1, 9):
        start, end = unpack(place_in_scalar(text, span, "x\n", line, 50))
        assert 0 <= start <= end <= len(text)
        SourceText("f.yaml", text).place(span)
