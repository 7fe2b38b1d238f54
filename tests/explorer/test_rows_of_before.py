"""After an edit the rows of the tree and the names to find are those of a first look, and the others stay the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.workspace import Workspace, reading
from explorer.services.finder_index import build_finder
from explorer.services.outline import Kind, Node, Outline

FILES = {
    "skills/a.yaml": "name: local/a\ndescription: A.\nincludes: [local/b]\n",
    "skills/b.yaml": "name: local/b\ndescription: B.\ntools: [builtin/read_file]\n",
    "skills/c.yaml": "name: team/c\ndescription: C.\ntools: [builtin/write_file]\n",
    "skills/d.yaml": "name: team-b/d\ndescription: D.\nmcp_servers:\n  - {name: api, server: api, tools: [go]}\n",
}
EDITS = {
    "another description": {"skills/b.yaml": FILES["skills/b.yaml"].replace("B.", "Other.")},
    "other tools": {"skills/b.yaml": FILES["skills/b.yaml"].replace("read_file", "write_file")},
    "another name": {"skills/b.yaml": FILES["skills/b.yaml"].replace("local/b", "team/b")},
    "a new skill": {"skills/e.yaml": "name: local/e\ndescription: E.\n"},
    "a faulty file": {"skills/b.yaml": "name: local/b\ndescription: [\n"},
    "a faulty file of a server": {"skills/d.yaml": FILES["skills/d.yaml"] + "x: [\n"},
    "another include": {"skills/a.yaml": FILES["skills/a.yaml"].replace("local/b", "team/c")},
    "the same name twice": {"skills/e.yaml": FILES["skills/b.yaml"]},
}


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def prepared(workspace: Workspace, before: Outline | None = None) -> tuple[Outline, list[Node]]:
    outline = Outline(workspace)
    outline.prepare(before)
    return outline, outline.rows({node.key for node in outline.roots()})


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_after_an_edit_rows_and_names_are_those_of_a_first_look(
    edit: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_WAITS", 0)
    write(tmp_path, FILES)
    workspace = Workspace(tmp_path)
    workspace.load()
    outline, finder = prepared(workspace)[0], build_finder(workspace)
    for files in (edit, {path: FILES.get(path, "") for path in edit}):
        write(tmp_path, files)
        workspace.load(changed=list(files))
        outline, rows = prepared(workspace, outline)
        finder = build_finder(workspace, finder)
        assert rows == prepared(workspace)[1]
        assert finder == build_finder(workspace)


def test_rows_that_an_edit_leaves_alone_stay_the_same(tmp_path: Path) -> None:
    write(tmp_path, {path: text for path, text in FILES.items() if "server" not in text})
    workspace = Workspace(tmp_path)
    workspace.load()
    outline, before = prepared(workspace)
    write(tmp_path, EDITS["another description"])
    workspace.load(changed=["skills/b.yaml"])
    rows = prepared(workspace, outline)[1]
    changed = {row.name for row, was in zip(rows, before, strict=True) if row.kind is Kind.SKILL and row is not was}
    assert changed == {"local/b"}
