"""An overlay of the workspace for one call: what the tool changes lies in a folder of its own, and nothing is copied.

It is the way out where a copy would be slow or refused, no more: without privileges an overlay refuses to rename
folders that are there already, and what others save in the workspace meanwhile shows through it.

What must not be reached is covered up in the upper folder before it is mounted, with the kernel's own signs: a device
of number 0 for what is gone, an attribute for a folder that hides what lies below. Afterwards that folder is the exact
list of what was changed; a file that was opened for writing is in it whatever was written.
"""

from __future__ import annotations

import os
import stat

from core.runtime.worker.mounting import enter_own_mounts, mount_overlay, unmount
from core.runtime.worker.snapshot import FILE, FOLDER, OTHER, Entry, entry_of, scan
from core.runtime.worker.tree import Tree

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_ANY_SIZE = 1 << 62
_OPAQUE = "user.overlay.opaque"


class NoOverlay(Exception):  # noqa: N818 - it names what is missing
    """The workspace can't be overlaid; the message is for the user."""


class Overlay(Tree):
    """One overlay of ``source`` at ``target``; its folders are made below ``layers``."""

    what = "overlay"

    def __init__(self, source: str, target: str, layers: str, *, entries: int, exclude: Iterable[str] = ()) -> None:
        super().__init__(source, os.path.join(layers, "upper"), entries=entries, size=_ANY_SIZE, exclude=exclude)
        self.target = target
        self.sample: str | None = None
        self._layers = layers
        self._modes: dict[str, int] = {}
        self._foreign: str | None = None
        self._mounted = False

    def make(self, keep_going: Callable[[], bool] = lambda: True) -> None:
        """Look at everything and cover up what must not be reached; nothing is mounted yet."""
        os.mkdir(self._layers, 0o700)
        super().make(keep_going)

    def mount(self) -> None:
        """Mount it, which moves this process into namespaces of its own.

        Raises:
            NoOverlay: files belong to others, or the kernel refuses.
        """
        if self._foreign is not None:
            raise NoOverlay(f"files of other users or groups can't be changed in it ({self._foreign})")
        for path, mode in reversed(self._modes.items()):
            os.chmod(os.path.join(self.base, path), mode)
        work = os.path.join(self._layers, "work")
        for folder in (work, self.target):
            os.mkdir(folder, 0o700)
        try:
            enter_own_mounts()
            mount_overlay(self.source, self.base, work, self.target)
        except OSError as error:
            os.rmdir(self.target)
            raise NoOverlay(error.strerror or str(error)) from error
        self._mounted = True

    def leave(self) -> None:
        """Take the mount away, if there is one."""
        if self._mounted:
            self._mounted = False
            unmount(self.target)

    def put_folder(self, path: str, info: os.stat_result) -> None:
        """It shows through."""
        self._shows(path, info)

    def put_file(self, path: str, origin: str, info: os.stat_result) -> None:
        """It shows through, unless its reader may not read it."""
        if not os.access(origin, os.R_OK, follow_symlinks=False):
            raise PermissionError
        self.count_bytes(info.st_size)
        self._shows(path, info)
        if self.sample is None and info.st_size:
            self.sample = origin

    def put_link(self, path: str, info: os.stat_result, link: str, text: str) -> None:
        """It shows through if it leads where it did."""
        self._shows(path, info, link)
        if text != link:
            self._make_parents(path)
            os.symlink(text, os.path.join(self.base, path))
            self.note_made(path)

    def leave_out(self, path: str) -> None:
        """Cover it up as gone."""
        self._make_parents(path)
        os.mknod(os.path.join(self.base, path), stat.S_IFCHR)

    def hollow(self, path: str) -> None:
        """Cover up what the folder holds; its owner may always write in it, as in a copy."""
        self._make_folder(path)
        os.setxattr(os.path.join(self.base, path), _OPAQUE, b"y")
        if path:
            self._modes[path] |= 0o700
            self.before[path] = [FOLDER, self._modes[path], *self.originals[path][2:]]

    def _shows(self, path: str, info: os.stat_result, link: str | None = None) -> None:
        self.before[path] = self.originals[path] = entry_of(info, link)
        if self._foreign is None and (info.st_uid, info.st_gid) != (os.geteuid(), os.getegid()):
            self._foreign = path

    def _make_parents(self, path: str) -> None:
        self._make_folder(path.rpartition("/")[0])

    def _make_folder(self, path: str) -> None:
        """Make the folders on the way to ``path``; their modes follow when nothing more is made in them."""
        parts = path.split("/") if path else []
        for count in range(1, len(parts) + 1):
            above = "/".join(parts[:count])
            if above not in self._modes:
                os.mkdir(os.path.join(self.base, above), 0o700)
                self._modes[above] = self.originals[above][1]

    def after(self) -> dict[str, Entry]:
        """Return what the overlay shows now: what was there before, under what the upper folder says."""
        looked = scan(self.base, unlock=True)
        self.unlisted, found = len(looked.unlisted), looked.entries
        gone = {path for path, entry in found.items() if entry[0] == OTHER and self._is_whiteout(path)}
        covering = {path for path, entry in found.items() if entry[0] != FOLDER or self._is_opaque(path)}
        covering -= looked.unlisted
        return {**self._showing(gone, covering), **{p: entry for p, entry in found.items() if p not in gone}}

    def _showing(self, gone: set[str], covering: set[str]) -> dict[str, Entry]:
        """Return what still shows through; ``before`` names a folder before what it holds."""
        buried, left = set(covering), {}
        for path, entry in self.before.items():
            if path in gone or path.rpartition("/")[0] in buried:
                buried.add(path)
            else:
                left[path] = entry
        return left

    def _is_whiteout(self, path: str) -> bool:
        info = os.lstat(os.path.join(self.base, path))
        return stat.S_ISCHR(info.st_mode) and info.st_rdev == 0

    def _is_opaque(self, path: str) -> bool:
        try:
            return os.getxattr(os.path.join(self.base, path), _OPAQUE, follow_symlinks=False) == b"y"
        except OSError:
            return False

    def way(self) -> str:
        """Say in words what it is and what it can't do."""
        many = sum(entry[0] == FILE for entry in self.before.values())
        return (
            f"overlaid instead of copied: {many:,} files, {self.bytes / (1 << 20):,.1f} MiB; what others save in the "
            "workspace meanwhile shows through, and folders that are there already can't be renamed"
        )
