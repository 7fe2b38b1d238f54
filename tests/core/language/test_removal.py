"""Includes taken out of their list: exactly that entry goes, in every style that a list may be written in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.diagnostics import Diagnostic
from core.language.removal import without_entry
from core.language.tree import SourceText, unpack
from core.language.yaml_reader import read_yaml
from core.workspace import Workspace
from core.workspace.fixes import plan_one

HEAD = "name: local/a\ndescription: A.\n"
OTHER = {"skills/b.yaml": "name: local/b\ndescription: B.\nincludes: [local/a]\n"}
LEAF = {"skills/c.yaml": "name: local/c\ndescription: C.\n"}

STYLES = {
    "the only entry in brackets": ("includes: [local/b]\n", "includes: []\n"),
    "the only entry in brackets, with a comma": ("includes: [local/b, ] # b\n", "includes: [] # b\n"),
    "the only entry with a dash": ("includes:\n  - local/b\ntools: []\n", "tools: []\n"),
    "the only entry with a dash and comments": (
        "includes:  # others\n  # b is there for its tools\n  - local/b # for its tools\ntools: []\n",
        "tools: []\n",
    ),
    "the only entry, its key below comments of its own": (
        "tools: []\n\n# of the file\n\n# others\n# by name\nincludes:\n  - local/b\n",
        "tools: []\n\n# of the file\n\n",
    ),
    "the only entry, its key below a comment of the key before": (
        "sub:\n  a: 1\n  # about a\nincludes:\n  - local/b\n",
        "sub:\n  a: 1\n  # about a\n",
    ),
    "an entry below comments of its own": (
        "includes:\n  # first\n  - local/c\n  # b is there\n  # for its tools\n  - local/b\n  # the end\ntools: []\n",
        "includes:\n  # first\n  - local/c\n  # the end\ntools: []\n",
    ),
    "an entry below a comment of another indentation": (
        "includes:\n  - local/c\n# aside\n  - local/b\n",
        "includes:\n  - local/c\n# aside\n",
    ),
    "the first entry below a comment that may be about all": (
        "includes:\n  # others\n  - local/b\n  - local/c\n",
        "includes:\n  # others\n  - local/c\n",
    ),
    "an entry without indentation": ("includes:\n- local/b\n- local/c\n", "includes:\n- local/c\n"),
    "the only entry without indentation": ("includes:\n- local/b\n", ""),
    "the first in brackets": ("includes: [local/b, local/c]\n", "includes: [local/c]\n"),
    "the last in brackets": ("includes: [local/c, local/b]\n", "includes: [local/c]\n"),
    "brackets over lines": ("includes: [\n  local/c,\n  local/b,\n]\n", "includes: [\n  local/c,\n]\n"),
    "a quoted entry": ("includes:\n  - 'local/b'\n  - local/c\n", "includes:\n  - local/c\n"),
    "a mapping": (
        "includes:\n  - name: local/b\n    description: B.\n  # c\n  - local/c\n",
        "includes:\n  # c\n  - local/c\n",
    ),
    "a mapping that ends in a block of text": (
        "includes:\n  - name: local/b\n    description: |\n      B.\n  # c\n  - local/c\n",
        "includes:\n  # c\n  - local/c\n",
    ),
    "a mapping in braces": ("includes:\n  - {name: local/b}\n  - local/c\n", "includes:\n  - local/c\n"),
    "a file without an end of line": ("includes:\n  - local/c\n  - local/b", "includes:\n  - local/c\n"),
}


def cycle(make_workspace: Callable[..., Path], text: str) -> tuple[Workspace, list[Diagnostic]]:
    workspace = Workspace(make_workspace({"skills/a.yaml": text, **OTHER, **LEAF}))
    workspace.load()
    found = [d for d in workspace.diagnostics if d.code == "include/cycle" and d.place.path == "skills/a.yaml"]
    assert found, workspace.diagnostics
    return workspace, found


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("style", STYLES)
def test_removing_an_include_takes_that_entry_and_nothing_else(style: str, end: str, make_workspace: Any) -> None:
    before, after = (f"{HEAD}{text}".replace("\n", end) for text in STYLES[style])
    workspace, (found,) = cycle(make_workspace, before)
    assert found.fix is not None
    assert found.fix.title == "remove the include of local/b"
    (changed,) = plan_one(found.fix, workspace.text_of)
    assert changed.after == after


@pytest.mark.parametrize(
    "text",
    [
        "includes: &others [local/b]\n",
        "includes:\n  - &b local/b\n  - local/c\n",
        "includes:\n  - local/b\n  - local/b\n",
        "includes:\n  -\n    local/b\n",
    ],
)
def test_where_removing_an_entry_is_not_sure_no_fix_is_offered(text: str, make_workspace: Any) -> None:
    _, found = cycle(make_workspace, HEAD + text)
    assert [item.fix for item in found] == [None]


ENTRIES = st.lists(st.sampled_from(["local/c", "local/d", "local/e"]), unique=True, max_size=3)


@given(others=ENTRIES, at=st.integers(0, 3), block=st.booleans(), indent=st.sampled_from(["", "  ", "      "]))
def test_the_rest_of_the_list_stays_as_it_is(others: list[str], at: int, block: bool, indent: str) -> None:
    items = [*others[:at], "local/b", *others[at:]]
    written = "".join(f"\n{indent}- {item}" for item in items) if block else f" [{', '.join(items)}]"
    text = f"x: 1\nincludes:{written}\ny: 2\n"
    document = read_yaml(text, SourceText("f", text)).root
    for span in sorted(without_entry(text, document, "includes", items.index("local/b")), reverse=True):
        start, end = unpack(span)
        text = text[:start] + text[end:]
    assert (yaml.safe_load(text).get("includes") or []) == others
    assert {key: value for key, value in yaml.safe_load(text).items() if key != "includes"} == {"x": 1, "y": 2}
