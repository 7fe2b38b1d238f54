"""Finds the git repository that a workspace belongs to, by reading a few small files; git itself isn't run.

Only a repository that is the workspace's own counts: a ``.git`` that points elsewhere must be pointed back at.
"""

from __future__ import annotations

import os
import stat

_SMALL = 4_096
_ABOVE = (".gitignore", ".gitattributes")


class NoRepository(Exception):  # noqa: N818 - it names a state of the workspace
    """There is no repository that may be looked at; the message says why."""


def find_repository(root: str) -> dict[str, str]:
    """Return ``top``, ``git_dir`` and ``common_dir`` for the workspace ``root``, all absolute.

    Raises:
        NoRepository: there is none here or above, or it leads elsewhere.
    """
    here = os.path.realpath(root)
    while True:
        marker = os.path.join(here, ".git")
        if os.path.lexists(marker):
            git_dir = _git_dir(marker, here)
            return {"top": here, "git_dir": git_dir, "common_dir": _common_dir(git_dir)}
        above = os.path.dirname(here)
        if above == here:
            raise NoRepository("the workspace is in no git repository")
        here = above


def files_above(root: str, top: str) -> list[str]:
    """Return the files between the repository's top and ``root`` that say what git ignores and how it reads."""
    found = []
    here = os.path.realpath(root)
    while here != top:
        here = os.path.dirname(here)
        found += [path for name in _ABOVE if _is_regular(path := os.path.join(here, name))]
    return found


def _git_dir(marker: str, folder: str) -> str:
    real = os.path.realpath(marker)
    if os.path.islink(marker) and not _within(real, folder):
        raise NoRepository("`.git` is a link that leaves its folder")
    if os.path.isdir(real):
        return real
    text = _read(marker)
    if not text.startswith("gitdir:"):
        raise NoRepository("`.git` is neither a repository nor names one")
    git_dir = os.path.realpath(os.path.join(folder, text[len("gitdir:") :].strip()))
    if _within(git_dir, folder) or _points_back(git_dir, marker) or _is_submodule(git_dir, folder):
        return git_dir
    raise NoRepository("`.git` names a repository that does not belong to this folder")


def _points_back(git_dir: str, marker: str) -> bool:
    """Whether ``git_dir`` is that of a linked work tree at ``marker``."""
    return os.path.realpath(_read(os.path.join(git_dir, "gitdir")).strip() or "/") == os.path.realpath(marker)


def _is_submodule(git_dir: str, folder: str) -> bool:
    """Whether ``git_dir`` lies among the modules of a repository above ``folder``."""
    while (above := os.path.dirname(folder)) != folder:
        folder = above
        if _within(git_dir, os.path.join(folder, ".git", "modules")):
            return True
    return False


def _common_dir(git_dir: str) -> str:
    named = _read(os.path.join(git_dir, "commondir")).strip()
    common = os.path.realpath(os.path.join(git_dir, named)) if named else git_dir
    if not _within(git_dir, common):
        raise NoRepository("the repository names files that are not its own")
    if not os.path.isdir(os.path.join(common, "objects")):
        raise NoRepository("`.git` holds no repository")
    return common


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _read(path: str) -> str:
    """Return the beginning of a small file; nothing where there is none."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(fd, _SMALL).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
    finally:
        os.close(fd)
