"""Whatever the files hold, loading them ends with findings: nothing is raised, nothing hangs, no memory explodes."""

from __future__ import annotations

import random
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


FIXED, PER_BYTE = 4 << 20, 10
"""Bytes that any load takes, and that it may take for each byte of its files."""


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


TOOL = "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\n"
Dense = Callable[[int], str]


def listed(key: str, entry: str, head: str = f"{HEADER}A.\n") -> Dense:
    """Return a file with ``n`` entries in brackets; ``§`` is a number of its own for each."""
    return lambda n: f"{head}{key}: [{','.join(entry.replace('§', f'{at:x}') for at in range(n))}]\n"


def mapped(key: str, entry: str, head: str = f"{HEADER}A.\n", end: str = "}\n") -> Dense:
    return lambda n: f"{head}{key}: {{{','.join(entry.replace('§', f'{at:x}') for at in range(n))}{end}"


def lines(line: str, head: str = f"{HEADER}A.\n", end: str = "") -> Dense:
    return lambda n: head + "".join(line.replace("§", f"{at:x}") for at in range(n)) + end


FRONT = SKILL_MD[:-4]
KEYS_OF_A_TOOL = "code: x, " + ", ".join(f"k{at}: 1" for at in range(99))
DENSE: dict[str, tuple[str, Dense]] = {
    **{
        f"x: [{one}]": ("skills/a.yaml", listed("x", one))
        for one in ("1", "~", "''", "{}", "[]", "{a}", "[[[]]]", "§")
    },
    **{
        f"{key}: [{one}]": ("skills/a.yaml", listed(key, one))
        for key in ("tools", "includes", "agent_skill_folders", "builtin_groups", "mcp_servers", "inline_tools")
        for one in ("a", "a/§", "{}", "{name: a/§}", "{code: §x}", "{server: §x}", "{path: §}")
    },
    "includes in lines": ("skills/a.yaml", lines("  - local/skill-number-§\n", f"{HEADER}A.\nincludes:\n")),
    "overrides": ("skills/a.yaml", mapped("overrides", "k§: {}")),
    "overrides of flags": ("skills/a.yaml", mapped("overrides", "k§: {writes: true}")),
    "keys": ("skills/a.yaml", lines("k§: 1\n")),
    "entries of a mapping": ("skills/a.yaml", mapped("x", "§: ")),
    "dashes": ("skills/a.yaml", lines("- \n", f"{HEADER}A.\nx:\n")),
    "aliases": ("skills/a.yaml", listed("x", "*a ", f"{HEADER}A.\ny: &a 1\n")),
    "aliases of tools": ("skills/a.yaml", lambda n: listed("tools", "*a ", f"{HEADER}A.\nx: &a {{{KEYS_OF_A_TOOL}}}\n")(
        min(n, 900)
    )),
    "anchors": ("skills/a.yaml", listed("x", "&a 1")),
    "documents": ("skills/a.yaml", lines("---\n")),
    "enum": ("tools/t.yaml", listed("input_schema: {type: object, enum", "§", TOOL.replace("]", "]}"))),
    "properties": ("tools/t.yaml", mapped("input_schema: {type: object, properties", "p§: {}", TOOL, "}}\n")),
    "subschemas": ("tools/t.yaml", mapped("input_schema: {type: object, $defs", "p§: {items: {}}", TOOL, "}}\n")),
    "slots": ("tools/t.yaml", mapped("resources", "p§: {}", TOOL)),
    "code": ("tools/t.yaml", lines("  1\n", TOOL.replace("return 1", "|"))),
    "servers": (".mcp.json", mapped("{mcpServers", "s§: {command: x}", "", "}}")),
    "env": (".mcp.json", mapped("{mcpServers: {a: {command: x, env", "E§: a", "", "}}}}")),
    "args": (".mcp.json", listed("{mcpServers: {a: {command: x, args", "a", "")),
    "actors": ("actors/o.yaml", mapped("actors", "a§: {skills: [a/b]}", "")),
    "skills of an actor": ("actors/o.yaml", listed("skills", "a/§", "name: local/o\n")),
    "frontmatter": ("s/SKILL.md", lines("k§: 1\n", FRONT, "---\n")),
    "metadata": ("s/SKILL.md", lines("  k§: 1\n", f"{FRONT}metadata:\n", "---\n")),
    "steps": ("s/SKILL.md", lines("- a\n", f"{FRONT}steps:\n", "---\n")),
    "numbered lines": ("s/SKILL.md", lines("1. a\n", SKILL_MD)),
    "links": ("s/SKILL.md", lines("[a](b§)\n", SKILL_MD)),
    "headings": ("s/SKILL.md", lines("# a\n", SKILL_MD)),
    "comments": ("s/SKILL.md", lines("<!-- -->\n", SKILL_MD)),
    "severities": ("skill-explorer.toml", lines("a§='x'\n", "[severity]\n")),
    "ignores": ("skill-explorer.toml", lines("[[ignore]]\n", "")),
}  # fmt: skip
LIMITS = {"s/SKILL.md": 2 << 20}
DEAREST = ["x: [{a}]", "x: [§]", "tools: [a/§]", "includes: [a/§]", "includes in lines", "agent_skill_folders: [a/§]"]
DEAREST += ["inline_tools: [{code: §x}]", "mcp_servers: [{server: §x}]", "env", "servers", "keys", "code"]
DEAREST += ["frontmatter", "severities", "aliases of tools"]


def peak_of_dense(root: Path, kind: str, values: int) -> tuple[int, int]:
    """Return what a dense file takes, and what it may take."""
    path, text = DENSE[kind]
    data = text(values).encode()[: LIMITS.get(path, 1 << 20)]
    write(root, {path: data})
    return peak_of(root), FIXED + PER_BYTE * len(data)


@pytest.mark.parametrize("kind", DEAREST)
def test_files_of_tiny_values_take_no_more_than_ten_times_their_size(kind: str, tmp_path: Path) -> None:
    peak, allowed = peak_of_dense(tmp_path / "ws", kind, 5_000)
    assert peak <= allowed


@pytest.mark.fuzz
def test_a_long_search_finds_no_number_of_tiny_values_that_take_ten_times_their_size(tmp_path: Path) -> None:
    chance, end = random.Random(6), time.monotonic() + FUZZ_SECONDS
    while time.monotonic() < end:
        kind, values = chance.choice(list(DENSE)), int(1_000 * 2 ** chance.uniform(0, 9))
        peak, allowed = peak_of_dense(tmp_path / "ws", kind, values)
        assert peak <= allowed, (kind, values)


def test_a_file_much_larger_than_any_real_one_is_read_whole(tmp_path: Path) -> None:
    tool = (
        "  - {name: t§, description: Says what came of it in a line or two., source: custom, code: return 1,\n"
        "     input_schema: {type: object, properties: {a: {type: string, description: What.}}, required: [a]},\n"
        "     capability: {read_only: true, writes: false, side_effects: []}, timeout: 30}\n"
    )
    files = {
        "skills/many.yaml": lines("  - local/s§\n", f"{HEADER}A.\nincludes:\n")(2_000),
        "skills/tools.yaml": lines(tool, "name: local/b\ndescription: B.\ntools:\n")(200),
    }
    write(tmp_path / "ws", {path: text.encode() for path, text in files.items()})
    workspace = Workspace(tmp_path / "ws")
    workspace.load()
    many, tools = workspace.declarations.skills
    assert (len(many.includes), len(tools.tools)) == (2_000, 200)
    assert not [d for d in workspace.diagnostics if "is not read" in d.message]


@pytest.mark.parametrize("times", [2, 8])
def test_aliases_of_aliases_take_no_more_than_they_are_written_with(times: int, tmp_path: Path) -> None:
    lines = [f"a0: &a0 [{','.join('x' * 9)}]\n"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, times)]
    write(tmp_path / "ws", {"skills/a.yaml": f"{HEADER}A.\n{''.join(lines)}".encode()})
    assert peak_of(tmp_path / "ws") <= FIXED


def test_entries_beyond_the_limit_are_told_once_at_the_first_and_left_out(tmp_path: Path) -> None:
    text = lines("  - local/s§\n", "name: local/a\nincludes:\n", "tools: [local/t]\ndescription: D.\n")(4_000)
    write(tmp_path / "ws", {"skills/a.yaml": text.encode()})
    workspace = Workspace(tmp_path / "ws")
    workspace.load()
    (skill,) = workspace.declarations.skills
    (limit,) = [d for d in workspace.diagnostics if "so what follows is not read" in d.message]
    assert (limit.code, limit.place.line) == ("yaml/limit", 3 + len(skill.includes))
    assert 2_000 < len(skill.includes) < 4_000
    assert (skill.tools, skill.model.description) == ((), "D.")
    listed_here = [d for d in workspace.diagnostics if d.code == "include/missing"]
    assert len(listed_here) == 200
    assert [d.message for d in workspace.diagnostics if "are not listed" in d.message]
