"""The built-in tools for files and folders: what each does, and that none leaves the workspace."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from core.model.builtins import BUILTINS
from core.runtime.confinement import Confinement


def test_every_built_in_answers_as_its_own_schema_says(bench: Any) -> None:
    """The runtime checks each output against the declared schema, so success is the proof."""
    bench.write("a.txt", "one\ntwo\n")
    bench.write("c.txt", "x")
    git_repository(bench.root)
    calls: dict[str, dict[str, Any]] = {
        "read_file": {"path": "a.txt"},
        "write_file": {"path": "new.txt", "content": "x"},
        "edit_file": {"path": "a.txt", "old_text": "one", "new_text": "1"},
        "delete_file": {"path": "a.txt"},
        "move_file": {"path": "a.txt", "destination": "b.txt"},
        "copy_file": {"path": "a.txt", "destination": "b.txt"},
        "search_files": {"pattern": "two"},
        "get_file_info": {"path": "a.txt"},
        "list_directory": {},
        "create_directory": {"path": "made"},
        "delete_directory": {"path": "tools", "recursive": True},
        "git_status": {},
        "git_diff": {},
        "git_log": {},
        "git_blame": {"path": "a.txt"},
        "shell_execute": {"command": "true"},
    }
    assert {f"builtin/{name}" for name in calls} == set(BUILTINS)
    bench.tool("return 1")
    for name, arguments in calls.items():
        result = bench.builtin(name, **arguments).result
        assert result.error is None, (name, result.error)


def git_repository(root: Path) -> None:
    import subprocess

    who = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "First"]):
        subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)


def test_a_file_is_read_with_its_size(bench: Any) -> None:
    bench.write("ü/a.txt", "tĕxt\r\n")
    result = bench.builtin("read_file", path="ü/./x/../a.txt").result
    assert result.output_data == {"path": "ü/a.txt", "content": "tĕxt\r\n", "size": 7}


UNREADABLE = {
    "missing": ("nowhere.txt", "No such file"),
    "folder": ("skills", "directory"),
    "workspace": (".", "the workspace itself"),
    "binary": ("binary", "no UTF-8 text (byte 2)"),
    "large": ("large", "at most 4,194,304"),
    "pipe": ("pipe", "no regular file"),
    "socket": ("socket", "No such device"),
}


@pytest.mark.parametrize(("path", "words"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_text_file_is_refused_with_the_reason(bare_bench: Any, path: str, words: str) -> None:
    bare_bench.write("binary", b"a\xff")
    bare_bench.write("large", b"x" * ((4 << 20) + 1))
    os.mkfifo(bare_bench.root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(bare_bench.root / "socket"))
        error = bare_bench.builtin("read_file", path=path).result.error
    assert (str(error.error_type), words in error.message) == ("tool_execution_failure", True), error.message


ESCAPES = [
    "../outside.txt",
    "a/../../outside.txt",
    "/etc/passwd",
    "~/x",
    "link",
    "folder-link/outside.txt",
    "chain",
    "\0",
]
WAYS = {
    "read_file": lambda path: {"path": path},
    "write_file": lambda path: {"path": path, "content": "x"},
    "edit_file": lambda path: {"path": path, "old_text": "outside", "new_text": "x"},
    "copy_file": lambda path: {"path": path, "destination": "stolen.txt"},
    "search_files": lambda path: {"pattern": "outside", "path": path},
    "list_directory": lambda path: {"path": path},
    "create_directory": lambda path: {"path": f"{path}/made"},
}


@pytest.mark.parametrize("path", ESCAPES, ids=ascii)
@pytest.mark.parametrize("tool", WAYS)
def test_no_path_and_no_link_leads_out_of_the_workspace(bare_bench: Any, tool: str, path: str) -> None:
    outside = bare_bench.root.parent / "outside.txt"
    outside.write_text("outside")
    os.symlink(outside, bare_bench.root / "link")
    os.symlink("..", bare_bench.root / "folder-link")
    os.symlink("link", bare_bench.root / "chain")
    (bare_bench.root / "a").mkdir()
    result = bare_bench.call(f"builtin/{tool}", WAYS[tool](path), real=True).result
    assert str(result.error.error_type) == "permission_denied", result.error
    assert outside.read_text() == "outside"
    assert sorted(p.name for p in outside.parent.iterdir()) == ["outside.txt", "state", "ws"]


def test_links_that_stay_inside_are_followed(bare_bench: Any) -> None:
    bare_bench.write("real/a.txt", "x")
    os.symlink("real", bare_bench.root / "way")
    os.symlink(bare_bench.root / "real", bare_bench.root / "absolute-way")
    assert bare_bench.builtin("read_file", path="way/a.txt").result.output_data["path"] == "real/a.txt"
    assert bare_bench.builtin("read_file", path="absolute-way/a.txt").result.output_data["content"] == "x"


@pytest.mark.parametrize("tool", ["delete_file", "move_file"])
def test_of_a_link_the_link_itself_is_meant(bare_bench: Any, tool: str) -> None:
    outside = bare_bench.root.parent / "outside.txt"
    outside.write_text("outside")
    os.symlink(outside, bare_bench.root / "link")
    arguments = {"path": "link", **({"destination": "moved"} if tool == "move_file" else {})}
    assert bare_bench.call(f"builtin/{tool}", arguments, real=True).result.success
    assert not (bare_bench.root / "link").is_symlink()
    assert outside.read_text() == "outside"


@pytest.mark.parametrize("tool", ["read_file", "write_file", "copy_file"])
@pytest.mark.parametrize("path", ["link", "dirlink/zz", "up"])
def test_a_link_out_of_the_workspace_is_refused_on_the_copy_too(bare_bench: Any, tool: str, path: str) -> None:
    outside = bare_bench.root.parent / "outside.txt"
    outside.write_text("outside")
    os.symlink(outside, bare_bench.root / "link")
    os.symlink("/etc", bare_bench.root / "dirlink")
    os.symlink("../outside.txt", bare_bench.root / "up")
    outcome = bare_bench.call(f"builtin/{tool}", WAYS[tool](path))
    assert str(outcome.result.error.error_type) == "permission_denied"
    assert "it leads out of the workspace" in outcome.result.error.message
    assert outcome.result.resource_changes == []


def test_deleting_a_link_out_of_the_workspace_is_carried_over_and_a_moved_one_is_refused(bare_bench: Any) -> None:
    outside = bare_bench.root.parent / "outside.txt"
    outside.write_text("outside")
    for name in ("gone", "moved"):
        os.symlink(outside, bare_bench.root / name)
    deleted = bare_bench.call("builtin/delete_file", {"path": "gone"})
    moved = bare_bench.call("builtin/move_file", {"path": "moved", "destination": "there"})
    assert deleted.changes.apply() == ()
    assert "there" in moved.changes.apply()
    assert not os.path.lexists(bare_bench.root / "gone")
    assert not os.path.lexists(bare_bench.root / "there")
    assert outside.read_text() == "outside"


@pytest.mark.parametrize("path", [*ESCAPES[:3], "folder-link/outside.txt", "\0", "..", "a/.."], ids=ascii)
@pytest.mark.parametrize("tool", ["delete_file", "move_file", "get_file_info", "delete_directory"])
def test_where_a_link_itself_is_meant_no_path_leads_out_either(bare_bench: Any, tool: str, path: str) -> None:
    (bare_bench.root.parent / "outside.txt").write_text("outside")
    os.symlink("..", bare_bench.root / "folder-link")
    more: dict[str, Any] = {"move_file": {"destination": "x"}, "delete_directory": {"recursive": True}}.get(tool, {})
    result = bare_bench.call(f"builtin/{tool}", {"path": path, **more}, real=True).result
    if not (tool == "get_file_info" and path == "a/.."):
        assert result.success is False
    assert (bare_bench.root.parent / "outside.txt").read_text() == "outside"
    assert bare_bench.root.is_dir()


@pytest.mark.parametrize("path", [".git/config", ".GIT/hooks/pre-commit", "deep/.git/x"])
def test_the_files_of_a_repository_itself_are_not_written(bare_bench: Any, path: str) -> None:
    error = bare_bench.builtin("write_file", path=path, content="x").result.error
    assert str(error.error_type) == "permission_denied"


def test_a_new_file_gets_its_folders_and_an_old_one_keeps_its_mode(bench: Any) -> None:
    os.chmod(bench.write("run.sh", "old"), 0o755)
    bench.call("builtin/write_file", {"path": "run.sh", "content": "new"}, real=True)
    bench.call("builtin/write_file", {"path": "a/b/c.txt", "content": "ü"}, real=True)
    assert ((bench.root / "run.sh").read_text(), (bench.root / "run.sh").stat().st_mode & 0o777) == ("new", 0o755)
    assert (bench.root / "a/b/c.txt").read_text() == "ü"
    assert not list(bench.root.rglob(".*"))


@pytest.mark.parametrize(("old", "words"), [("x", "doesn't stand"), ("a", "stands 2 times")])
def test_an_edit_needs_its_text_exactly_once(bench: Any, old: str, words: str) -> None:
    bench.write("a.txt", "a b a")
    error = bench.builtin("edit_file", path="a.txt", old_text=old, new_text="y").result.error
    assert words in error.message


def test_an_edit_changes_nothing_else(bench: Any) -> None:
    bench.write("a.txt", b"one\r\ntwo\n\xc3\xbc")
    outcome = bench.builtin("edit_file", path="a.txt", old_text="two", new_text="2")
    assert outcome.changes.apply() == ()
    assert (bench.root / "a.txt").read_bytes() == b"one\r\n2\n\xc3\xbc"


@pytest.mark.parametrize("tool", ["move_file", "copy_file"])
def test_nothing_is_replaced_by_moving_or_copying(bench: Any, tool: str) -> None:
    bench.write("a.txt", "a")
    bench.write("b.txt", "b")
    outcome = bench.builtin(tool, path="a.txt", destination="b.txt")
    assert "File exists" in outcome.result.error.message
    assert outcome.result.resource_changes == []


def test_a_copy_keeps_content_and_mode(bench: Any) -> None:
    os.chmod(bench.write("a.sh", b"\0\xff"), 0o750)
    bench.call("builtin/copy_file", {"path": "a.sh", "destination": "deep/b.sh"}, real=True)
    assert ((bench.root / "deep/b.sh").read_bytes(), (bench.root / "deep/b.sh").stat().st_mode & 0o777) == (
        b"\0\xff",
        0o750,
    )


def test_searching_finds_lines_and_passes_over_what_is_no_text(bench: Any) -> None:
    bench.write("a.txt", "needle one\r\nhay\nneedle two")
    bench.write("deep/b.txt", "x" * 600 + "needle")
    bench.write("binary", b"needle\0")
    bench.write(".git/x", "needle")
    os.symlink("/etc", bench.root / "etc")
    found = bench.builtin("search_files", pattern="needle").result.output_data
    assert found["matches"][0] == {"path": "a.txt", "line": 1, "text": "needle one"}
    assert [(m["path"], m["line"]) for m in found["matches"]] == [("a.txt", 1), ("a.txt", 3), ("deep/b.txt", 1)]
    assert (len(found["matches"][2]["text"]), found["truncated"]) == (500, False)
    assert bench.builtin("search_files", pattern="needle", limit=1).result.output_data["truncated"] is True
    flat = bench.builtin("search_files", pattern="needle", recursive=False).result.output_data
    assert {m["path"] for m in flat["matches"]} == {"a.txt"}
    one = bench.builtin("search_files", pattern="needle", path="deep/b.txt").result.output_data
    assert [m["path"] for m in one["matches"]] == ["deep/b.txt"]


def test_facts_of_a_file_a_folder_and_a_link(bench: Any) -> None:
    os.chmod(bench.write("a.txt", "abc"), 0o640)
    os.utime(bench.root / "a.txt", (1_000_000_000, 1_000_000_000))
    os.symlink("/etc/passwd", bench.root / "link")
    assert bench.builtin("get_file_info", path="a.txt").result.output_data == {
        "path": "a.txt",
        "type": "file",
        "size": 3,
        "mode": "0640",
        "modified": "2001-09-09T01:46:40Z",
    }
    assert bench.builtin("get_file_info", path="link").result.output_data["type"] == "symlink"
    assert bench.builtin("get_file_info", path=".").result.output_data["type"] == "directory"


def test_listing_a_folder(bench: Any) -> None:
    bench.write("b/deep/x.txt", "abc")
    bench.write("a.txt", "a")
    bench.write(".git/HEAD", "x")
    listed = bench.builtin("list_directory").result.output_data
    assert [e["path"] for e in listed["entries"]] == [".git", "a.txt", "b", "skills"]
    deep = bench.builtin("list_directory", recursive=True, path="b").result.output_data
    assert [(e["path"], e["type"], e["size"]) for e in deep["entries"]][1] == ("b/deep/x.txt", "file", 3)
    whole = bench.builtin("list_directory", recursive=True).result.output_data
    assert ".git/HEAD" not in [e["path"] for e in whole["entries"]]
    assert bench.builtin("list_directory", limit=1).result.output_data["truncated"] is True


def test_folders_are_made_and_deleted(bench: Any) -> None:
    bench.write("full/deep/x", "x")
    os.symlink("../..", bench.root / "full/deep/out")
    assert bench.call("builtin/create_directory", {"path": "a/b"}, real=True).result.success
    assert bench.call("builtin/create_directory", {"path": "a/b"}, real=True).result.success
    assert bench.call("builtin/delete_directory", {"path": "a/b"}, real=True).result.success
    refused = bench.call("builtin/delete_directory", {"path": "full"}, real=True).result
    assert "not empty" in refused.error.message
    assert bench.call("builtin/delete_directory", {"path": "full", "recursive": True}, real=True).result.success
    assert sorted(p.name for p in bench.root.iterdir()) == ["a", "skills"]


def test_the_workspace_itself_is_not_deleted(bench: Any) -> None:
    error = bench.builtin("delete_directory", path=".", recursive=True).result.error
    assert "the workspace itself" in error.message


def test_the_shell_returns_what_a_command_printed_and_its_exit_status(bench: Any) -> None:
    result = bench.builtin("shell_execute", command="echo out; echo err >&2; echo x > made; exit 3").result
    assert result.output_data == {"exit_code": 3, "stdout": "out\n", "stderr": "err\n"}
    assert [c["path"] for c in result.resource_changes] == ["made"]


def test_the_shell_does_not_wait_for_what_runs_in_the_background(each_bench: Any) -> None:
    result = each_bench.builtin("shell_execute", command="sleep 60 & echo started").result
    assert result.output_data["stdout"] == "started\n"


def test_what_a_command_prints_is_limited(bench: Any) -> None:
    output = bench.builtin("shell_execute", command="yes | head -c 3000000").result.output_data
    assert len(output["stdout"]) == 1 << 20
    assert "more than 1 MiB was printed" in output["stderr"]


def test_reading_does_not_copy_the_workspace(bench: Any, tmp_path: Path) -> None:
    """A workspace that is too large for a copy can still be read."""
    bench.write("a.txt", "x")
    os.truncate(bench.write("huge.bin", ""), 2 << 30)
    for confinement in (bench.confinement, Confinement()):
        bench.confinement = confinement
        assert bench.builtin("read_file", path="a.txt").result.success
    assert "too large for a copy" in bench.builtin("write_file", path="b.txt", content="").result.error.message
