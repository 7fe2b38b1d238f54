"""Whatever the files hold, loading them ends with findings: nothing is raised, nothing hangs, no memory explodes."""

from __future__ import annotations

import shutil
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import FUZZ_SECONDS

from core.diagnostics.catalogue import catalogue
from core.model.dialect import SKILL_KEYS
from core.model.server_reading import SERVER_KEYS
from core.model.tool_reading import TOOL_KEYS
from core.workspace import Workspace

BATCH = settings(
    max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=False
)

KEYS = [
    *SKILL_KEYS.spellings,
    *TOOL_KEYS.spellings,
    *SERVER_KEYS.canonical,
    "skill",
    "tool",
    "actor",
    "actors",
    "skills",
]
KEYS += ["mcpServers", "override", "tool_overrides", "group", "path", "sandbox_policy", "type", "properties", "$ref"]
WORDS = ["local/a", "local/b", "local/t", "builtin/read_file", "git_operations", "x", "a/b/c", "", "no", "1.10", "~"]
WORDS += ["return 1", "def run(:", "t.py:run", "../x", "/etc", "https://x.example/mcp", "npx -y thing", "*", "\u202e"]
WORDS += ["object", "#/$defs/a", "(a+)+$", "custom", "name: x", "| x", "'", "\U000e0041", "\x1b[31m", "a" * 200]
LEAF = st.sampled_from(WORDS) | st.integers(-5, 4000) | st.booleans() | st.none() | st.floats() | st.text(max_size=8)
VALUE = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*KEYS, *WORDS]) | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=25,
)
HEAD = st.fixed_dictionaries({}, optional={"name": st.sampled_from(WORDS), "description": LEAF, "source": LEAF})
DOCUMENT = st.builds(
    lambda head, rest: {**head, **rest}, HEAD, st.dictionaries(st.sampled_from(KEYS), VALUE, min_size=1, max_size=6)
)
SLIPS = [
    "\t",
    ":",
    " ",
    "\n",
    "\r",
    '"',
    "'",
    "]",
    "}",
    "- ",
    "&x ",
    "*x",
    "!t ",
    "\x00",
    "\ufeff",
    "\u2028",
    "---\n",
    "<<: ",
]
PATHS = ["skills/a.yaml", "skills/b.yml", "tools/t.yaml", "actors/o.yaml", "x.yaml", ".mcp.json", "s/SKILL.md"]
PATHS += ["skill-explorer.toml", "t.py"]


@st.composite
def written(draw: st.DrawFn) -> bytes:
    """One document as YAML or JSON, with up to three slips, in some encoding."""
    flow = draw(st.sampled_from([None, True, False]))
    text = yaml.safe_dump(draw(DOCUMENT), default_flow_style=flow, allow_unicode=True, sort_keys=False)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(SLIPS)) + text[at + draw(st.integers(0, 3)) :]
    if draw(st.booleans()):
        text = f"---\n{text}---\n{draw(st.sampled_from(['', '# A', '[a](b) <!-- x -->', '1. x']))}"
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))
    return text.encode(draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16"])), "surrogatepass")


FILES = st.dictionaries(st.sampled_from(PATHS), written() | st.binary(max_size=200), min_size=1, max_size=5)


def write(root: Path, files: dict[str, bytes]) -> int:
    shutil.rmtree(root, ignore_errors=True)
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return sum(map(len, files.values()))


def load(root: Path, files: dict[str, bytes]) -> Workspace:
    """Load ``files`` and hold what is found against the files."""
    write(root, files)
    workspace = Workspace(root)
    workspace.load()
    for found in workspace.diagnostics:
        assert found.code in catalogue()
        assert "fault in the program" not in found.message, found
        assert found.message.endswith((".", "?")), found
        assert found.as_dict()
    for row in workspace.catalogue.skills():
        workspace.catalogue.flatten(row.name)
    return workspace


@settings(BATCH, max_examples=40)
@given(files=FILES)
def test_any_files_are_loaded(files: dict[str, bytes], tmp_path: Path) -> None:
    load(tmp_path / "ws", files)


def search(test: Callable[..., None], **given_by: Any) -> None:
    """Run ``test`` on new examples, batch after batch, for ``FUZZ_SECONDS``."""
    end, number = time.monotonic() + FUZZ_SECONDS, 0
    while time.monotonic() < end:
        number += 1
        hypothesis.seed(number)(BATCH(given(**given_by)(test)))()


@pytest.mark.fuzz
def test_a_long_search_finds_no_files_that_are_not_loaded(tmp_path: Path) -> None:
    def loaded(files: dict[str, bytes]) -> None:
        load(tmp_path / "ws", files)

    search(loaded, files=FILES)


FIXED, PER_BYTE, PER_VALUE = 4 << 20, 10, 1_500
"""Bytes that any load takes, that it may take for each byte of its files, and for each value in them."""


def peak_of(root: Path) -> int:
    """Return how much more memory than before a load takes at its highest, everything that it imports aside."""
    Workspace(root).load()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        Workspace(root).load()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


@pytest.mark.fuzz
def test_a_long_search_finds_no_files_that_take_ten_times_their_size(tmp_path: Path) -> None:
    def measured(files: dict[str, bytes]) -> None:
        size = write(tmp_path / "ws", files)
        assert peak_of(tmp_path / "ws") <= FIXED + PER_BYTE * size

    search(measured, files=FILES)


HEADER = "name: local/a\ndescription: "
SKILL_MD = "---\nname: s\ndescription: Sorts mail by sender and by date. Use often.\n---\n"
LARGE = {
    "one long text": ("skills/a.yaml", HEADER + "x" * 900_000),
    "a comment": ("skills/a.yaml", f"{HEADER}A.\n#" + "x" * 900_000),
    "blank lines": ("skills/a.yaml", f"{HEADER}A.\n" + "\n" * 900_000),
    "brackets": ("skills/a.yaml", "[" * 900_000),
    "code": ("tools/t.yaml", "name: local/t\ndescription: T.\nsource: custom\ncode: |\n" + "  x = [1, 2]\n" * 60_000),
    "prose": ("s/SKILL.md", SKILL_MD + "Sort the mail by sender, then by date of arrival.\n" * 30_000),
}


@pytest.mark.parametrize("kind", LARGE)
def test_a_large_file_takes_less_than_ten_times_its_size(kind: str, tmp_path: Path) -> None:
    path, text = LARGE[kind]
    size = write(tmp_path / "ws", {path: text.encode()})
    assert peak_of(tmp_path / "ws") <= FIXED + PER_BYTE * size


DENSE = {
    "names": f"{HEADER}A.\ntools: [{'a,' * 8_000}a]\n",
    "empty mappings": f"{HEADER}A.\nincludes: [{'{},' * 8_000}]\n",
    "overrides": f"{HEADER}A.\noverrides: {{{','.join(f'k{n}: {{}}' for n in range(8_000))}}}\n",
    "unknown keys": f"{HEADER}A.\n" + "".join(f"k{n}: 1\n" for n in range(8_000)),
}


@pytest.mark.parametrize("kind", DENSE)
def test_many_small_values_take_a_bounded_amount_each(kind: str, tmp_path: Path) -> None:
    write(tmp_path / "ws", {"skills/a.yaml": DENSE[kind].encode()})
    assert peak_of(tmp_path / "ws") <= FIXED + PER_VALUE * 8_000


@pytest.mark.parametrize("times", [2, 8])
def test_aliases_of_aliases_take_no_more_than_they_are_written_with(times: int, tmp_path: Path) -> None:
    lines = [f"a0: &a0 [{','.join('x' * 9)}]\n"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, times)]
    write(tmp_path / "ws", {"skills/a.yaml": f"{HEADER}A.\n{''.join(lines)}".encode()})
    assert peak_of(tmp_path / "ws") <= FIXED
