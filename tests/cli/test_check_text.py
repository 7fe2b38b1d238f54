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
