"""What ``invoke --input`` says of arguments that it can't read: where, what, in words of its own."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.cli import main
from explorer.cli.input_json import MOST_INPUT, parse, read_input

FAULTS = {
    '{"a": 1,\n "b" 2}': "2:6: `:` is expected",
    '{"a": 1,\n b: 2}': "2:2: a key in double quotes",
    "[1\n 2]": "2:2: `,` or the closing bracket",
    "": "1:1: a value is expected",
    "[1,": "1:4: a value is expected",
    '"a': "1:1: the text that begins here is never closed",
    '"a\tb"': "1:3: a text holds a control character",
    r'"\x"': "1:2: JSON has no such escape",
    "{} {}": "1:4: more follows the value",
    '{"a": 1,\n "a": 2}': "2:2: the key `a` is given twice",
    '{"NaN": "NaN",\n "b": [NaN]}': "2:8: JSON has no number `NaN`",
    "-Infinity": "1:1: JSON has no number `-Infinity`",
    "[1, 1e999]": "1:5: the number `1e999` is too large",
    "[" * 100_000: "nested too deeply",
    "9" * 5_000: "too many digits",
}
PYTHON = re.compile(r"Traceback|Error\(|Errno|\bb'|\\x|codec|char \d|delimiter|<class")


@pytest.mark.parametrize("text", FAULTS, ids=lambda text: text[:20])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["bare", "mark"])
def test_a_fault_of_a_file_is_told_at_its_place(
    text: str, mark: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.json"
    path.write_bytes(mark + text.encode())
    assert main(["invoke", "local/a", "local/t", "--input", f"@{path}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "the arguments are not JSON" in line
    assert FAULTS[text] in line
    assert line.count(str(path)) == 1
    assert not PYTHON.search(line)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{\n"a": "é"}'.encode("latin-1"), ":2:7: byte 0xe9 is not UTF-8"),
        ("{}".encode("utf-16"), ":1:1: byte 0xff is not UTF-8"),
        (b'"' + b"x" * MOST_INPUT + b'"', " is larger than 16 MiB"),
        (None, " cannot be read: No such file or directory"),
    ],
    ids=["Latin-1", "UTF-16", "size", "missing"],
)
def test_a_file_that_is_no_text_is_told(
    content: bytes | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.json"
    if content is not None:
        path.write_bytes(content)
    assert main(["invoke", "local/a", "local/t", "--input", f"@{path}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{path}{said}" in line
    assert not PYTHON.search(line)


def test_a_mark_at_the_beginning_is_no_part_of_the_arguments(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_bytes(b'\xef\xbb\xbf{"a": "\xc3\xa9"}')
    assert read_input(f"@{tmp_path / 'in.json'}") == {"a": "é"}


def test_standard_input_is_named_and_may_be_closed(
    run_program: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    call = ["invoke", "local/a", "local/t", "--input", "-"]
    done = run_program(*call, stdin=None, input='{"a":\n}')
    assert (done.returncode, "standard input:2:1: a value is expected" in done.stderr) == (2, True)
    closed = run_program(*call, preexec_fn=lambda: __import__("os").close(0))
    assert (closed.returncode, "no standard input" in closed.stderr) == (2, True)


@pytest.mark.parametrize("text", ["NaN", "[NaN]", '{"a": 1, "a": 2}', "1e999"])
def test_what_json_has_not_is_no_json(text: str) -> None:
    with pytest.raises(ValueError, match=r"twice|no number|too large"):
        parse(text)
