"""Loading again: exactly what changed is read, and the outcome is that of a first load."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.workspace import Workspace, reading

SKILL = "name: local/{0}\ndescription: Skill {0}.\ntools: [{1}]\n"
FILES = {
    "skills/a.yaml": SKILL.format("a", "builtin/read_file"),
    "skills/b.yaml": SKILL.format("b", "local/t"),
    "skills/c.yaml": "name: local/c\ndescription: C.\nagent_skill_folders: [agent/steps]\n",
    "tools/t.yaml": "name: local/t\ndescription: T.\nsource: custom\nentry_point: tools/t.py:run\n",
    "tools/t.py": "def run(): return 1\n",
    "agent/steps/SKILL.md": "---\nname: steps\ndescription: Shows the steps. Use in tests of loading.\n---\n\n1. Go.\n",
    "actors/x.yaml": "name: local/x\nskills: [local/a, local/b, local/c]\n",
}


@pytest.fixture
def opened(make_workspace: Any) -> Workspace:
    workspace = Workspace(make_workspace(FILES))
    workspace.load()
    assert [d.message for d in workspace.diagnostics] == []
    return workspace


def save(workspace: Workspace, path: str, text: str) -> None:
    """Save as editors do: beside, then over."""
    target = workspace.root / path
    beside = target.with_name(".saving")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, target)


def codes(workspace: Workspace) -> list[str]:
    workspace.load()
    return [found.code for found in workspace.diagnostics]


def test_nothing_is_read_twice_when_nothing_changed(opened: Workspace) -> None:
    opened.load()
    assert opened.files_read == ()


def test_a_saved_file_alone_is_read(opened: Workspace) -> None:
    save(opened, "skills/a.yaml", SKILL.format("a", "builtin/write_file"))
    opened.load()
    assert opened.files_read == ("skills/a.yaml",)
    assert [r.name for r in opened.catalogue.flatten("local/a").records] == ["builtin/write_file"]


def test_a_python_file_that_goes_and_comes_back_is_told_at_the_tool_that_names_it(opened: Workspace) -> None:
    (opened.root / "tools/t.py").unlink()
    assert codes(opened)
    assert opened.files_read == ("tools/t.yaml",)
    (opened.root / "tools/t.py").write_text("def run(): return 1\n", encoding="utf-8")
    assert codes(opened) == []


def test_an_agent_skill_that_goes_and_comes_back_is_told_at_the_skill_that_names_it(opened: Workspace) -> None:
    shutil.move(opened.root / "agent/steps", opened.root / "agent/away")
    assert codes(opened)
    assert "skills/a.yaml" not in opened.files_read
    shutil.move(opened.root / "agent/away", opened.root / "agent/steps")
    assert codes(opened) == []


def test_a_change_deep_in_an_agent_skill_reads_that_skill(opened: Workspace) -> None:
    deep = opened.root / "agent/steps/references/notes/one.md"
    deep.parent.mkdir(parents=True)
    deep.write_text("One.\n", encoding="utf-8")
    opened.load()
    assert opened.files_read == ("agent/steps/",)


def test_a_deleted_file_takes_its_findings_with_it(opened: Workspace) -> None:
    save(opened, "skills/a.yaml", "name: local/a\n")
    assert codes(opened)
    (opened.root / "skills/a.yaml").unlink()
    assert codes(opened) == ["actor/unknown-skill"]


def test_a_save_that_is_still_being_written_is_waited_for(opened: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    path = opened.root / "skills/a.yaml"
    path.write_text("name: local/a\ndescription: [unfini", encoding="utf-8")
    waits: list[float] = []

    def finish(seconds: float) -> None:
        waits.append(seconds)
        path.write_text(SKILL.format("a", "builtin/read_file"), encoding="utf-8")

    monkeypatch.setattr(reading, "AT_REST_S", 60.0)
    monkeypatch.setattr(reading.time, "sleep", finish)
    assert codes(opened) == []
    assert len(waits) == 1


def test_a_fault_that_stays_is_shown_after_a_bounded_wait(opened: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    (opened.root / "skills/a.yaml").write_text("name: [local/a\n", encoding="utf-8")
    waits: list[float] = []
    monkeypatch.setattr(reading, "AT_REST_S", 60.0)
    monkeypatch.setattr(reading.time, "sleep", waits.append)
    assert "yaml/syntax" in codes(opened)
    assert len(waits) == 1


def test_a_fault_in_a_file_at_rest_is_shown_at_once(opened: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    (opened.root / "skills/a.yaml").write_text("name: [local/a\n", encoding="utf-8")
    waits: list[float] = []
    monkeypatch.setattr(reading, "AT_REST_S", 0.0)
    monkeypatch.setattr(reading.time, "sleep", waits.append)
    assert "yaml/syntax" in codes(opened)
    assert waits == []


def test_only_the_file_that_a_watch_names_is_read_and_what_looks_at_it(opened: Workspace) -> None:
    save(opened, "skills/a.yaml", SKILL.format("a", "builtin/write_file"))
    opened.load(changed=["skills/a.yaml", "skills/.saving"])
    assert opened.files_read == ("skills/a.yaml",)
    save(opened, "tools/t.py", "def other(): return 1\n")
    opened.load(changed=["tools/t.py"])
    assert opened.files_read == ("tools/t.yaml",)
    opened.load(changed=["tools/t.py"])
    assert opened.files_read == ()


_TEXTS = st.sampled_from(
    [
        SKILL.format("a", "builtin/read_file"),
        SKILL.format("b", "local/t"),
        "name: local/c\ndescription: C.\nincludes: [local/a, local/zzz]\n",
        "name: local/d\ndescription: [broken\n",
        "",
        FILES["tools/t.yaml"],
    ]
)
_PATHS = st.sampled_from(["skills/a.yaml", "skills/b.yaml", "tools/t.yaml", "tools/t.py"])
_EDITS = st.lists(st.tuples(_PATHS, st.none() | _TEXTS, st.booleans()), max_size=6)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=_EDITS)
def test_loading_again_gives_what_a_first_load_gives(
    edits: list[tuple[str, str | None, bool]], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_WAITS", 0)
    root = _written(tmp_path_factory.mktemp("ws"))
    again = Workspace(root)
    again.load()
    for path, text, named in edits:
        (root / path).unlink(missing_ok=True)
        if text is not None:
            (root / path).write_text(text, encoding="utf-8")
        again.load(changed=[path] if named else None)
    first = Workspace(root)
    first.load()
    assert [file.path for file in again.declarations.skills] == [file.path for file in first.declarations.skills]
    assert again.diagnostics == first.diagnostics
    assert again.catalogue.skills() == first.catalogue.skills()


def _written(root: Path) -> Path:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root
