"""What ``check`` prints for people."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.cli import main


def test_the_caret_stands_under_what_is_meant(make_workspace: Any, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_workspace({"skills/a.yaml": "name: local/a\ndescription: A.\nincludes: [x, local/gone]\n"})
    assert main(["check", str(root)]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(lines) if "local/gone`" in line)
    assert lines[at + 1].index("local/gone") == lines[at + 2].index("^")
    assert lines[at + 2].count("^") == len("local/gone")


def test_one_of_a_kind_is_counted_in_the_singular(make_workspace: Any, capsys: pytest.CaptureFixture[str]) -> None:
    skill = "name: local/a\ndescription: A.\ntools: [builtin/read_file]\nincludes: [local/gone]\n"
    one = make_workspace({"skills/a.yaml": skill})
    assert main(["check", str(one)]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 skill, 1 tool, 0 actors in 1 file: 1 error, ")
    assert main(["check", str(one), "--ignore", "include"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(": 0 errors, 0 warnings, 0 infos")
