"""Noticing changed files by looking at all of them again and again, for systems without file events."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from core.language.scan import MAX_DEPTH, MAX_FOLDERS
from core.language.scan_names import is_client_folder, is_skipped

Stamp = tuple[int, int, int, int]


def polled(root: Path, stop: threading.Event, every_s: float) -> Iterator[frozenset[str]]:
    """Yield at once, and then every ``every_s`` seconds until ``stop``, the paths that differ from the look before.

    Paths are relative with ``/``; a folder differs when something in it has come or gone. A file differs once its
    size, its times to the nanosecond, or which file it is do, so that no save is missed.
    """
    known = snapshot(root)
    yield frozenset()
    while not stop.wait(every_s):
        before, known = known, snapshot(root)
        yield frozenset(path for path, _ in before.items() ^ known.items())


def snapshot(root: Path) -> dict[str, Stamp]:
    """Return a stamp of every file and folder below ``root`` that can matter; links are not followed."""
    found: dict[str, Stamp] = {}
    waiting = [("", 0)]
    looked_into = 0
    while waiting and looked_into < MAX_FOLDERS:
        folder, depth = waiting.pop()
        looked_into += 1
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                listed = [entry for entry in entries if _may_matter(entry.name, folder)]
        except OSError:
            continue
        for entry in listed:
            path = f"{folder}/{entry.name}" if folder else entry.name
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                found[path] = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            if depth < MAX_DEPTH and entry.is_dir(follow_symlinks=False):
                waiting.append((path, depth + 1))
    return found


def _may_matter(name: str, folder: str) -> bool:
    return is_client_folder(name) or not is_skipped(name, folder, only_skills=False)
