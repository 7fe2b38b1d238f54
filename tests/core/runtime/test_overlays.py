"""Overlays: the same calls, changes and outcomes as on a copy, where a copy would be slow or refused."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from core.runtime import orders
from core.runtime.confinement import Confinement, Mechanism
from core.runtime.probing import find_confinement, offers_overlay
from core.runtime.worker.supervisor import sweep

WRITES = "{writes: true}"
SAID = "overlaid instead of copied: "


@pytest.fixture
def nothing_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have even the smallest workspace count as slow to copy."""
    monkeypatch.setattr(orders, "QUICK_ENTRIES", -1)


def overlaying(bench: Any) -> Any:
    """Have ``bench`` offer overlays, as this machine does; skip the test where it doesn't."""
    if not offers_overlay(bench.confinement, bench.state / "scratch"):
        pytest.skip(f"no overlay works under {bench.confinement.mechanism} on this machine")
    bench.confinement = replace(bench.confinement, overlay=True)
    return bench


@pytest.fixture
def over_bench(bench: Any, nothing_is_quick: None) -> Any:
    """A bench that overlays every workspace, with the best confinement of this machine."""
    return overlaying(bench)


@pytest.fixture
def either_over_bench(either_bench: Any, nothing_is_quick: None) -> Any:
    """The same with the best confinement, and with limits alone."""
    return overlaying(either_bench)


@pytest.fixture
def each_over_bench(each_bench: Any, nothing_is_quick: None) -> Any:
    """The same for each way of confining."""
    return overlaying(each_bench)


def fill(root: Path) -> None:
    """Make one of everything that a workspace may hold."""
    for path, content in {
        "a.txt": "one\ntwo\n",
        "b.txt": "b",
        "run.sh": "#!/bin/sh\n",
        "dir/x.txt": "x",
        "dir/sub/y.txt": "y",
        "other/z.txt": "z",
        "node_modules/p/index.js": "installed",
        "locked/in.txt": "in",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    (root / "empty").mkdir()
    os.chmod(root / "run.sh", 0o755)
    os.symlink("a.txt", root / "link")
    os.symlink(root / "dir/x.txt", root / "absolute")
    os.symlink("/etc/hosts", root / "leaving")
    os.mkfifo(root / "dir/pipe")
    with open(os.fsencode(root) + b"/dir/\xff\n.bin", "wb") as file:
        file.write(b"\0\1")


SCRIPTS = {
    "nothing": "pass",
    "create": "open('new.txt', 'w').write('n')\nos.makedirs('made/deep')\nopen('made/deep/f', 'w').write('f')",
    "modify": "open('a.txt', 'w').write('one\\nTWO\\n')\nopen('dir/sub/y.txt', 'a').write('more')",
    "write and restore": "b = open('b.txt').read()\nopen('b.txt', 'w').write('?')\nopen('b.txt', 'w').write(b)",
    "delete": "os.remove('a.txt')\nos.remove('dir/x.txt')",
    "rename a file": "os.rename('a.txt', 'moved.txt')\nos.rename('dir/x.txt', 'other/x.txt')",
    "rename over a file": "os.rename('a.txt', 'b.txt')",
    "a folder becomes a file": "shutil.rmtree('dir')\nopen('dir', 'w').write('file')",
    "a file becomes a folder": "os.remove('b.txt')\nos.mkdir('b.txt')\nopen('b.txt/in', 'w').write('in')",
    "modes": "os.chmod('run.sh', 0o640)\nos.chmod('dir', 0o700)\nos.chmod('a.txt', 0o644)",
    "links": "os.symlink('b.txt', 'fresh')\nos.remove('link')\nos.symlink('b.txt', 'link')",
    "a hard link": "os.link('b.txt', 'hard')",
    "empty folders": "os.rmdir('empty')\nos.mkdir('empty2')",
    "an empty folder anew": "os.rmdir('empty')\nos.mkdir('empty')",
    "delete a tree": "shutil.rmtree('dir')",
    "delete a tree and make it again": "shutil.rmtree('dir')\nos.makedirs('dir/sub')\nopen('dir/sub/n', 'w').close()",
    "the same files again": "shutil.rmtree('other')\nos.mkdir('other')\nopen('other/z.txt', 'w').write('z')",
    "names that are no text": "os.rename(b'dir/\\xff\\n.bin', b'dir/\\xfe.bin')\nopen(b'\\xfd', 'w').write('d')",
    "what was left out": "os.remove('leaving')\nopen('dir/pipe', 'w').write('a file now')",
    "in folders of packages": "if os.access('node_modules', os.W_OK): open('node_modules/own', 'w').write('x')",
    "folders of packages": "try: os.rmdir('node_modules')\nexcept OSError: pass",
    "times": "os.utime('b.txt', (1, 1))",
    "a new folder is renamed": "os.mkdir('n1')\nopen('n1/f', 'w').write('f')\nos.rename('n1', 'n2')",
    "move with shutil": "shutil.move('other', 'other2')",
    "pipes and sockets": "os.mkfifo('pipe')",
    "commit": "g = ['git', '-C', 'repo', '-c', 'user.name=T', '-c', 'user.email=t@x.org']\n"
    "open('repo/f', 'w').close()\nfor w in (['add', 'f'], ['commit', '-qm', 'One']): subprocess.run(g + w, check=True)",
}
CHANGE_NOTHING = {"nothing", "an empty folder anew"}
RUN_ALL = """
    import os, shutil, subprocess
    os.environ['GIT_AUTHOR_DATE'] = os.environ['GIT_COMMITTER_DATE'] = '@1 +0000'
    top = os.getcwd()
    def run(scripts):
        for name, code in scripts.items():
            os.chdir(os.path.join(top, name))
            exec(code, dict(globals()))
"""
_MADE_BY_TIME = ("index", "logs")


def looks(root: Path) -> dict[str, Any]:
    """Return what ``root`` holds: modes, contents, links."""
    found: dict[str, Any] = {}
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = Path(folder, name)
            content: Any = None
            if path.is_symlink():
                content = os.readlink(path).replace(str(root), "")
            elif path.is_file():
                content = path.read_bytes()
            found[str(path.relative_to(root))] = (oct(path.lstat().st_mode), content)
    return found


def of_each(script: str, paths: Any) -> list[Any]:
    """Return those of ``paths`` (or of pairs that begin with one) that ``script`` is answerable for."""
    own = [(p, p[0] if isinstance(p, tuple) else p) for p in paths]
    stable = [(p, name) for p, name in own if not set(name.split("/")) & set(_MADE_BY_TIME)]
    return [p for p, name in stable if name.startswith(f"{script}/")]


def outcomes_of(bench: Any, *, overlaid: bool) -> dict[str, Any]:
    """Run every script in a filled folder of its own, in one call; return by script all that is said and done."""
    for name in SCRIPTS:
        fill(bench.root / name)
    subprocess.run(["git", "init", "-q", str(bench.root / "commit/repo")], check=True)
    outcome = bench.run(RUN_ALL, {"scripts": SCRIPTS}, flags=WRITES)
    assert outcome.result.error is None
    assert (SAID in bench.log(outcome, "explorer")) is overlaid
    before = looks(bench.root)
    refused = outcome.changes.apply()
    after = looks(bench.root)
    changes = [(c["path"], c) for c in outcome.result.resource_changes]
    said = bench.log(outcome, "explorer").split("\n")
    return {
        "said": [line for line in said if "copied" not in line],
        **{
            script: {
                "changes": of_each(script, changes),
                "diffs": of_each(script, [(d.path, d.change, d.diff) for d in outcome.diffs]),
                "refused": of_each(script, refused),
                "applied": of_each(script, [item for item in sorted(after.items()) if item[1] != before.get(item[0])]),
                "gone": of_each(script, sorted(before.keys() - after.keys())),
            }
            for script in SCRIPTS
        },
    }


def test_calls_on_an_overlay_change_and_carry_over_what_they_do_on_a_copy(
    either_bench: Any, tmp_path: Path, nothing_is_quick: None
) -> None:
    over = overlaying(type(either_bench)(tmp_path / "ws2", tmp_path / "state2", either_bench.confinement))
    copied, overlaid = outcomes_of(either_bench, overlaid=False), outcomes_of(over, overlaid=True)
    for script, expected in copied.items():
        assert overlaid[script] == expected, script
    quiet = {script for script in SCRIPTS if not copied[script]["changes"]}
    assert quiet - {"in folders of packages", "folders of packages"} == CHANGE_NOTHING
    assert over.leftovers() == over.survivors() == []


def test_every_confinement_works_on_an_overlay_that_hides_what_a_copy_hides(each_over_bench: Any) -> None:
    bench = each_over_bench
    fill(bench.root)
    subprocess.run(["git", "init", "-q", str(bench.root / "repo")], check=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(bench.root / "s"))
        code = """
            import os
            open('a.txt', 'w').write('new')
            links = [os.readlink(n) for n in ('leaving', 'absolute', 'link')]
            hidden = [os.path.lexists(n) for n in ('dir/pipe', 's', 'state')]
            objects = sorted(os.listdir('repo/.git/objects'))
            return links, hidden, objects, os.path.isdir('node_modules')
        """
        outcome = bench.run(code, flags=WRITES)
    links, hidden, objects, installed = outcome.result.output_data
    assert links == ["/nonexistent/outside-the-workspace", "dir/x.txt", "a.txt"]
    assert (hidden, objects, installed) == ([False] * 3, ["info"], True)
    assert [c["path"] for c in outcome.result.resource_changes] == ["a.txt"]
    assert "It works on an overlay of the workspace: what others save meanwhile shows through" in outcome.isolation
    assert outcome.overlaid
    assert outcome.changes.apply() == ()
    assert (bench.root / "a.txt").read_text() == "new"


def test_a_state_folder_in_the_workspace_is_not_there_in_an_overlay(over_bench: Any) -> None:
    over_bench.state = over_bench.root / "state"
    outcome = over_bench.run("import os\nopen('n', 'w').close()\nreturn os.listdir('.')", flags=WRITES)
    assert sorted(outcome.result.output_data) == ["n", "skills", "tools"]
    assert [c["path"] for c in outcome.result.resource_changes] == ["n"]


def test_a_reader_is_held_to_reading_on_an_overlay_too(each_over_bench: Any) -> None:
    bench = each_over_bench
    if bench.confinement.seals():
        pytest.skip("it reads the real workspace under this confinement")
    bench.write("a.txt", "old")
    error = bench.run("open('a.txt', 'w').write('new')").result.error
    assert (str(error.error_type), (bench.root / "a.txt").read_text()) == ("permission_denied", "old")


def test_the_refusal_to_rename_a_folder_is_told_as_the_overlays(over_bench: Any) -> None:
    over_bench.write("dir/x.txt", "x")
    error = over_bench.run("import os\nos.rename('dir', 'dir2')", flags=WRITES).result.error
    assert error.details["exception"] == "OSError"
    assert "works on an overlay of the workspace, in which folders that are there already can't be renamed" in (
        error.message
    )


def test_a_file_that_was_saved_during_the_call_shows_through_and_is_refused_afterwards(over_bench: Any) -> None:
    for name in ("a.txt", "b.txt"):
        over_bench.write(name, "old")

    def save(event: Any) -> None:
        if event.text == "ready":
            (over_bench.root / "later.txt").write_text("saved meanwhile")
            (over_bench.root / "a.txt").write_text("saved meanwhile")

    code = """
        import time
        print('ready', flush=True)
        end = time.monotonic() + 15
        while (found := open('a.txt').read()) != 'saved meanwhile' and time.monotonic() < end: time.sleep(0.01)
        for name in ('a.txt', 'b.txt', 'later.txt'): open(name, 'a').write('+')
        return found
    """
    outcome = over_bench.run(code, flags=WRITES, hear=save)
    assert outcome.result.output_data == "saved meanwhile"
    assert outcome.changes.apply() == ("a.txt", "later.txt")
    assert (over_bench.root / "a.txt").read_text() == "saved meanwhile"
    assert (over_bench.root / "b.txt").read_text() == "old+"


CHOICES: dict[str, tuple[dict[str, int], str]] = {
    "small enough": ({}, "copied in full"),
    "too many files": ({"QUICK_ENTRIES": 2}, SAID),
    "too much": ({"QUICK_BYTES": 100}, SAID),
    "beyond what may be copied": ({"QUICK_ENTRIES": 2, "COPY_ENTRIES": 2}, SAID),
}


@pytest.mark.parametrize(("limits", "words"), CHOICES.values(), ids=CHOICES)
def test_only_what_is_slow_to_copy_is_overlaid(
    bench: Any, monkeypatch: pytest.MonkeyPatch, limits: dict[str, int], words: str
) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(orders, name, value)
    overlaying(bench).write("a.txt", "x" * 200)
    outcome = bench.run("return open('a.txt').read(1)", flags=WRITES)
    said = bench.log(outcome, "explorer")
    assert outcome.result.output_data == "x"
    assert words in said or (words == "copied in full" and "copied by sharing" in said)


def test_more_files_than_an_overlay_is_offered_for_are_refused_with_the_number(
    over_bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "OVERLAY_ENTRIES", 2)
    error = over_bench.run("return 1", flags=WRITES).result.error
    assert "too large for an overlay: over 2 files and folders" in error.message


@pytest.mark.parametrize("allowed", [2, 100])
def test_files_of_others_are_copied_or_refused_with_both_reasons(
    over_bench: Any, monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    monkeypatch.setattr(orders, "COPY_ENTRIES", allowed)
    os.chown(over_bench.write("theirs.txt", "x"), 65534, 65534)
    result = over_bench.run("open('theirs.txt', 'a').write('y')", flags=WRITES).result
    if allowed == 2:
        why = "files of other users or groups can't be changed in it (theirs.txt)"
        assert f"over 2 files and folders; an overlay is not possible either: {why}" in result.error.message
    else:
        assert [c["path"] for c in result.resource_changes] == ["theirs.txt"]


CALLER = """
    import sys
    from dataclasses import replace
    from pathlib import Path
    from core.language.load import load_declarations
    from core.resolve.catalogue import Catalogue
    from core.runtime import orders
    from core.runtime.call import CallOptions
    from core.runtime.confinement import Mechanism
    from core.runtime.probing import try_mechanism
    from core.runtime.runtime import ToolRuntime
    orders.QUICK_ENTRIES = -1
    root = Path({root!r})
    flat = Catalogue(load_declarations(root)).flatten("local/bench")
    confinement = replace(try_mechanism(Mechanism({mechanism!r}), {program!r}), overlay=True)
    runtime = ToolRuntime(root, state=Path({state!r}), confinement=confinement)
    hear = lambda event: print(event.text, flush=True) if event.text == "started" else None
    runtime.invoke(flat, "local/bench", "local/probe", {{}}, CallOptions(approve=lambda _: True), hear)
"""


def supervisor_of(caller: int) -> int:
    """Return the process that ``caller`` started."""
    children = Path(f"/proc/{caller}/task/{caller}/children").read_text().split()
    return int(children[0])


KILLED: dict[str, Callable[[Any], int]] = {
    "explorer": lambda caller: caller.pid,
    "supervisor": lambda caller: supervisor_of(caller.pid),
}


@pytest.mark.parametrize("whom", KILLED.values(), ids=KILLED)
def test_nothing_stays_mounted_or_on_the_disk_whoever_is_killed(
    either_over_bench: Any, wait_until: Any, whom: Callable[[Any], int]
) -> None:
    bench = either_over_bench
    bench.tool("import time\nopen('new', 'w').write('n')\nprint('started')\ntime.sleep(60)", flags=WRITES)
    bench.flat()
    confinement: Confinement = bench.confinement
    mechanism, program = str(confinement.mechanism), confinement.program
    code = dedent(CALLER).format(root=str(bench.root), state=str(bench.state), mechanism=mechanism, program=program)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as caller:
        assert caller.stdout is not None
        assert caller.stdout.readline() == "started\n"
        os.kill(whom(caller), signal.SIGKILL)
        if whom is KILLED["supervisor"]:
            caller.wait(30)
            wait_until(lambda: not bench.survivors())
            for name in bench.leftovers():
                long_ago = time.time() - 60
                os.utime(bench.state / "scratch" / name, (long_ago, long_ago))
            sweep(str(bench.state / "scratch"))
    wait_until(lambda: not bench.survivors() and not bench.leftovers())
    assert str(bench.state) not in Path("/proc/self/mountinfo").read_text()


def test_the_trial_tells_whether_an_overlay_works_and_its_answer_is_kept(tmp_path: Path) -> None:
    found = find_confinement(tmp_path / "ws", tmp_path / "state")
    assert found.overlay is offers_overlay(found, tmp_path / "state/scratch")
    assert find_confinement(tmp_path / "ws", tmp_path / "state").overlay is found.overlay
    assert [p.name for p in (tmp_path / "state").iterdir()].count("scratch") == 1
    assert list((tmp_path / "state/scratch").iterdir()) == []


def test_no_overlay_is_offered_where_the_kernel_mounts_none(tmp_path: Path) -> None:
    blocked = Confinement(Mechanism.BUBBLEWRAP, "/bin/false", (), frozenset())
    assert not offers_overlay(blocked, tmp_path / "scratch")
    (tmp_path / "file").touch()
    assert not offers_overlay(Confinement(), tmp_path / "file")
