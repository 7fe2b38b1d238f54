"""The folder of an Agent Skill: its resource files, and whether a path of a link leads to something in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from difflib import get_close_matches
from enum import Enum, auto
from pathlib import Path

from core.language.containment import LinkLoop, Uncontained, real_parts

RESOURCE_FOLDERS = ("scripts", "references", "assets")
MOST_RESOURCES = 1_000
DEEPEST_RESOURCE = 16
_MOST_KNOWN = 1_000
_CLOSE = 0.75
_SKIPPED = frozenset({"__pycache__", "node_modules"})


class Target(Enum):
    """What a path leads to."""

    THERE = auto()
    MISSING = auto()
    OUTSIDE = auto()


class SkillFolder:
    """A folder with a SKILL.md, under the ``name`` that it is reached by, which may be a link's.

    Nothing outside of it is looked at, and no link is followed that leads out. Raises OSError if it can't be listed.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.name = name
        self.truncated = False
        self._where = str(path)
        self._files: set[str] = set()
        self._targets: dict[tuple[str, ...], Target] = {}
        with os.scandir(self._where) as entries:
            self.names = frozenset(entry.name for entry in entries)
        self.resources = self._list()

    def _list(self) -> tuple[str, ...]:
        """Return the files below the resource folders, relative and sorted, at most 1,000; ``truncated`` tells of more.

        Hidden files are left out, and so is what a link leads to elsewhere.
        """
        found: list[str] = []
        for file in self._walk([name for name in reversed(RESOURCE_FOLDERS) if name in self.names]):
            if len(found) == MOST_RESOURCES:
                self.truncated = True
                break
            found.append(file)
        found.sort()
        return tuple(found)

    def _walk(self, pending: list[str]) -> Iterator[str]:
        while pending:
            folder = pending.pop()
            inner: list[str] = []
            for name, is_folder, is_file in _entries(f"{self._where}/{folder}"):
                path = f"{folder}/{name}"
                if is_folder:
                    inner.append(path)
                elif is_file:
                    self._files.add(path)
                    yield path
                elif self._is_inner_file(path):
                    yield path
            if inner and folder.count("/") + 1 >= DEEPEST_RESOURCE:
                self.truncated = True
                continue
            pending.extend(reversed(inner))

    def _is_inner_file(self, path: str) -> bool:
        try:
            real = real_parts(self.path, path.split("/"))
        except (Uncontained, OSError):
            return False
        return self.path.joinpath(*real).is_file()

    def look_up(self, parts: tuple[str, ...]) -> Target:
        """Say what the path of ``parts`` below this folder leads to."""
        known = self._targets.get(parts)
        if known is None:
            known = self._look_up(parts)
            if len(self._targets) < _MOST_KNOWN:
                self._targets[parts] = known
        return known

    def _look_up(self, parts: tuple[str, ...]) -> Target:
        if parts[:1] and parts[0] not in self.names:
            return Target.MISSING
        if "/".join(parts) in self._files:
            return Target.THERE
        try:
            real = real_parts(self.path, list(parts))
            os.stat("/".join((self._where, *real)), follow_symlinks=False)
        except LinkLoop:
            return Target.MISSING
        except Uncontained:
            return Target.OUTSIDE
        except (OSError, ValueError):
            return Target.MISSING
        return Target.THERE

    def near(self, parts: tuple[str, ...]) -> str | None:
        """Return the path that ``parts``, which leads nowhere, was probably meant to be."""
        done: list[str] = []
        for part in parts:
            if self._look_up((*done, part)) is Target.THERE:
                done.append(part)
                continue
            try:
                names = os.listdir(self.path.joinpath(*done))
            except OSError:
                return None
            same = [name for name in names if name.casefold() == part.casefold()]
            same = same or get_close_matches(part, names[:1000], n=1, cutoff=_CLOSE)
            if not same:
                return None
            done.append(same[0])
        return "/".join(done)


def _entries(folder: str) -> list[tuple[str, bool, bool]]:
    """Return name, whether it is a folder and whether it is a file of what is not hidden, sorted; links are neither."""
    try:
        with os.scandir(folder) as entries:
            return sorted(
                (entry.name, entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False))
                for entry in entries
                if not entry.name.startswith(".") and entry.name not in _SKIPPED
            )
    except OSError:
        return []
