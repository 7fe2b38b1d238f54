"""The folder of an Agent Skill: its resource files, and whether a path of a link leads to something in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import Enum, auto
from pathlib import Path

from core.language.containment import LinkLoop, Uncontained, real_parts
from core.text import nearest

RESOURCE_FOLDERS = ("scripts", "references", "assets")
MOST_RESOURCES = 1_000
DEEPEST_RESOURCE = 16
_SKIPPED = frozenset({"__pycache__", "node_modules"})


class Target(Enum):
    """What a path leads to."""

    THERE = auto()
    MISSING = auto()
    OUTSIDE = auto()


class SkillFolder:
    """A folder with a SKILL.md, under the ``name`` that it is reached by, which may be a link's.

    Nothing outside of it is looked at, and no link is followed that leads out.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.name = name
        self.truncated = False
        self._targets: dict[tuple[str, ...], Target] = {}

    def resources(self, present: frozenset[str]) -> tuple[str, ...]:
        """Return the files below the resource folders, relative and sorted, at most 1,000; ``truncated`` tells of more.

        ``present`` are the names in the folder. Hidden files are left out, and so is what a link leads to elsewhere.
        """
        found: list[str] = []
        for file in self._walk([name for name in RESOURCE_FOLDERS if name in present]):
            if len(found) == MOST_RESOURCES:
                self.truncated = True
                break
            found.append(file)
        return tuple(sorted(found))

    def _walk(self, pending: list[str]) -> Iterator[str]:
        pending.reverse()
        while pending:
            folder = pending.pop()
            inner: list[str] = []
            for name, is_folder, is_file in _entries(self.path / folder):
                path = f"{folder}/{name}"
                if is_folder:
                    inner.append(path)
                elif is_file or self._is_inner_file(path):
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
            known = self._targets[parts] = self._look_up(parts)
        return known

    def _look_up(self, parts: tuple[str, ...]) -> Target:
        try:
            real = real_parts(self.path, list(parts))
            os.stat(os.path.join(self.path, *real), follow_symlinks=False)
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
            same = [name for name in names if name.casefold() == part.casefold()] or nearest(part, names[:1000], 1)
            if not same:
                return None
            done.append(same[0])
        return "/".join(done)


def _entries(folder: Path) -> list[tuple[str, bool, bool]]:
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
