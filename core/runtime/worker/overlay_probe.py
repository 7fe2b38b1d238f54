"""Tries an overlay as a call would use it, then becomes the trial of a confinement that works on it."""

from __future__ import annotations

import json
import os
import sys

from core.runtime.worker.overlay import Overlay

_EXPECTED = {
    "changed": "file",
    "kept": "file",
    "file": "file",
    "moved": "file",
    "folder": "directory",
    "folder/fresh": "file",
}


def main(plan: str) -> None:
    """Mount what ``plan`` names, use it, and run the command that follows; whatever goes wrong is raised."""
    wanted = json.loads(plan)
    overlay = Overlay(wanted["source"], wanted["target"], wanted["layers"], entries=100)
    overlay.make()
    overlay.mount()
    os.chdir(wanted["target"])
    if os.path.lexists("pipe"):
        raise SystemExit("what should be covered up can be reached")
    _use()
    found = {path: entry[0] for path, entry in overlay.after().items()}
    if found != _EXPECTED:
        raise SystemExit(f"it shows {found}")
    os.chdir("/")
    os.execv(sys.argv[3], sys.argv[3:])


def _use() -> None:
    """Change one file, rename one, remove one, and make a folder anew that was full."""
    _write("changed")
    os.rename("here", "moved")
    os.unlink("gone")
    os.unlink("folder/old")
    os.rmdir("folder")
    os.mkdir("folder")
    _write("folder/fresh")


def _write(path: str) -> None:
    with open(path, "a", encoding="ascii") as file:
        file.write("more")
