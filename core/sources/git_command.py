"""Runs git so that nothing of a repository's configuration runs: git is given a repository folder of our own making.

That folder borrows the objects, references and index of the real one and has its own short configuration, so no
hook, filter, pager, file monitor, helper or alias exists, whatever names they may have in versions to come.
"""

from __future__ import annotations

import os
import re
import tempfile

from core.sources.builtin_base import ToolError
from core.sources.builtin_shell import run_bounded

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from typing import Any

_BORROWED = ("refs", "packed-refs", "logs", "info", "shallow", "reftable")
_KEPT = frozenset(
    {
        *("core.repositoryformatversion", "core.filemode", "core.symlinks", "core.ignorecase", "core.autocrlf"),
        *("core.eol", "core.precomposeunicode", "core.trustctime", "core.checkstat", "core.sparsecheckout"),
        *("core.sparsecheckoutcone", "extensions.objectformat", "extensions.refstorage"),
    }
)
_PLAIN = re.compile(r"[A-Za-z0-9]+")
_MESSAGE_LIMIT = 500
_FIXED = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C.UTF-8",
}


class Git:
    """git for one repository; ``data`` holds ``program``, ``root`` and what ``find_repository`` found."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.root: str = os.path.realpath(data["root"])
        self.program: str = data["program"]
        self.top: str = data["top"]
        self._git_dir, self._common_dir = data["git_dir"], data["common_dir"]
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _FIXED
        self._environment |= self._repository()

    @property
    def prefix(self) -> str:
        """The workspace's folder below the top of the repository, with a slash at its end; empty at the top."""
        below = os.path.relpath(self.root, self.top)
        return "" if below == "." else f"{below}/"

    def run(self, *arguments: str) -> tuple[str, bool]:
        """Return what git printed, and whether more than 1 MiB was; raises ToolError with git's words."""
        status, stdout, stderr, more = run_bounded([self.program, *arguments], self.root, self._environment)
        if status != 0:
            words = stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
            raise ToolError(f"git: {words[:_MESSAGE_LIMIT] or f'ended with exit status {status}'}")
        return stdout.decode("utf-8", "replace"), more

    def commits(self, revision: str | None) -> list[str]:
        """Return ``revision``, or the ends of a range, by the names of their commits; they can't be options then."""
        if revision is None:
            return []
        for dots in ("...", ".."):
            if dots in revision:
                start, _, end = revision.partition(dots)
                return [f"{self._commit(start or 'HEAD')}{dots}{self._commit(end or 'HEAD')}"]
        return [self._commit(revision)]

    def _commit(self, revision: str) -> str:
        if revision.startswith("-") or "\0" in revision:
            raise ToolError(f"`{revision[:80]}` is no revision")
        try:
            found, _ = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        except ToolError:
            raise ToolError(f"git knows no revision `{revision[:80]}`") from None
        return found.strip()

    def _repository(self) -> dict[str, str]:
        made = tempfile.mkdtemp(prefix="git-")
        for name in _BORROWED:
            self._borrow(self._common_dir, name, made)
        for name in os.listdir(self._git_dir):
            if name.startswith("sharedindex."):
                self._borrow(self._git_dir, name, made)
        with open(os.path.join(made, "HEAD"), "wb") as file:
            file.write(_small(os.path.join(self._git_dir, "HEAD")))
        with open(os.path.join(made, "config"), "w", encoding="utf-8") as file:
            file.write(self._configuration(made))
        return {
            "GIT_DIR": made,
            "GIT_WORK_TREE": self.top,
            "GIT_OBJECT_DIRECTORY": os.path.join(self._common_dir, "objects"),
            "GIT_INDEX_FILE": os.path.join(self._git_dir, "index"),
        }

    def _borrow(self, folder: str, name: str, made: str) -> None:
        path = os.path.join(folder, name)
        if os.path.exists(path) and not os.path.islink(path):
            os.symlink(path, os.path.join(made, name))

    def _configuration(self, folder: str) -> str:
        """Return the settings that say how files are compared, and no other; reading them runs nothing."""
        config = os.path.join(self._common_dir, "config")
        asked = [self.program, "config", "--file", config, "--no-includes", "--null", "--list"]
        _, stdout, _, _ = run_bounded(asked, folder, self._environment)
        lines = []
        for entry in stdout.decode("utf-8", "replace").split("\0"):
            key, _, value = entry.partition("\n")
            if key in _KEPT and _PLAIN.fullmatch(value):
                section, _, name = key.partition(".")
                lines.append(f"[{section}]\n\t{name} = {value}\n")
        return "".join(lines)


def _small(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(4_096)
