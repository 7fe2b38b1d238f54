"""Which files of a folder make up the workspace (language, part 1), found without opening any of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from core.diagnostics import Diagnostic, Place, Rule, Severity
from core.diagnostics.rules import file as rules
from core.diagnostics.rules.workspace import LIMIT
from core.language.containment import LinkLoop, Uncontained, real_parts
from core.language.reading import COPY, MEND, REPLACE, irregular
from core.language.scan_names import (
    KIND_FOLDERS,
    SERVER_FILES,
    SETTINGS_FILE,
    defines_something,
    holds_skills,
    is_client_folder,
    is_skill_md,
    is_skipped,
    may_be_folder,
)
from core.text import safe_text

MAX_FILES = 20_000
MAX_FOLDERS = 100_000
_SMALLER = "open a smaller folder"
MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """A file that counts. ``kind_hint`` is the nearest folder above it out of skills, tools, actors, if any.

    The other fields tell whether it changed: size in bytes, times in nanoseconds, and which file it is.
    """

    path: str
    kind_hint: str | None
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(slots=True)
class Scan:
    """What was found, each list in the order of paths; paths are relative with ``/``."""

    files: list[ScannedFile] = field(default_factory=list)
    """YAML files."""
    server_files: list[ScannedFile] = field(default_factory=list)
    """``.mcp.json`` and ``mcp.json``."""
    agent_skill_folders: list[str] = field(default_factory=list)
    """Folders with a SKILL.md in any case, ``.`` for the workspace itself; also those inside another one."""
    agent_skill_files: list[ScannedFile] = field(default_factory=list)
    """Files of those folders, to tell whether they changed; what is beyond 20,000 is left out and stops nothing."""
    sub_workspaces: list[str] = field(default_factory=list)
    """Folders with settings of their own, which are not entered."""
    folders: list[str] = field(default_factory=list)
    """Folders that were looked into, for a watcher."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    cancelled: bool = False
    links: bool = False
    """Whether there are links, so that a file may have several paths."""


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder to look into. ``real`` is where it lies, which differs behind a link.

    ``only_skills`` says that nothing but its folder ``skills`` counts, as in ``.claude``.
    """

    path: str = ""
    real: str = ""
    hint: str | None = None
    depth: int = 0
    in_agent_skill: bool = False
    only_skills: bool = False


@dataclass(frozen=True, slots=True)
class _Item:
    """An entry of a folder; ``in_agent_skill`` says whether that folder belongs to an Agent Skill."""

    name: str
    folder: _Folder
    in_agent_skill: bool

    @property
    def path(self) -> str:
        return _join(self.folder.path, self.name)

    @property
    def real(self) -> str:
        return _join(self.folder.real, self.name)


def scan(root: Path, cancelled: Callable[[], bool] | None = None) -> Scan:
    """Look through ``root``: real folders first, then what links lead to, each folder once.

    ``cancelled`` is asked once a folder; the answer then holds what was found until then.
    """
    scanner = _Scanner(root, cancelled or (lambda: False))
    scanner.run()
    return scanner.sorted()


class _Scanner:
    def __init__(self, root: Path, cancelled: Callable[[], bool]) -> None:
        self._root = root
        self._cancelled = cancelled
        self._found = Scan()
        self._pending = [_Folder()]
        self._links: list[_Item] = []
        self._seen_folders: set[tuple[int, int]] = set()
        self._seen_files: set[int] = set()
        self._full = False
        self._depth_told = False

    def run(self) -> None:
        """Look into everything that is pending; links wait until no real folder is left."""
        self._look_around()
        self._seen_files = {file.inode for file in self._found.files}
        while self._links and not self._stopped():
            links, self._links = sorted(self._links, key=lambda link: link.path), []
            for link in links:
                self._follow(link)
                self._look_around()

    def sorted(self) -> Scan:
        """Return what was found, in the order of paths."""
        found = self._found
        for files in (found.files, found.server_files, found.agent_skill_files):
            files.sort(key=lambda file: file.path)
        for paths in (found.agent_skill_folders, found.sub_workspaces, found.folders):
            paths.sort()
        return found

    def _stopped(self) -> bool:
        if not self._full and not self._found.cancelled:
            self._found.cancelled = self._cancelled()
        return self._full or self._found.cancelled

    def _look_around(self) -> None:
        while self._pending and not self._stopped():
            self._look_into(self._pending.pop())

    def _report(self, rule: Rule, path: str, message: str, hint: str | None = None, *, warn: bool = False) -> None:
        severity = Severity.WARNING if warn else None
        self._found.diagnostics.append(rule.at(Place(safe_text(path) or "."), message, hint=hint, severity=severity))

    def _stop_at_limit(self, path: str, what: str) -> None:
        if self._full:
            return
        self._full = True
        self._report(LIMIT, path, f"the workspace has {what}; the rest is not looked at", _SMALLER)

    def _look_into(self, folder: _Folder) -> None:
        if len(self._found.folders) >= MAX_FOLDERS:
            self._stop_at_limit(folder.path, f"more than {MAX_FOLDERS:,} folders")
            return
        where = os.path.join(self._root, folder.real)
        try:
            status = os.stat(where)
            if (status.st_dev, status.st_ino) in self._seen_folders:
                return
            self._seen_folders.add((status.st_dev, status.st_ino))
            with os.scandir(where) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except FileNotFoundError:
            return
        except OSError as error:
            self._report(rules.UNREADABLE, folder.path, f"the folder can't be read: {error.strerror}", MEND)
            return
        self._found.folders.append(folder.path or ".")
        self._take(folder, listed)

    def _take(self, folder: _Folder, listed: list[os.DirEntry[str]]) -> None:
        names = [entry.name for entry in listed]
        if folder.path and SETTINGS_FILE in names:
            self._found.sub_workspaces.append(folder.path)
            return
        in_agent_skill = folder.in_agent_skill
        if not folder.only_skills and any(is_skill_md(name) for name in names):
            self._found.agent_skill_folders.append(folder.path or ".")
            in_agent_skill = True
        taken: dict[str, str] = {}
        for entry in listed:
            if is_skipped(entry.name, folder.path, only_skills=folder.only_skills):
                continue
            folderish = entry.is_symlink() or entry.is_dir(follow_symlinks=False)
            if not folderish and not in_agent_skill and not defines_something(entry.name):
                continue
            item = _Item(entry.name, folder, in_agent_skill)
            if self._has_fit_name(item):
                self._warn_of_twin(item, taken)
                self._place(entry, item)

    def _has_fit_name(self, item: _Item) -> bool:
        if item.name.isascii() or not any("\ud800" <= char <= "\udfff" for char in item.name):
            return True
        self._report(rules.NAME_ENCODING, item.path, "the name is not UTF-8, so this is left out", "rename it")
        return False

    def _warn_of_twin(self, item: _Item, taken: dict[str, str]) -> None:
        other = taken.setdefault(item.name.casefold(), item.name)
        if other != item.name and not item.in_agent_skill:
            message = f"`{item.name}` and `{other}` differ only in case; systems that ignore case keep only one of them"
            self._report(rules.CASE_TWIN, item.path, message, "rename one of them")

    def _place(self, entry: os.DirEntry[str], item: _Item) -> None:
        if entry.is_symlink():
            self._found.links = True
            self._links.append(item)
        elif entry.is_dir(follow_symlinks=False):
            self._descend(item, item.real)
        else:
            try:
                self._file(item, entry.stat(follow_symlinks=False))
            except OSError:
                return

    def _descend(self, item: _Item, real: str) -> None:
        depth = item.folder.depth + 1
        if depth > MAX_DEPTH:
            if not self._depth_told:
                self._depth_told = True
                self._report(
                    LIMIT, item.path, f"folders deeper than {MAX_DEPTH} levels are not looked at", _SMALLER, warn=True
                )
            return
        hint = item.name if item.name in KIND_FOLDERS else item.folder.hint
        only_skills = is_client_folder(item.name) and not holds_skills(item.folder.path)
        self._pending.append(_Folder(item.path, real, hint, depth, item.in_agent_skill, only_skills))

    def _file(self, item: _Item, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            if defines_something(item.name) and not item.in_agent_skill:
                self._report(rules.NOT_REGULAR, item.path, irregular(status.st_mode), REPLACE)
            return
        found = self._found
        if item.in_agent_skill:
            files = found.agent_skill_files
            if len(files) >= MAX_FILES:
                return
        else:
            files = found.server_files if item.name in SERVER_FILES else found.files
            if len(found.files) + len(found.server_files) >= MAX_FILES:
                self._stop_at_limit(item.path, f"more than {MAX_FILES:,} files")
                return
        times = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        files.append(ScannedFile(item.path, item.folder.hint, *times))

    def _follow(self, link: _Item) -> None:
        """Look at what a link leads to, once it is known to be inside."""
        try:
            real = "/".join(real_parts(self._root, link.real.split("/")))
            status = os.stat(os.path.join(self._root, real), follow_symlinks=False)
        except LinkLoop:
            self._refuse(link, rules.LINK_LOOP, "this link leads back to itself", "delete it")
        except Uncontained:
            self._refuse(link, rules.OUTSIDE, "this link leads out of the workspace, so it is not followed", COPY)
        except OSError as error:
            nothing = isinstance(error, FileNotFoundError)
            message = "this link leads to nothing" if nothing else f"this link can't be followed: {error.strerror}"
            if defines_something(link.name) and not link.in_agent_skill:
                self._report(rules.UNREADABLE, link.path, message, MEND)
        else:
            self._arrive(link, real, status)

    def _arrive(self, link: _Item, real: str, status: os.stat_result) -> None:
        if stat.S_ISDIR(status.st_mode):
            if _is_around(real, link.folder.real):
                if not link.in_agent_skill:
                    message = "this link leads back to a folder around it, so it is not followed"
                    self._report(rules.LINK_LOOP, link.path, message, "delete it", warn=True)
            else:
                self._descend(link, real)
        elif (link.in_agent_skill or defines_something(link.name)) and status.st_ino not in self._seen_files:
            self._seen_files.add(status.st_ino)
            self._file(link, status)

    def _refuse(self, link: _Item, rule: Rule, message: str, hint: str | None = None) -> None:
        """Report a link that isn't followed if it could matter: a file that counts, or what may be a folder."""
        if link.in_agent_skill:
            return
        if defines_something(link.name):
            self._report(rule, link.path, message, hint)
        elif may_be_folder(link.name):
            self._report(rule, link.path, message, hint, warn=True)


def _is_around(real: str, inner: str) -> bool:
    return not real or inner == real or inner.startswith(real + "/")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
