"""The built-in git tools: what they show, and that nothing of a repository's configuration ever runs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

WHO = ("-c", "user.name=Tester", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *WHO, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def repository(bench: Any) -> Any:
    """Two commits, a staged change, an unstaged one and an untracked file."""
    bench.flat()
    git(bench.root, "init", "-q")
    bench.write("a.txt", "one\n")
    bench.write("b c.txt", "x\n")
    git(bench.root, "add", ".")
    git(bench.root, "commit", "-qm", "First: of two")
    bench.write("a.txt", "one\ntwo\n")
    git(bench.root, "commit", "-qam", "Second")
    bench.write("a.txt", "one\ntwo\nthree\n")
    bench.write("staged.txt", "s\n")
    git(bench.root, "add", "staged.txt")
    bench.write("ünew.txt", "n\n")
    return bench


def test_status_names_branch_and_changes(repository: Any) -> None:
    git(repository.root, "mv", "b c.txt", "renamed.txt")
    output = repository.builtin("git_status").result.output_data
    assert (output["branch"], output["clean"]) == ("main", False)
    assert {(e["status"], e["path"]) for e in output["entries"]} == {
        (" M", "a.txt"),
        ("A ", "staged.txt"),
        ("R ", "renamed.txt"),
        ("??", "ünew.txt"),
    }


def test_status_can_be_limited_to_a_path(repository: Any) -> None:
    output = repository.builtin("git_status", path="skills").result.output_data
    assert output == {"branch": "main", "clean": True, "entries": []}


def test_status_changes_nothing_in_the_repository(repository: Any) -> None:
    before = {p: p.read_bytes() for p in (repository.root / ".git").rglob("*") if p.is_file()}
    repository.builtin("git_status")
    assert before == {p: p.read_bytes() for p in (repository.root / ".git").rglob("*") if p.is_file()}


def test_differences_since_the_index_a_revision_and_between_two(repository: Any) -> None:
    unstaged = repository.builtin("git_diff").result.output_data
    assert ("+three" in unstaged["diff"], "staged.txt" in unstaged["diff"]) == (True, False)
    since = repository.builtin("git_diff", revision="HEAD~1", path="a.txt").result.output_data["diff"]
    assert "+two\n+three\n" in since
    between = repository.builtin("git_diff", revision="HEAD~1..HEAD").result.output_data["diff"]
    assert ("+two" in between, "+three" in between) == (True, False)


def test_log_lists_commits_newest_first_and_says_when_there_are_more(repository: Any) -> None:
    output = repository.builtin("git_log").result.output_data
    assert [c["subject"] for c in output["commits"]] == ["Second", "First: of two"]
    assert output["commits"][0]["commit"] == git(repository.root, "rev-parse", "HEAD")
    assert output["commits"][0]["author"] == "Tester <t@example.org>"
    limited = repository.builtin("git_log", limit=1, path="a.txt").result.output_data
    assert (len(limited["commits"]), limited["truncated"]) == (1, True)
    ranged = repository.builtin("git_log", revision="HEAD~1..").result.output_data
    assert [c["subject"] for c in ranged["commits"]] == ["Second"]


def test_blame_names_the_commit_of_each_line(repository: Any) -> None:
    lines = repository.builtin("git_blame", path="a.txt").result.output_data["lines"]
    first, second = git(repository.root, "rev-list", "--reverse", "HEAD").split()
    assert [(x["line"], x["commit"], x["text"]) for x in lines[:2]] == [(1, first, "one"), (2, second, "two")]
    assert (lines[0]["author"], set(lines[2]["commit"])) == ("Tester", {"0"})
    old = repository.builtin("git_blame", path="a.txt", revision="HEAD~1").result.output_data
    assert [x["text"] for x in old["lines"]] == ["one"]
    assert repository.builtin("git_blame", path="a.txt", limit=1).result.output_data["truncated"] is True


def test_blame_of_an_empty_file_has_no_lines(repository: Any) -> None:
    repository.write("empty.txt", "")
    git(repository.root, "add", "empty.txt")
    assert repository.builtin("git_blame", path="empty.txt").result.output_data["lines"] == []


OPTIONS = ["--output=stolen", "-h", "--upload-pack=touch stolen", "--no-index", "--ext-diff", "-O/etc/passwd", "HEAD\0"]


@pytest.mark.parametrize("value", OPTIONS, ids=ascii)
@pytest.mark.parametrize("tool", ["git_diff", "git_log", "git_blame"])
def test_a_revision_is_never_an_option(repository: Any, tool: str, value: str) -> None:
    before = sorted(p.name for p in repository.root.iterdir())
    error = repository.call(f"builtin/{tool}", {"revision": value, "path": "a.txt"}).result.error
    assert "revision" in error.message
    assert sorted(p.name for p in repository.root.iterdir()) == before


@pytest.mark.parametrize("path", ["--output=stolen", ":(top)a.txt", ":!a.txt", "*"])
def test_a_path_is_a_path_and_nothing_else(repository: Any, path: str) -> None:
    result = repository.builtin("git_log", path=path).result
    assert result.output_data == {"commits": [], "truncated": False}


def test_an_unknown_revision_is_named(repository: Any) -> None:
    assert "no revision `nowhere`" in repository.builtin("git_log", revision="nowhere").result.error.message


def test_a_path_outside_is_refused(repository: Any) -> None:
    assert str(repository.builtin("git_blame", path="../x").result.error.error_type) == "permission_denied"


CONFIGURED = """
[core]
    fsmonitor = {run}
    hooksPath = {hooks}
    pager = {run}
    editor = {run}
    sshCommand = {run}
    askPass = {run}
    gitProxy = {run}
    alternateRefsCommand = {run}
    attributesFile = {attributes}
[pager]
    log = {run}
    diff = {run}
    status = {run}
    blame = {run}
[diff]
    external = {run}
[diff "evil"]
    textconv = {run}
    command = {run}
[filter "evil"]
    clean = {run}
    smudge = {run}
    process = {run}
    required = true
[credential]
    helper = {run}
[gpg]
    program = {run}
[log]
    showSignature = true
[alias]
    status = !{run}
    log = !{run}
    rev-parse = !{run}
[include]
    path = {included}
[blame]
    ignoreRevsFile = /etc/passwd
[extensions]
    partialClone = origin
[remote "origin"]
    url = ext::{run}
    promisor = true
[submodule]
    recurse = true
[status]
    submoduleSummary = true
[uploadpack]
    packObjectsHook = {run}
[safe]
    directory = *
"""


@pytest.fixture
def hostile(repository: Any) -> Any:
    """A repository in which every program that git can be told to run is ``payload``."""
    root = repository.root
    payload = root / "payload.sh"
    payload.write_text(f"#!/bin/sh\ntouch {root}/canary\n")
    payload.chmod(0o755)
    repository.write("attributes", "* diff=evil filter=evil\n")
    repository.write(".gitattributes", "* diff=evil filter=evil\n")
    repository.write("included", f"[core]\n\tfsmonitor = {payload}\n")
    hooks = root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout", "pre-commit"):
        (hooks / name).write_text(payload.read_text())
        (hooks / name).chmod(0o755)
    text = CONFIGURED.format(run=payload, hooks=hooks, attributes=root / "attributes", included=root / "included")
    with open(root / ".git/config", "a") as file:
        file.write(text)
    os.utime(root / "a.txt")
    return repository


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("git_status", {}),
    ("git_diff", {}),
    ("git_diff", {"revision": "HEAD~1"}),
    ("git_log", {}),
    ("git_blame", {"path": "a.txt"}),
]


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=[str(call) for call in CALLS])
def test_nothing_that_a_repository_configures_is_run(hostile: Any, tool: str, arguments: dict[str, Any]) -> None:
    from core.runtime.confinement import Confinement

    hostile.confinement = Confinement()
    result = hostile.call(f"builtin/{tool}", arguments, real=True).result
    assert result.error is None
    assert not (hostile.root / "canary").exists()


def test_the_payload_would_run_without_our_care(hostile: Any) -> None:
    subprocess.run(["git", "-C", str(hostile.root), "status"], capture_output=True, check=False)
    assert (hostile.root / "canary").exists()


def test_the_variables_of_git_are_not_passed_on(
    repository: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/bin/false")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    assert repository.builtin("git_diff").result.success


def test_a_work_tree_that_points_elsewhere_is_not_looked_at(repository: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("outside")
    git(repository.root, "config", "core.worktree", str(tmp_path))
    assert "outside" not in repository.builtin("git_diff").result.output_data["diff"]


def test_the_repository_above_the_workspace_is_used_for_the_workspaces_own_files(bench: Any, tmp_path: Path) -> None:
    bench.flat()
    bench.write("a.txt", "one\n")
    (tmp_path / "other.txt").write_text("x\n")
    (tmp_path / ".gitignore").write_text("*.ignored\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "ws/a.txt", "other.txt", "ws/skills")
    git(tmp_path, "commit", "-qm", "First")
    bench.write("a.txt", "two\n")
    bench.write("x.ignored", "")
    (tmp_path / "other.txt").write_text("y\n")
    output = bench.builtin("git_status").result.output_data
    assert output["entries"] == [{"status": " M", "path": "a.txt"}]
    diff = bench.builtin("git_diff").result.output_data["diff"]
    assert ("a/a.txt" in diff, "other" in diff) == (True, False)
    assert bench.builtin("git_blame", path="a.txt").result.output_data["lines"][0]["text"] == "two"


def test_a_linked_work_tree_and_a_submodule_are_repositories_of_their_own(bench: Any, tmp_path: Path) -> None:
    main = tmp_path / "main"
    main.mkdir()
    git(main, "init", "-q")
    (main / "a.txt").write_text("x\n")
    git(main, "add", ".")
    git(main, "commit", "-qm", "First")
    bench.root.rmdir()
    git(main, "worktree", "add", "-q", "-b", "other", str(bench.root))
    assert bench.builtin("git_status").result.output_data["branch"] == "other"
    assert bench.builtin("git_log").result.output_data["commits"][0]["subject"] == "First"


POINTERS = {
    "a file": lambda root, other: (root / ".git").write_text(f"gitdir: {other}/.git\n"),
    "a link": lambda root, other: os.symlink(other / ".git", root / ".git"),
    "a common folder": lambda root, other: [
        (root / ".git").mkdir(),
        (root / ".git/HEAD").write_text("ref: refs/heads/main\n"),
        (root / ".git/commondir").write_text(f"{other}/.git\n"),
    ],
}


@pytest.mark.parametrize("point", POINTERS.values(), ids=POINTERS)
def test_a_repository_of_somebody_else_is_not_looked_at(bench: Any, tmp_path: Path, point: Any) -> None:
    other = tmp_path / "private"
    other.mkdir()
    git(other, "init", "-q")
    (other / "secret.txt").write_text("secret")
    git(other, "add", ".")
    git(other, "commit", "-qm", "Secret")
    point(bench.root, other)
    error = bench.builtin("git_log").result.error
    assert str(error.error_type) == "tool_activation_failure"


def test_a_workspace_without_a_repository_says_so(bench: Any) -> None:
    error = bench.builtin("git_status").result.error
    assert (str(error.error_type), error.message) == (
        "tool_activation_failure",
        "the workspace is in no git repository",
    )


def test_a_repository_without_commits_has_a_status_and_no_log(bench: Any) -> None:
    bench.flat()
    git(bench.root, "init", "-q")
    assert bench.builtin("git_status").result.output_data["branch"] == "main"
    assert "does not have any commits yet" in bench.builtin("git_log").result.error.message


def test_settings_that_say_how_files_are_compared_are_kept(repository: Any) -> None:
    git(repository.root, "config", "core.fileMode", "false")
    git(repository.root, "checkout", "-q", "a.txt")
    os.chmod(repository.root / "a.txt", 0o755)
    output = repository.builtin("git_status").result.output_data
    assert "a.txt" not in [e["path"] for e in output["entries"]]
