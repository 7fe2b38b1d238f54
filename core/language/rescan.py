"""A scan brought up to date from what a watch heard, without looking into every folder again."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from core.language.scan import Scan, ScannedFile
from core.language.scan_names import SETTINGS_FILE, defines_something, is_skill_md, is_skipped

MOST_CHANGED = 1_000


class _Unsure(Exception):  # noqa: N818 - it states what is known
    """Only a whole scan can tell what has changed."""


def rescan(root: Path, before: Scan, changed: Iterable[str]) -> Scan | None:
    """Return ``before`` with the files at ``changed`` as they are now; None where only a whole scan can tell.

    ``changed`` are paths relative to ``root``, with ``/``. Enough are saves of files that are known, and whatever
    happens to files and folders that are not looked at. Folders, links, Agent Skills and new files take a scan.
    """
    paths = set(changed)
    if before.links or before.cancelled or len(paths) > MOST_CHANGED:
        return None
    found = replace(before, files=before.files.copy(), server_files=before.server_files.copy())
    try:
        for path in paths:
            _look_at(root, found, path)
    except _Unsure:
        return None
    return found


def _look_at(root: Path, found: Scan, path: str) -> None:
    folder, _, name = path.rpartition("/")
    if not name or ".." in path.split("/") or _in_agent_skill(found, path):
        raise _Unsure
    if not _has(found.folders, folder or "."):
        if not _is_left_out(found, folder):
            raise _Unsure
        return
    try:
        status = os.stat(os.path.join(root, path), follow_symlinks=False)
    except FileNotFoundError:
        status = None
    except (OSError, ValueError):
        raise _Unsure from None
    for files in (found.files, found.server_files):
        at = bisect_left(files, path, key=lambda file: file.path)
        if at < len(files) and files[at].path == path:
            files[at] = _as_it_is(files[at], status)
            return
    if _may_count(found, path, folder, name, status):
        raise _Unsure


def file_at(files: Sequence[ScannedFile], path: str) -> ScannedFile | None:
    """Return the file at ``path`` out of ``files``, which are in the order of paths; None where it isn't there."""
    at = bisect_left(files, path, key=lambda file: file.path)
    return files[at] if at < len(files) and files[at].path == path else None


def _as_it_is(file: ScannedFile, status: os.stat_result | None) -> ScannedFile:
    if status is None or not stat.S_ISREG(status.st_mode):
        raise _Unsure
    now = ScannedFile(file.path, file.kind_hint, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    return file if now == file else now


def _may_count(found: Scan, path: str, folder: str, name: str, status: os.stat_result | None) -> bool:
    """Whether something that is not among the known files makes a difference."""
    if _has(found.folders, path) or _has(found.sub_workspaces, path):
        return True
    if status is None:
        return name == SETTINGS_FILE and bool(folder)
    if is_skipped(name, folder, only_skills=False):
        return False
    if not stat.S_ISREG(status.st_mode):
        return True
    return defines_something(name) or is_skill_md(name) or (name == SETTINGS_FILE and bool(folder))


def _in_agent_skill(found: Scan, path: str) -> bool:
    if "." in found.agent_skill_folders[:1]:
        return True
    parts = path.split("/")
    return any(_has(found.agent_skill_folders, "/".join(parts[:count])) for count in range(1, len(parts) + 1))


def _is_left_out(found: Scan, folder: str) -> bool:
    """Whether ``folder``, which was not looked into, lies in one that never is."""
    parts = folder.split("/")
    for count in range(len(parts)):
        above = "/".join(parts[:count])
        if _has(found.folders, above or ".") and is_skipped(parts[count], above, only_skills=False):
            return True
    return False


def _has(paths: Sequence[str], path: str) -> bool:
    at = bisect_left(paths, path)
    return at < len(paths) and paths[at] == path
