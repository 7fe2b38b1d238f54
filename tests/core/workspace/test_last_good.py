"""A skill whose file becomes unreadable stays to be looked at as it was, and is never run."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core.resolve.views import SkillStatus
from core.workspace import Workspace, reading

Make = Callable[[Mapping[str, str]], Path]
GOOD = "name: local/a\ndescription: First.\nincludes: [local/b]\ntools: [builtin/read_file]\n"
BROKEN = {"with its name": GOOD + "more: [\n", "without": "name: [\n"}
FILES = {
    "skills/a.yaml": GOOD,
    "skills/b.yaml": "name: local/b\ndescription: B.\ntools: [builtin/git_status]\n",
    "skills/top.yaml": "name: local/top\ndescription: T.\nincludes: [local/a]\n",
}


@pytest.fixture
def opened(make_workspace: Make, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(reading, "MOST_WAITS", 0)
    workspace = Workspace(make_workspace(FILES))
    workspace.load()
    assert workspace.diagnostics == ()
    return workspace


def save(workspace: Workspace, text: str, path: str = "skills/a.yaml") -> None:
    beside = workspace.root / ".saving"
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, workspace.root / path)
    workspace.load()


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_what_it_was_can_be_looked_at(opened: Workspace, text: str) -> None:
    save(opened, text)
    good = opened.last_good["local/a"]
    assert good.row is not None
    assert (good.row.description, good.row.status, good.row.tools) == ("First.", SkillStatus.UNRESOLVED, 2)
    assert [record.name for record in good.flat.records] == ["builtin/git_status", "builtin/read_file"]
    assert "can't be read" in good.errors[0].message


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_resolution_and_findings_are_those_of_a_first_load(opened: Workspace, text: str) -> None:
    save(opened, text)
    first = Workspace(opened.root)
    first.load()
    assert (opened.diagnostics, opened.catalogue.skills()) == (first.diagnostics, first.catalogue.skills())
    assert first.last_good == {}
    top = opened.catalogue.skill("local/top")
    assert top is not None
    assert top.status is SkillStatus.PARTIAL


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_no_call_runs_by_what_it_was(opened: Workspace, text: str) -> None:
    save(opened, text)
    for skill in ("local/a", "local/top"):
        result = opened.invoke(skill, "builtin/read_file", {"path": "skills/b.yaml"}).result
        assert result.error is not None
        assert result.error.error_type in ("resolution_failure", "skill_not_found")
    opened.close()


def test_it_ends_when_the_file_is_mended_deleted_or_replaced(opened: Workspace) -> None:
    save(opened, BROKEN["without"])
    save(opened, GOOD.replace("First", "Second"))
    assert opened.last_good == {}
    save(opened, BROKEN["without"])
    save(opened, "name: [[\n")
    assert opened.last_good["local/a"].file.model.description == "Second."
    (opened.root / "skills/a.yaml").unlink()
    opened.load()
    assert opened.last_good == {}
    save(opened, GOOD)
    save(opened, BROKEN["without"])
    save(opened, GOOD, "skills/c.yaml")
    assert opened.last_good == {}
