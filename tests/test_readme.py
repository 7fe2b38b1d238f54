"""The README says what is true: its commands run, its keys are the program's, its pictures are there."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest
from places import ROOT, SAMPLE

from explorer.cli.group import COMMANDS as CLI_COMMANDS
from explorer.commands import COMMANDS

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
LINES = [line.split(" #")[0].strip() for block in BLOCKS for line in block.splitlines()]
PROGRAM_LINES = [line for line in LINES if line.startswith("skill-explorer ")]
NAMES = {"slash": "/", "question_mark": "?"}


def key_table() -> str:
    """Return the keys that the footer shows somewhere, one row each, with the area where they work."""
    rows = ["| key | where | does | in the settings |", "|---|---|---|---|"]
    for command in COMMANDS:
        if command.show:
            keys = ", ".join(f"`{NAMES.get(key, key)}`" for key in command.keys.split(","))
            rows.append(f"| {keys} | {command.where.lower()} | {command.help} | `{command.id}` |")
    return "\n".join(dict.fromkeys(rows))


def test_the_keys_are_those_of_the_program() -> None:
    written = re.search(r"<!-- keys -->\n(.*?)\n<!-- /keys -->", README, re.DOTALL)
    assert written is not None
    assert written[1] == key_table(), key_table()


def test_every_picture_is_there() -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert pictures
    assert [path for path in pictures if not (ROOT / path).is_file()] == []


def test_the_readme_speaks_of_commands_that_are_there() -> None:
    assert len(PROGRAM_LINES) >= 8
    assert {line.split()[1] for line in PROGRAM_LINES} <= set(CLI_COMMANDS)


@pytest.mark.parametrize("line", PROGRAM_LINES)
def test_a_command_of_the_readme_works(line: str, run_program: Any, tmp_path: Any) -> None:
    arguments = [SAMPLE.as_posix() if word == SAMPLE.name else word for word in shlex.split(line)[1:]]
    cwd = tmp_path if arguments[0] == "new" else SAMPLE
    done = run_program(*arguments, "--state", str(tmp_path / "state"), cwd=cwd)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


def test_the_test_command_is_one_line_that_the_continuous_integration_finds() -> None:
    block = re.search(r"<!-- test command -->\n```sh\n(.*?)\n```", README, re.DOTALL)
    assert block is not None
    assert "pytest" in block[1]
    assert "\n" not in block[1]
