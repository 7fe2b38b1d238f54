"""A file in the folder of another kind is one finding that says where it belongs, not a list of unknown keys."""

from __future__ import annotations

from typing import Any

import pytest

TOOL = "name: local/t\ndescription: T.\nsource: custom\ncode: return 1\ncapability: {read_only: true}\n"
SKILL = "name: local/s\ndescription: S.\nincludes: []\ntools: [builtin/read_file]\n"
ACTOR = "name: local/a\nmodel: big\nskills: [local/other]\n"

MISPLACED = {
    "tool in skills": ("skills", TOOL, "a tool (it has `source`, `code` and `capability`)", "tools", (3, 1)),
    "tool in actors": ("actors", TOOL, "a tool (it has `source`, `code` and `capability`)", "tools", (3, 1)),
    "tool of a file": (
        "skills",
        "name: local/t\ndescription: T.\nentry_point: t.py:run\n",
        "a tool (it has `entry_point`)",
        "tools",
        (3, 1),
    ),
    "skill in tools": ("tools", SKILL, "a skill (it has `includes` and `tools`)", "skills", (3, 1)),
    "skill in actors": ("actors", SKILL, "a skill (it has `includes` and `tools`)", "skills", (3, 1)),
    "older skill in tools": (
        "tools",
        "name: local/s\ndescription: S.\nread_only: true\nbuiltins: [git_operations]\n",
        "a skill (it has `builtins`)",
        "skills",
        (4, 1),
    ),
    "actor in skills": ("skills", ACTOR, "an actor (it has `skills`)", "actors", (3, 1)),
    "actor in tools": ("tools", ACTOR, "an actor (it has `skills`)", "actors", (3, 1)),
}


@pytest.mark.parametrize(("folder", "text", "what", "to", "at"), MISPLACED.values(), ids=MISPLACED)
def test_a_file_in_the_folder_of_another_kind_is_one_finding(
    findings: Any, folder: str, text: str, what: str, to: str, at: tuple[int, int]
) -> None:
    (found,) = findings({f"{folder}/x.yaml": text})
    assert (found.code, found.place.line, found.place.column) == ("file/wrong-folder", *at)
    assert found.message.startswith(f"This looks like {what}, but files in {folder}/ are read as a")
    assert found.message.endswith(f"; move it to {to}/.")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tools/t.yaml", TOOL),
        ("skills/s.yaml", SKILL),
        ("actors/a.yaml", ACTOR),
        ("skills/t.yaml", "tool:\n  name: local/t\n  description: T.\n  source: custom\n  code: return 1\n"),
        ("actors/a.yaml", ACTOR + "description: x\nsource: elsewhere\nversion: 1.0.0\n"),
        ("skills/x.yaml", SKILL + "source: custom\n"),
        ("actors/x.yaml", "name: local/a\ntools: [local/t]\n"),
        ("actors/x.yaml", "name: local/a\nsource: [elsewhere]\n"),
    ],
)
def test_a_file_where_it_belongs_or_of_mixed_keys_is_read_as_its_folder_says(
    findings: Any, path: str, text: str
) -> None:
    assert "file/wrong-folder" not in [found.code for found in findings({path: text})]


def test_what_names_a_misplaced_file_has_no_finding_of_its_own(make_workspace: Any) -> None:
    from core.workspace import Workspace

    user = "name: local/u\ndescription: U.\ntools: [local/t]\nincludes: [local/s]\n"
    workspace = Workspace(make_workspace({"skills/t.yaml": TOOL, "tools/s.yaml": SKILL, "skills/u.yaml": user}))
    workspace.load()
    assert {found.code for found in workspace.diagnostics} == {"file/wrong-folder"}
