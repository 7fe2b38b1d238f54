"""The copy of the workspace: what a tool sees in it, what is said about changes, and that it is gone afterwards."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from core.runtime.worker.scratch import Copy
from core.runtime.worker.supervisor import sweep
from core.runtime.worker.tree import CopyRefused
from core.sources.removal import remove_tree

WRITES = "{writes: true}"
NOWHERE = "/nonexistent/outside-the-workspace"


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def test_changes_are_listed_with_size_and_hash_before_and_after(each_bench: Any) -> None:
    each_bench.write("kept.txt", "same")
    each_bench.write("changed.txt", "old\nline\n")
    each_bench.write("gone.txt", "bye")
    code = """
        import os
        open('changed.txt', 'w').write('new\\nline\\n')
        os.remove('gone.txt')
        os.makedirs('made')
        open('made/fresh.txt', 'w').write('hello')
    """
    outcome = each_bench.run(code, flags=WRITES)
    changes = {c["path"]: c for c in outcome.result.resource_changes}
    assert list(changes) == ["changed.txt", "gone.txt", "made", "made/fresh.txt"]
    assert changes["changed.txt"] == {
        "path": "changed.txt",
        "change": "modified",
        "size_before": 9,
        "size_after": 9,
        "hash_before": hashed("old\nline\n"),
        "hash_after": hashed("new\nline\n"),
    }
    assert (changes["gone.txt"]["change"], changes["gone.txt"]["hash_before"]) == ("deleted", hashed("bye"))
    assert (changes["made/fresh.txt"]["change"], changes["made/fresh.txt"]["size_after"]) == ("created", 5)
    assert changes["made"]["type"] == "directory"
    assert {d.path: d.diff for d in outcome.diffs}["changed.txt"] == (
        "--- a/changed.txt\n+++ b/changed.txt\n@@ -1,2 +1,2 @@\n-old\n+new\n line\n"
    )
    assert (each_bench.root / "changed.txt").read_text() == "old\nline\n"


def test_a_file_that_was_written_and_restored_is_reported(each_bench: Any) -> None:
    each_bench.write("a.txt", "original")
    code = """
        import os
        s = os.stat('a.txt')
        b = open('a.txt', 'rb').read()
        open('a.txt', 'wb').write(b'X')
        open('a.txt', 'wb').write(b)
        os.utime('a.txt', ns=(s.st_atime_ns, s.st_mtime_ns))
    """
    [change] = each_bench.run(code, flags=WRITES).result.resource_changes
    assert (change["path"], change["change"]) == ("a.txt", "modified")
    assert change["hash_before"] == change["hash_after"] == hashed("original")


LIES = {
    "write": "open('data/a.txt', 'w').write('changed')",
    "append": "open('data/a.txt', 'a').write('changed')",
    "create": "open('data/new.txt', 'w').write('x')",
    "delete": "import os\nos.remove('data/a.txt')",
    "rename": "import os\nos.rename('data/a.txt', 'data/b.txt')",
    "folder": "import os\nos.mkdir('data/made')",
    "link": "import os\nos.symlink('a.txt', 'data/link')",
    "absolute path": "import os\nopen(os.path.abspath('data/a.txt'), 'w').write('x')",
    "child process": "import subprocess\nsubprocess.run(['sh', '-c', 'echo x > data/a.txt'], check=True)",
}


@pytest.mark.parametrize("code", LIES.values(), ids=LIES)
def test_a_tool_that_is_declared_read_only_cannot_write(each_bench: Any, code: str) -> None:
    each_bench.write("data/a.txt", "original")
    error = each_bench.run(code).result.error
    assert error is not None
    in_a_child = "subprocess" in code and "write_workspace" not in each_bench.confinement.open
    if not (in_a_child and error.details.get("exception") == "CalledProcessError"):
        assert str(error.error_type) == "permission_denied"
        assert "declared read-only but tried to write data/" in error.message
    assert (each_bench.root / "data/a.txt").read_text() == "original"
    assert [p.name for p in (each_bench.root / "data").iterdir()] == ["a.txt"]


def test_a_read_only_tool_that_hides_its_attempt_has_changed_nothing(each_bench: Any) -> None:
    each_bench.write("a.txt", "original")
    code = "try: open('a.txt', 'w').write('x')\nexcept OSError: pass\nreturn 1"
    result = each_bench.run(code).result
    assert (each_bench.root / "a.txt").read_text() == "original"
    assert result.resource_changes == [] or str(result.error.error_type) == "permission_denied"


def test_a_file_that_a_read_only_tool_may_not_read_is_no_attempt_to_write(bench: Any) -> None:
    os.chmod(bench.write("secret.txt", "x"), 0)
    code = "raise PermissionError(13, 'no', '/root/x')\n" if os.geteuid() == 0 else "open('secret.txt')"
    assert "declared read-only" not in bench.run(code).result.error.message


def test_the_real_workspace_is_changed_only_when_asked_for(each_bench: Any) -> None:
    each_bench.write("a.txt", "old\n")
    outcome = each_bench.run("open('a.txt', 'w').write('new\\n')", flags=WRITES, real=True)
    assert (each_bench.root / "a.txt").read_text() == "new\n"
    [change] = outcome.result.resource_changes
    assert (change["change"], change["hash_before"]) == ("modified", hashed("old\n"))
    assert outcome.diffs[0].diff == "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n"
    assert outcome.changes is None
    assert "It works on the real workspace." in outcome.isolation


def test_asking_for_the_real_workspace_gives_a_reader_no_more(each_bench: Any) -> None:
    each_bench.write("a.txt", "old")
    error = each_bench.run("open('a.txt', 'w').write('new')", real=True).result.error
    assert str(error.error_type) == "permission_denied"
    assert (each_bench.root / "a.txt").read_text() == "old"


def test_a_copy_is_complete_but_for_what_could_do_harm(bench: Any, tmp_path: Path) -> None:
    bench.write("deep/er/file.bin", bytes(range(256)))
    os.chmod(bench.write("run.sh", "#!/bin/sh\n"), 0o750)
    bench.write(".hidden/x", "h")
    os.mkdir(bench.root / "empty")
    (tmp_path / "outside.txt").write_text("outside")
    os.symlink("deep/er/file.bin", bench.root / "inside-link")
    os.symlink(bench.root / "run.sh", bench.root / "absolute-link")
    os.symlink(tmp_path / "outside.txt", bench.root / "leaving-link")
    os.symlink("../outside.txt", bench.root / "leaving-link-2")
    os.mkfifo(bench.root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(bench.root / "s"))
        code = """
            import os
            found = {}
            for folder, folders, files in os.walk('.'):
                for name in folders + files:
                    path = os.path.join(folder, name)
                    found[path] = os.readlink(path) if os.path.islink(path) else oct(os.stat(path).st_mode & 0o777)
            found['bytes'] = list(open('inside-link', 'rb').read()) == list(range(256))
            return found
        """
        outcome = bench.run(code, flags=WRITES)
    found = outcome.result.output_data
    assert found["bytes"] is True
    assert found["./run.sh"] == "0o750"
    assert (found["./inside-link"], found["./absolute-link"]) == ("deep/er/file.bin", "run.sh")
    assert {"./.hidden/x", "./empty", "./deep/er/file.bin"} <= found.keys()
    assert not {"./pipe", "./s"} & found.keys()
    assert (found["./leaving-link"], found["./leaving-link-2"]) == (NOWHERE, NOWHERE)
    log = bench.log(outcome, "explorer")
    assert "sockets, pipes and devices left out of the copy: pipe, s" in log
    assert "links that leave the workspace lead nowhere in the copy: leaving-link, leaving-link-2" in log


def test_sockets_and_pipes_of_a_sealed_workspace_are_covered_up(bench: Any) -> None:
    if not bench.confinement.seals():
        pytest.skip("only bubblewrap shows the real workspace to a custom tool")
    os.mkfifo(bench.root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(bench.root / "s"))
        server.listen()
        code = """
            import os, socket
            def run():
                try: socket.socket(socket.AF_UNIX).connect('s')
                except OSError as e: return [type(e).__name__, open('pipe').read()]
        """
        outcome = bench.run(code)
    assert outcome.result.output_data == ["ConnectionRefusedError", ""]
    assert "covered up: pipe, s" in bench.log(outcome, "explorer")


def test_git_works_in_a_copy_without_its_objects_being_copied(bench: Any) -> None:
    bench.write("a.txt", "one\n")
    git(bench.root, "init", "-q")
    git(bench.root, "add", "a.txt")
    git(bench.root, "commit", "-qm", "First")
    code = """
        import os, subprocess
        def git(*words):
            made = subprocess.run(['git', '-c', 'user.name=T', '-c', 'user.email=t@example.org', *words],
                                  capture_output=True, text=True)
            return made.stdout + made.stderr
        open('a.txt', 'w').write('two\\n')
        loose = sum(len(files) for _, _, files in os.walk('.git/objects'))
        committed = git('commit', '-qam', 'Second')
        return [loose, committed, git('log', '--format=%s')]
    """
    outcome = bench.run(code, flags=WRITES)
    assert outcome.result.output_data == [1, "", "Second\nFirst\n"]
    assert git(bench.root, "log", "--format=%s") == "First\n"
    refused = outcome.changes.apply()
    assert any(path.startswith(".git/refs/") for path in refused)
    assert (bench.root / "a.txt").read_text() == "two\n"
    assert git(bench.root, "log", "--format=%s") == "First\n"


def git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), "-c", "user.name=T", "-c", "user.email=t@example.org", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_installed_packages_are_not_copied(bench: Any) -> None:
    bench.write("node_modules/a/index.js", "x")
    code = "import os\nreturn os.path.exists('node_modules'), os.listdir('node_modules')"
    there, listed = bench.run(code, flags=WRITES).result.output_data
    assert there is True
    assert listed == (["a"] if bench.confinement.seals() else [])


@pytest.mark.parametrize(("limit", "words"), [({"entries": 2}, "over 2 files"), ({"size": 1 << 20}, "over 1 MiB")])
def test_a_workspace_that_is_too_large_is_refused_with_the_limit(
    tmp_path: Path, limit: dict[str, int], words: str
) -> None:
    (tmp_path / "ws").mkdir()
    for name in "abc":
        (tmp_path / "ws" / name).write_bytes(bytes(600 << 10))
    with pytest.raises(CopyRefused, match=words):
        Copy(str(tmp_path / "ws"), str(tmp_path / "copy"), **{"entries": 100, "size": 1 << 30, **limit}).make()


def test_a_workspace_that_is_gone_is_a_failure_that_says_so(each_bench: Any) -> None:
    tool = each_bench.tool("return 1", flags=WRITES)
    flat, runtime = each_bench.flat(), each_bench.runtime()
    each_bench.root.rename(each_bench.root.with_name("away"))
    from core.runtime.call import CallOptions

    result = runtime.invoke(flat, "local/bench", tool, {}, CallOptions(approve=lambda _: True)).result
    runtime.close()
    assert (str(result.error.error_type), "no longer exists" in result.error.message) == (
        "tool_activation_failure",
        True,
    )


def test_a_state_folder_inside_the_workspace_is_not_copied(bench: Any) -> None:
    bench.state = bench.root / "state"
    outcome = bench.run("import os\nreturn sorted(os.listdir('.'))", flags=WRITES)
    assert outcome.result.output_data == ["skills", "tools"]


def test_a_state_folder_inside_the_workspace_is_hidden(bench: Any) -> None:
    if not bench.confinement.seals():
        pytest.skip("only bubblewrap shows the real workspace to a custom tool")
    bench.state = bench.root / "state"
    (bench.state).mkdir()
    (bench.state / "approvals.json").write_text("{}")
    code = "import os\nreturn os.listdir('state'), os.access(os.environ['HOME'], os.W_OK)"
    listed, home = bench.run(code).result.output_data
    assert ("approvals.json" in listed, home) == (False, True)


def test_a_tree_deeper_than_a_path_is_long_is_removed_with_the_copy(bench: Any) -> None:
    code = """
        import os
        for _ in range(400):
            os.mkdir('folder-with-a-name')
            os.chdir('folder-with-a-name')
        os.chmod('.', 0)
        return 1
    """
    assert bench.run(code, flags=WRITES).result.output_data == 1


def test_removing_a_tree_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").write_text("x")
    (tmp_path / "tree/below").mkdir(parents=True)
    os.symlink(tmp_path / "kept", tmp_path / "tree/below/link")
    assert remove_tree(str(tmp_path / "tree"))
    assert (tmp_path / "kept/file").read_text() == "x"
    assert not (tmp_path / "tree").exists()


def test_copies_of_killed_supervisors_are_swept_and_those_in_use_are_not(tmp_path: Path) -> None:
    for name in ("abandoned", "young"):
        (tmp_path / name / "workspace").mkdir(parents=True)
        (tmp_path / name / "lock").touch()
    old = time.time() - 60
    os.utime(tmp_path / "abandoned", (old, old))
    sweep(str(tmp_path))
    assert [p.name for p in tmp_path.iterdir()] == ["young"]


def test_the_log_says_how_the_workspace_was_copied(bench: Any) -> None:
    bench.write("a.txt", "x" * (1 << 20))
    outcome = bench.run("return 1", flags=WRITES)
    said = bench.log(outcome, "explorer")
    assert "copied in full, since the file system shares no blocks: " in said or "copied by sharing blocks" in said
    assert "1.0 MiB" in said


def test_nothing_is_said_of_a_copy_where_none_is_made(bench: Any) -> None:
    assert "copied" not in bench.log(bench.run("return 1", flags=WRITES, real=True), "explorer")


CLONES = {"every": (2, "copied by sharing blocks"), "one": (1, "1 files, 0.0 MiB, 1 more by"), "none": (0, "in full")}


@pytest.mark.parametrize(("many", "words"), CLONES.values(), ids=CLONES)
def test_how_a_file_was_copied_is_what_the_system_did_not_what_it_promised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int, words: str
) -> None:
    tries: list[int] = []

    def clone(source: int, target: int) -> bool:
        tries.append(source)
        if len(tries) > many:
            return False
        os.write(target, os.read(source, 9))
        return True

    monkeypatch.setattr("core.runtime.worker.scratch._clone", clone)
    (tmp_path / "ws").mkdir()
    for name in ("a", "b"):
        (tmp_path / "ws" / name).write_text(name, "utf-8")
    copy = Copy(str(tmp_path / "ws"), str(tmp_path / "copy"), entries=9, size=1 << 20)
    copy.make()
    assert words in copy.way()
    assert [(tmp_path / "copy" / name).read_text("utf-8") for name in ("a", "b")] == ["a", "b"]


def test_an_empty_workspace_has_nothing_to_copy(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    copy = Copy(str(tmp_path / "ws"), str(tmp_path / "copy"), entries=9, size=1 << 20)
    copy.make()
    assert copy.way() == "copied: there are no files"
