"""What was read of each file, kept for the next reading: a saved file is parsed again, the others are not."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import compress
from operator import is_not
from pathlib import Path
from typing import TYPE_CHECKING

from core.language.scan import Scan

if TYPE_CHECKING:
    from core.language.declarations import Declarations
    from core.language.load import LoadedFile

Stamp = tuple[object, ...]


@dataclass(slots=True)
class FileMemory:
    """The files of one workspace as they were read last.

    A stamp is taken before its file is read, so a file that changes meanwhile differs from its stamp next time.
    ``scan`` is what was found last; ``read`` has the keys that the last reading did not find here: paths, folders
    with a slash at the end.
    """

    entries: dict[str, tuple[Stamp, LoadedFile]] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    scan: Scan | None = None
    loaded: list[LoadedFile] = field(default_factory=list)
    """What the last reading gave of each file, in its order; nothing where it did not read all as it is stored."""
    places: dict[str, int] = field(default_factory=dict)
    """Where each key stands in ``loaded``."""
    declared: Declarations | None = None
    """What they declare, once some of them have been read again."""
    _folders: frozenset[str] = frozenset()
    _needed: dict[str, tuple[Stamp, frozenset[str]]] = field(default_factory=dict)

    def begin(self, root: Path, found: Scan) -> dict[str, Stamp]:
        """Forget what no longer holds, and return the present stamps by key."""
        stamps = {file.path: _stamp_of(file) for file in (*found.files, *found.server_files)}
        stamps |= _folder_stamps(found)
        folders = frozenset(found.agent_skill_folders)
        if folders != self._folders:
            self._forget(key for key, (_, loaded) in self.entries.items() if _looks_at_folders(loaded))
        self._folders = folders
        self._forget(self._users_of_changed(root))
        self.gone = [key for key in self.entries if key not in stamps]
        self._forget(self.gone)
        self.loaded, self.declared, self.read = [], None, []
        return stamps

    def begin_again(self, root: Path, found: Scan) -> list[str]:
        """Return the keys of the files that are to be read again, in order; ``found`` has the same files as before."""
        assert self.scan is not None
        changed = self._users_of_changed(root)
        for before, now in ((self.scan.files, found.files), (self.scan.server_files, found.server_files)):
            changed.update(file.path for file in compress(now, map(is_not, now, before)))
        self.scan, self.loaded, self.gone, self.read = found, [], [], []
        self.declared = None
        self._forget(changed)
        return sorted(changed)

    def _users_of_changed(self, root: Path) -> set[str]:
        """Forget the Python files that have changed; return the keys of the files that look at them."""
        changed = {needed: users for needed, (stamp, users) in self._needed.items() if _stamp_at(root, needed) != stamp}
        for needed in changed:
            del self._needed[needed]
        return set().union(*changed.values())

    def recall(self, key: str, stamp: Stamp) -> LoadedFile | None:
        """Return what was read of ``key`` when it had this stamp."""
        known = self.entries.get(key)
        return known[1] if known is not None and known[0] == stamp else None

    def keep(self, key: str, stamp: Stamp, loaded: LoadedFile) -> None:
        """Remember what has just been read."""
        self.entries[key] = (stamp, loaded)
        self.read.append(key)

    def keep_needed(self, root: Path, depends: dict[str, set[str]]) -> None:
        """Remember which Python files the YAML files that were just read look at."""
        for needed, users in depends.items():
            before = self._needed.get(needed, ((), frozenset()))[1]
            self._needed[needed] = (_stamp_at(root, needed), before | users)

    @property
    def depends(self) -> dict[str, list[str]]:
        """The YAML files that look at each Python file."""
        return {needed: sorted(users) for needed, (_, users) in self._needed.items()}

    def _forget(self, keys: Iterable[str]) -> None:
        for key in list(keys):
            self.entries.pop(key, None)


def _stamp_of(file: object) -> Stamp:
    return (file,)


def _folder_stamps(found: Scan) -> dict[str, Stamp]:
    """Return a stamp for each Agent Skill: all files at any depth below its folder."""
    files: dict[str, list[object]] = {folder: [] for folder in found.agent_skill_folders}
    for file in found.agent_skill_files:
        folder = os.path.dirname(file.path)
        while True:
            files.get(folder or ".", []).append(file)
            if not folder:
                break
            folder = os.path.dirname(folder)
    return {f"{folder}/": tuple(held) for folder, held in files.items()}


def _stamp_at(root: Path, path: str) -> Stamp:
    try:
        found = os.stat(root / path)
    except (OSError, ValueError):
        return ()
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _looks_at_folders(loaded: LoadedFile) -> bool:
    """Whether other Agent Skill folders may change what the file means."""
    return bool(loaded.diagnostics or loaded.agent_skill or (loaded.skill and loaded.skill.agent_folders))
