"""Changes of a copy, carried over into the workspace: what is refused, and what has changed meanwhile."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

WRITES = "{writes: true}"


def test_the_changes_of_a_copy_are_carried_over(bench: Any) -> None:
    bench.write("changed.txt", "old")
    bench.write("folder/gone.txt", "bye")
    code = """
        import os, shutil
        open('changed.txt', 'w').write('new')
        os.chmod('changed.txt', 0o600)
        shutil.rmtree('folder')
        os.makedirs('made/deep')
        open('made/deep/fresh.bin', 'wb').write(bytes(range(256)))
        os.symlink('deep/fresh.bin', 'made/link')
    """
    outcome = bench.run(code, flags=WRITES)
    assert outcome.changes.apply() == ()
    assert (bench.root / "changed.txt").read_text() == "new"
    assert (bench.root / "changed.txt").stat().st_mode & 0o777 == 0o600
    assert not (bench.root / "folder").exists()
    assert (bench.root / "made/deep/fresh.bin").read_bytes() == bytes(range(256))
    assert os.readlink(bench.root / "made/link") == "deep/fresh.bin"
    assert outcome.changes.apply() == ()


def meanwhile_changed(root: Path) -> None:
    (root / "a.txt").write_text("somebody else's")


def meanwhile_touched(root: Path) -> None:
    os.utime(root / "a.txt")


def meanwhile_deleted(root: Path) -> None:
    (root / "a.txt").unlink()


def meanwhile_created(root: Path) -> None:
    (root / "b.txt").write_text("somebody else's")


def meanwhile_linked(root: Path) -> None:
    (root / "a.txt").unlink()
    os.symlink("/etc/passwd", root / "a.txt")


MEANWHILE = {
    "changed": (meanwhile_changed, ("a.txt",)),
    "touched": (meanwhile_touched, ("a.txt",)),
    "deleted": (meanwhile_deleted, ("a.txt",)),
    "created": (meanwhile_created, ("b.txt",)),
    "made a link": (meanwhile_linked, ("a.txt",)),
}


@pytest.mark.parametrize(("change", "refused"), MEANWHILE.values(), ids=MEANWHILE)
def test_a_file_that_has_changed_meanwhile_is_refused_and_the_rest_carried_over(
    bench: Any, change: Any, refused: tuple[str, ...]
) -> None:
    bench.write("a.txt", "old")
    outcome = bench.run("for n in 'abc': open(n + '.txt', 'w').write('tool')", flags=WRITES)
    change(bench.root)
    before = {p.name: p.read_bytes() for p in bench.root.glob("*.txt")}
    assert outcome.changes.apply() == refused
    for name in refused:
        assert before.get(name) == ((bench.root / name).read_bytes() if (bench.root / name).exists() else None)
    assert (bench.root / "c.txt").read_text() == "tool"


REFUSED = {
    "link out of the workspace": "import os\nos.symlink('../../etc', 'way-out')",
    "absolute link": "import os\nos.symlink('/etc', 'way-out')",
    "hook of git": "import os\nos.makedirs('.git/hooks')\nopen('.git/hooks/post-checkout', 'w').write('x')",
    "pipe": "import os\nos.mkfifo('pipe')",
    "file made a folder": "import os\nos.remove('a.txt')\nos.mkdir('a.txt')",
}


@pytest.mark.parametrize("code", REFUSED.values(), ids=REFUSED)
def test_what_must_not_be_carried_over_is_refused(bench: Any, code: str) -> None:
    bench.write("a.txt", "x")
    outcome = bench.run(code, flags=WRITES)
    assert outcome.changes.apply() != ()
    assert sorted(p.name for p in bench.root.iterdir()) == ["a.txt", "skills", "tools"]
    assert (bench.root / "a.txt").read_text() == "x"


def test_discarded_changes_are_forgotten(bench: Any) -> None:
    outcome = bench.run("open('a.txt', 'w').write('x')", flags=WRITES)
    outcome.changes.discard()
    outcome.changes.discard()
    assert outcome.changes.apply() == ()
    assert not (bench.root / "a.txt").exists()
