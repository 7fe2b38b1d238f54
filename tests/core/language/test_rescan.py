"""A scan brought up to date from changed paths is what a whole scan finds, or says that it takes one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language.rescan import rescan
from core.language.scan import Scan, scan

SKILL = "name: local/{}\ndescription: D.\n"
FILES = {
    "skills/a.yaml": SKILL.format("a"),
    "skills/deep/b.yaml": SKILL.format("b"),
    "tools/t.py": "",
    ".mcp.json": "{}",
    "agents/one/SKILL.md": "---\nname: one\n---\n",
    "agents/one/notes.md": "",
    ".git/HEAD": "",
    "other/skill-explorer.toml": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return written(tmp_path)


def written(root: Path) -> Path:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def save(root: Path, path: str, text: str = "name: local/other\ndescription: Other.\n") -> None:
    """Save as editors do: beside, then over."""
    (root / path).with_name(".saving.swp").write_text(text, encoding="utf-8")
    os.replace((root / path).with_name(".saving.swp"), root / path)


@pytest.mark.parametrize(
    ("act", "changed"),
    [
        (lambda root: save(root, "skills/a.yaml"), ["skills/a.yaml", "skills/.saving.swp"]),
        (lambda root: (root / ".mcp.json").write_text("{ }"), [".mcp.json"]),
        (lambda root: (root / "tools/t.py").write_text("x = 1"), ["tools/t.py"]),
        (lambda root: (root / "tools/note.txt").write_text("x"), ["tools/note.txt"]),
        (lambda root: (root / ".git/index").write_text("x"), [".git/index", ".git/refs/heads/main", ".git"]),
        (lambda root: None, ["skills/gone.yaml", "skills/a.yaml"]),
    ],
    ids=["a save", "a server file", "a Python file", "a note", "what git does", "a file that came and went"],
)
def test_saves_take_no_search_of_folders(root: Path, act: Callable[[Path], object], changed: list[str]) -> None:
    before = scan(root)
    act(root)
    assert rescan(root, before, changed) == scan(root)


@pytest.mark.parametrize(
    ("act", "changed"),
    [
        (lambda root: (root / "skills/new.yaml").write_text("x"), "skills/new.yaml"),
        (lambda root: (root / "skills/a.yaml").unlink(), "skills/a.yaml"),
        (lambda root: (root / "skills/deep").rename(root / "skills/moved"), "skills/moved"),
        (lambda root: shutil.rmtree(root / "skills/deep"), "skills/deep"),
        (lambda root: (root / "agents/one/notes.md").write_text("x"), "agents/one/notes.md"),
        (lambda root: (root / "tools/SKILL.md").write_text("x"), "tools/SKILL.md"),
        (lambda root: (root / "tools/skill-explorer.toml").write_text(""), "tools/skill-explorer.toml"),
        (lambda root: (root / "other/skill-explorer.toml").unlink(), "other/skill-explorer.toml"),
        (lambda root: (root / "skills/link.yaml").symlink_to("a.yaml"), "skills/link.yaml"),
    ],
)
def test_what_may_matter_otherwise_takes_a_whole_scan(root: Path, act: Callable[[Path], object], changed: str) -> None:
    before = scan(root)
    act(root)
    assert rescan(root, before, [changed]) is None


def test_a_workspace_with_links_is_always_scanned_whole(root: Path) -> None:
    (root / "skills/link.yaml").symlink_to("../tools/t.py")
    assert rescan(root, scan(root), []) is None


_PATHS = st.sampled_from(
    [*FILES, "skills/new.yaml", "skills/deep", "skills/deep/x.yaml", ".git/x.yaml", "agents/two/x"]
)
_ACTS = st.lists(st.tuples(_PATHS, st.sampled_from(["save", "remove", "folder"])), max_size=4)


@settings(max_examples=60, deadline=None)
@given(acts=_ACTS)
def test_whatever_happens_a_rescan_finds_what_a_scan_does(
    acts: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = written(tmp_path_factory.mktemp("ws"))
    before: Scan | None = scan(root)
    for path, how in acts:
        _act(root / path, how)
        found = rescan(root, before, [path]) if before else None
        assert found in (None, scan(root))
        before = found or scan(root)


def _act(target: Path, how: str) -> None:
    if target.is_dir():
        shutil.rmtree(target)
    elif os.path.lexists(target):
        target.unlink()
    if how == "remove" or any(above.is_file() for above in target.parents):
        return
    if how == "folder":
        target.mkdir(parents=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(SKILL.format("x"), encoding="utf-8")
