"""A load that is stopped: what was complete stays, what never was is there as far as it was read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core.workspace import Workspace

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Path]
SKILLS = 120


def tree() -> dict[str, str | bytes]:
    return {
        f"skills/{n:03}.yaml": f"name: a/s{n:03}\ndescription: D.\nincludes:\n  - a/s{SKILLS - 1 - n:03}\n"
        for n in range(SKILLS)
    }


class Reader:
    """Hears of progress, and wants to stop once fifty files have been read."""

    def __init__(self) -> None:
        self.told: list[tuple[int, int]] = []

    def hear(self, done: int, total: int, _names: Sequence[str]) -> None:
        self.told.append((done, total))

    def enough(self) -> bool:
        return any(done >= 50 for done, _ in self.told)


def test_a_stopped_first_load_holds_what_was_read_and_no_finding_that_needs_all_files(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    workspace = Workspace(make_workspace(tree()), state=tmp_path / "state")
    reader = Reader()
    assert workspace.load(reader.hear, reader.enough) is False
    assert not workspace.declarations.complete
    assert workspace.counts.skills + workspace.declarations.unread == SKILLS
    assert 0 < workspace.counts.skills < SKILLS
    assert workspace.diagnostics == ()
    assert reader.told[-1] == (workspace.counts.skills, SKILLS)


def test_the_next_load_reads_only_the_rest(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    workspace = Workspace(make_workspace(tree()), state=tmp_path / "state")
    reader = Reader()
    workspace.load(reader.hear, reader.enough)
    before = workspace.counts.skills
    assert workspace.load() is True
    assert len(workspace.files_read) == SKILLS - before
    assert workspace.declarations.complete
    assert workspace.counts.skills == SKILLS
    assert {d.code for d in workspace.diagnostics} == {"include/cycle"}


def test_a_stopped_reload_changes_nothing(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    root = make_workspace(tree())
    workspace = Workspace(root, state=tmp_path / "state")
    workspace.load()
    catalogue, found = workspace.catalogue, workspace.diagnostics
    (root / "skills/000.yaml").unlink()
    assert workspace.load(None, lambda: True) is False
    assert workspace.catalogue is catalogue
    assert workspace.diagnostics is found
    assert workspace.load() is True
    assert workspace.counts.skills == SKILLS - 1
