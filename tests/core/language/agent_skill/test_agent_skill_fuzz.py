"""Whatever a SKILL.md holds: reading it gives a value, places that exist, and the same for every line end."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_skill_trees import skill_md
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import examples

from core.diagnostics import Diagnostic
from core.language.agent_skill.preview import preview
from core.language.agent_skill.reader import read_agent_skill
from core.language.tree import SourceText

PIECES = [
    *(
        "---",
        "--- ",
        "----",
        "\n",
        "\n\n",
        "\n  ",
        "\t",
        " ",
        ":",
        ": ",
        "- ",
        "name: lamp",
        "name:",
        "description: ",
        "metadata:\n  a: ",
    ),
    *(
        "allowed-tools: ",
        "steps:\n  - ",
        "'",
        '"',
        '"\\x1b"',
        "[",
        "]",
        "](",
        ")",
        "(",
        "{",
        "}",
        "<",
        ">",
        "`",
        "```",
        "~~~",
        "<!--",
        "-->",
    ),
    *(
        "&a ",
        "*a",
        "!!str ",
        "|\n",
        ">-\n",
        "#",
        " # ",
        "1. ",
        "## 1. ",
        "Step 1: ",
        "../",
        "%2e",
        "{baseDir}/",
        "\\",
        "1.10",
        "yes",
        "~",
        "2026-01-05",
    ),
    *(
        "\x00",
        "\x1b",
        "\x85",
        "\u2028",
        "\ufeff",
        "\u200d",
        "\u202e",
        "\U000e0061",
        "\U0001f468",
        "é",
        "e\u0301",
        "\uff4c",
        "[a]: x\n",
        "<a href='x'>",
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
FILES = st.one_of(
    TEXTS, TEXTS.map(lambda text: skill_md(body=text)), TEXTS.map(lambda text: f"---\n{text}\n---\nBody.\n")
)
QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _read(tmp_path: Path, content: bytes) -> list[Diagnostic]:
    folder = tmp_path / "lamp-counter"
    folder.mkdir(exist_ok=True)
    (folder / "SKILL.md").write_bytes(content)
    skill, found = read_agent_skill(tmp_path, "lamp-counter")
    assert skill is not None
    assert skill.valid is all(str(item.severity) != "error" for item in found)
    assert preview(skill)["instructions"] == skill.body
    assert "\r" not in skill.body
    return found


def _check_places(text: str, found: list[Diagnostic]) -> None:
    source = SourceText("lamp-counter/SKILL.md", text)
    for item in found:
        edits = [edit.place for edit in item.fix.edits] if item.fix else []
        for place in (item.place, *edits):
            start = source.offset(place.line, place.column)
            assert source.line_column(start) == (place.line, place.column)
            if place.end_line is not None and place.end_column is not None:
                end = source.offset(place.end_line, place.end_column)
                assert source.line_column(end) == (place.end_line, place.end_column)
                assert start <= end <= len(text)


@QUIET
@given(text=FILES)
def test_any_text_is_read_and_every_place_and_fix_lies_in_it(text: str, tmp_path: Path) -> None:
    _check_places(text.removeprefix("\ufeff"), _read(tmp_path, text.encode("utf-8", "surrogatepass")))


@QUIET
@given(content=st.binary(max_size=300))
def test_any_bytes_are_read(content: bytes, tmp_path: Path) -> None:
    _read(tmp_path, content)


@QUIET
@given(text=FILES, ends=st.sampled_from(["\r\n", "\r"]))
def test_line_ends_change_no_finding(text: str, ends: str, tmp_path: Path) -> None:
    def places(content: str) -> list[tuple[str, int, int]]:
        return [(item.code, item.place.line, item.place.column) for item in _read(tmp_path, content.encode())]

    assert places(text.replace("\n", ends)) == places(text)


@pytest.mark.fuzz
@settings(QUIET, max_examples=examples(20_000))
@given(text=FILES)
def test_a_long_search_finds_no_text_that_is_not_read(text: str, tmp_path: Path) -> None:
    _check_places(text.removeprefix("\ufeff"), _read(tmp_path, text.encode("utf-8", "surrogatepass")))


@QUIET
@given(text=FILES)
def test_a_fix_takes_its_finding_away(text: str, tmp_path: Path) -> None:
    text = text.removeprefix("\ufeff")
    source = SourceText("lamp-counter/SKILL.md", text)
    found = _read(tmp_path, text.encode())
    for item in found:
        if item.fix is None or not item.code.startswith("agent-skill/"):
            continue
        (edit,) = item.fix.edits
        start = source.offset(edit.place.line, edit.place.column)
        end = source.offset(edit.place.end_line or 1, edit.place.end_column or 1)
        after = _read(tmp_path, (text[:start] + edit.text + text[end:]).encode())
        assert _count(after, item.code) < _count(found, item.code)


def _count(found: list[Diagnostic], code: str) -> int:
    return sum(item.code == code for item in found)
