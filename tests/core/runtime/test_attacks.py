"""Tools and neighbours that try to reach further than a copy, or to have a copy say what isn't so."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.runtime import orders
from core.runtime.probing import offers_overlay
from core.runtime.worker import snapshot
from core.runtime.worker.scratch import Copy

WRITES = "{writes: true}"


@pytest.fixture(params=["copy", "overlay"])
def place_bench(request: pytest.FixtureRequest, bench: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A bench whose tools work on a copy, and one whose tools work on an overlay."""
    if request.param == "overlay":
        if not offers_overlay(bench.confinement, bench.state / "scratch"):
            pytest.skip("no overlay works on this machine")
        monkeypatch.setattr(orders, "QUICK_ENTRIES", -1)
        bench.confinement = replace(bench.confinement, overlay=True)
    return bench


ESCAPES = {
    "by a link that is there first": "os.symlink('../..', 'sub/deep/a')\nos.symlink('sub/deep/a/..', 'z')",
    "by a link that comes later": "os.symlink('sub/deep/x/..', 'a')\nos.symlink('../..', 'sub/deep/x')",
    "by its text": "os.symlink('sub/../..', 'a')",
}


@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
def test_no_links_that_are_carried_over_lead_out_together(bench: Any, code: str) -> None:
    (bench.root / "sub/deep").mkdir(parents=True)
    outcome = bench.run(f"import os\n{code}", flags=WRITES)
    assert outcome.changes.apply() != ()
    for path in bench.root.rglob("*"):
        assert path.resolve().is_relative_to(bench.root.resolve())


def test_nothing_is_carried_over_into_a_state_folder_of_the_workspace(place_bench: Any) -> None:
    bench = place_bench
    bench.state = bench.root / "state"
    code = "import os\nos.mkdir('state')\nopen('state/history.sqlite-wal', 'w').write('x')\nopen('b', 'w').close()"
    outcome = bench.run(code, flags=WRITES)
    assert outcome.changes.apply() == ("state", "state/history.sqlite-wal")
    assert not (bench.root / "state/history.sqlite-wal").exists()
    assert (bench.root / "b").exists()


ALIASES = {"the workspace by another name": ("alias", "ws/state"), "the state by another name": ("ws", "alias/state")}


@pytest.mark.parametrize(("root", "state"), ALIASES.values(), ids=ALIASES)
def test_a_state_folder_is_kept_apart_by_whatever_name_it_is_reached(place_bench: Any, root: str, state: str) -> None:
    bench = place_bench
    real, above = bench.root, bench.root.parent
    (above / "alias").symlink_to(real)
    bench.root, bench.state = above / root, above / state
    looks = "import os\nfound = sorted(os.listdir('.'))\n"
    outcome = bench.run(f"{looks}os.mkdir('state')\nopen('state/planted', 'w').close()\nreturn found", flags=WRITES)
    assert outcome.result.output_data == ["skills", "tools"]
    assert outcome.changes.apply() == ("state", "state/planted")
    assert not (real / "state/planted").exists()
    if bench.confinement.seals():
        (real / "state/approvals.json").write_text("{}")
        seen = bench.run("import os\nreturn os.path.exists('state/approvals.json')").result.output_data
        assert seen is False


def swap_for_link(root: Path) -> None:
    (root / "d").rename(root / "was-d")
    os.symlink(root.parent / "outside", root / "d")


def swap_for_file(root: Path) -> None:
    (root / "d").rename(root / "was-d")
    (root / "d").write_text("a file")


@pytest.mark.parametrize("swap", [swap_for_link, swap_for_file])
def test_a_folder_that_is_swapped_before_carrying_over_leads_nowhere(
    place_bench: Any, swap: Callable[[Path], None]
) -> None:
    bench = place_bench
    outside = bench.root.parent / "outside"
    outside.mkdir()
    (outside / "x").write_text("outside")
    for name in ("x", "gone"):
        bench.write(f"d/{name}", "inside")
    code = (
        "import os\nopen('d/x', 'w').write('t')\nopen('d/n', 'w').write('t')\nos.chmod('d', 0o700)\nos.remove('d/gone')"
    )
    outcome = bench.run(code, flags=WRITES)
    swap(bench.root)
    assert outcome.changes.apply() == ("d", "d/gone", "d/n", "d/x")
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"x": "outside"}


def test_what_a_tool_locks_away_is_seen_all_the_same(place_bench: Any) -> None:
    bench = place_bench
    bench.write("d/deep/x", "old")
    bench.write("kept", "k")
    code = "import os\nopen('d/deep/x', 'w').write('new')\nos.chmod('d/deep', 0)\nos.chmod('d', 0)\nos.chmod('.', 0)"
    outcome = bench.run(code, flags=WRITES)
    found = {c["path"]: c["change"] for c in outcome.result.resource_changes}
    assert found == {"d": "modified", "d/deep": "modified", "d/deep/x": "modified"}
    assert ["+new" in d.diff for d in outcome.diffs if d.path == "d/deep/x"] == [True]
    outcome.changes.discard()


def test_a_reader_gains_no_right_to_write_by_way_of_its_descriptors(each_bench: Any) -> None:
    each_bench.write("a.txt", "original")
    code = """
        import os
        fd = os.open('a.txt', os.O_RDONLY)
        try: open(f'/proc/self/fd/{fd}', 'w').write('changed')
        except OSError: pass
        return 'ended'
    """
    each_bench.run(code)
    assert (each_bench.root / "a.txt").read_text() == "original"


def deepen(root: Path) -> None:
    """Make folders below ``root`` whose path is longer than a path can be."""
    home = os.getcwd()
    try:
        os.chdir(root)
        for _ in range(40):
            os.mkdir("n" * 120)
            os.chdir("n" * 120)
        Path("f").touch()
    finally:
        os.chdir(home)


def test_a_workspace_deeper_than_a_path_is_long_is_worked_in_as_far_as_paths_go(place_bench: Any) -> None:
    bench = place_bench
    bench.write("a.txt", "x")
    deepen(bench.root)
    outcome = bench.run("open('a.txt', 'w').write('y')", flags=WRITES)
    assert outcome.result.error is None
    assert [c["path"] for c in outcome.result.resource_changes] == ["a.txt"]
    assert "unreadable, left out of the copy: nnn" in bench.log(outcome, "explorer")


# ---------------------------------------------------------------- what is too much to look at


def test_what_is_beyond_the_limit_of_a_look_counts_as_it_was(tmp_path: Path) -> None:
    for path in ("a/1", "a/2", "b/1", "c"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    before = snapshot.scan(str(tmp_path)).entries
    (tmp_path / "c").unlink()
    for limit in range(1, 6):
        after = snapshot.scan(str(tmp_path), limit=limit)
        found, _ = snapshot.changes(before, after.filled(before), lambda _: None, str(tmp_path))
        deleted = [c["path"] for c in found if c["change"] == "deleted"]
        assert deleted == [] if "" in after.unlisted else deleted == ["c"]
        assert (after.unlisted == set()) is (limit == 5)


def test_only_so_much_is_hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "HASH_BUDGET", 2500)
    for name in "abc":
        (tmp_path / name).write_bytes(bytes(1000))
    found, _ = snapshot.changes({}, snapshot.scan(str(tmp_path)).entries, lambda _: None, str(tmp_path))
    assert [c["hash_after"] is not None for c in found] == [True, True, False]
    assert [c["size_after"] for c in found] == [1000] * 3


def test_a_file_that_grows_while_it_is_copied_is_copied_as_long_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws/log").write_text("0123456789")
    copy = Copy(str(tmp_path / "ws"), str(tmp_path / "copy"), entries=9, size=1 << 20)
    copy._can_clone = False
    with open(tmp_path / "ws/log", "rb") as source, open(tmp_path / "target", "wb") as target:
        copy._fill(source.fileno(), target.fileno(), 4)
    assert (tmp_path / "target").read_text() == "0123"
