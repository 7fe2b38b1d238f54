"""No fix writes a text where an alias stands."""

from __future__ import annotations

from typing import Any

import pytest

from core.workspace import Workspace

HEAD = "name: local/a\ndescription: A.\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('read_only: &r "true"\nmcp_servers: [{name: x, command: c, legacy: *r}]\n', "skill/wrong-type"),
        ("overrides: &u local/x\nbuiltin_groups: *u\n", "skill/wrong-type"),
        ("builtin_groups: &g file_operations\ntools: *g\n", "skill/wrong-type"),
        ("tools: [&t builtin/raed_file, *t]\n", "tool/unknown"),
    ],
)
def test_a_fix_is_offered_for_the_value_and_not_for_its_alias(make_workspace: Any, text: str, code: str) -> None:
    workspace = Workspace(make_workspace({"skills/a.yaml": HEAD + text}))
    workspace.load()
    lines = (HEAD + text).splitlines()
    found = [d for d in workspace.diagnostics if d.code == code]
    at_alias = [d for d in found if lines[d.place.line - 1].startswith("*", d.place.column - 1)]
    assert len(at_alias) >= 1
    assert [d.fix for d in at_alias] == [None] * len(at_alias)


def test_what_only_looks_like_an_alias_is_put_in_quotes(make_workspace: Any) -> None:
    workspace = Workspace(make_workspace({"skills/a.yaml": "name: local/a\ndescription: *Important* words\n"}))
    workspace.load()
    assert [(d.code, d.fix is not None) for d in workspace.diagnostics] == [("yaml/syntax", True)]


def test_an_alias_that_repeats_an_entry_is_deleted(make_workspace: Any) -> None:
    workspace = Workspace(make_workspace({"skills/a.yaml": HEAD + "tools: [&t builtin/read_file, *t]\n"}))
    workspace.load()
    assert [(d.code, d.fix is not None) for d in workspace.diagnostics if d.code != "yaml/alias"] == [
        ("skill/duplicate-entry", True)
    ]
