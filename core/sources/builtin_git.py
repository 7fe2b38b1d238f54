"""The built-in tools that look at a git repository (language, part 4); none of them changes it."""

from __future__ import annotations

import os

from core.sources.builtin_base import ToolError, read_parts
from core.sources.git_command import Git

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Arguments = dict[str, Any]
    Output = dict[str, Any]

_DIFF = ("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all", "--relative")
_COMMITS = 20
_LINES = 1_000
_FIELD = "\x1f"


def git_status(git: Git, arguments: Arguments) -> Output:
    """Return branch and changed entries below ``path``, with git's two letters for index and files."""
    options = ("--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--ignore-submodules=all")
    printed, _ = git.run("status", *options, "--", _path(git, arguments.get("path", ".")))
    branch, entries = None, []
    fields = iter(printed.split("\0"))
    for field in fields:
        if field.startswith("# branch.head "):
            branch = field.removeprefix("# branch.head ")
        elif entry := _entry(field):
            entries.append({"status": entry[0], "path": entry[1].removeprefix(git.prefix)})
            if field.startswith("2 "):
                next(fields)  # where it was renamed from
    return {"branch": None if branch == "(detached)" else branch, "clean": not entries, "entries": entries}


def _entry(field: str) -> tuple[str, str] | None:
    """Return letters and path of one line of the second porcelain format."""
    before_path = {"1": 8, "2": 9, "u": 10}.get(field[:1])
    if before_path is not None:
        parts = field.split(" ", before_path)
        return parts[1].replace(".", " "), parts[before_path]
    return ("??", field[2:]) if field.startswith("? ") else None


def git_diff(git: Git, arguments: Arguments) -> Output:
    """Return the changes of the files since ``revision`` (or between two: ``a..b``), or those not staged yet."""
    commits = git.commits(arguments.get("revision"))
    printed, more = git.run("diff", *_DIFF, *commits, "--", _path(git, arguments.get("path", ".")))
    return {"diff": printed, "truncated": more}


def git_log(git: Git, arguments: Arguments) -> Output:
    """Return commits that touch ``path``, newest first."""
    limit = arguments.get("limit", _COMMITS)
    form = f"--format=%H{_FIELD}%an <%ae>{_FIELD}%aI{_FIELD}%s"
    commits = git.commits(arguments.get("revision"))
    options = ("-z", form, "--no-show-signature", "--no-color", f"--max-count={limit + 1}")
    printed, more = git.run("log", *options, *commits, "--", _path(git, arguments.get("path", ".")))
    rows = [row.split(_FIELD) for row in printed.split("\0") if row.count(_FIELD) >= 3]
    made = [{"commit": r[0], "author": r[1], "date": r[2], "subject": _FIELD.join(r[3:])} for r in rows]
    return {"commits": made[:limit], "truncated": more or len(made) > limit}


def git_blame(git: Git, arguments: Arguments) -> Output:
    """Return for each line of a file the commit that wrote it."""
    limit = arguments.get("limit", _LINES)
    commits = git.commits(arguments.get("revision"))
    path = _path(git, arguments["path"])
    if commits and ".." in commits[0]:
        raise ToolError("git_blame takes one revision, not a range")
    if (
        not commits
        and os.path.isfile(os.path.join(git.root, path))
        and not os.path.getsize(os.path.join(git.root, path))
    ):
        return {"lines": [], "truncated": False}
    printed, more = git.run("blame", "--porcelain", "--no-textconv", *commits, "--", path)
    lines = _blamed(printed)
    return {"lines": lines[:limit], "truncated": more or len(lines) > limit}


def _is_empty(path: str) -> bool:
    return os.path.isfile(path) and not os.path.getsize(path)


def _blamed(printed: str) -> list[dict[str, Any]]:
    """Read git's porcelain: a header, what is new of its commit, and the line after a tab."""
    authors: dict[str, str] = {}
    lines: list[dict[str, Any]] = []
    commit, number = "", 0
    begins = True
    for line in printed.split("\n"):
        if begins and line:
            commit, _, final, *_ = line.split(" ")
            number, begins = int(final), False
        elif line.startswith("author "):
            authors[commit] = line.removeprefix("author ")
        elif line.startswith("\t"):
            lines.append({"line": number, "commit": commit, "author": authors.get(commit, ""), "text": line[1:]})
            begins = True
    return lines


def _path(git: Git, path: str) -> str:
    """Return ``path``, links followed, so that it is neither an option nor out of the workspace."""
    return os.path.join(".", *read_parts(git.root, path))


def _bound(tool: Callable[[Git, Arguments], Output]) -> Callable[[dict[str, Any]], Callable[[Arguments], Output]]:
    def bind(data: dict[str, Any]) -> Callable[[Arguments], Output]:
        git = Git(data)
        return lambda arguments: tool(git, arguments)

    return bind


TOOLS = {tool.__name__: _bound(tool) for tool in (git_status, git_diff, git_log, git_blame)}
