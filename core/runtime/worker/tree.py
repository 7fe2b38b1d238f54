"""One walk over a workspace for a place of a call's own: what belongs into it, and what must not be reached.

Left out: sockets, FIFOs and devices; the content of folders that packages are installed in; and the objects of git
repositories, which the place borrows from the original. A link that leaves the workspace is there, but leads nowhere:
who follows links by their text refuses it as in the workspace, and who just opens it reaches nothing real.
"""

from __future__ import annotations

import errno
import os
import stat

from core.runtime.worker.snapshot import FILE, Entry, entry_of

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

INSTALLED = frozenset({".venv", "node_modules", "__pycache__"})
_NOWHERE = "/nonexistent/outside-the-workspace"


class CopyRefused(Exception):  # noqa: N818 - it names what happened
    """There is no place to work in; the message is for the user."""


class Tree:
    """A walk over ``source`` that fills ``base``; ``before`` and ``originals`` hold what both looked like.

    ``what`` is how a refusal calls it.
    """

    what = "copy"

    def __init__(self, source: str, base: str, *, entries: int, size: int, exclude: Iterable[str] = ()) -> None:
        self.source = os.path.realpath(source)
        self.base = base
        self.entries_left, self.bytes_left = entries, size
        self.limits = (entries, size)
        self.exclude = frozenset(map(os.path.realpath, exclude))
        self.before: dict[str, Entry] = {}
        self.originals: dict[str, Entry] = {}
        self.installed: list[str] = []
        self.objects: list[tuple[str, str]] = []
        self.special: list[str] = []
        self.leaving: list[str] = []
        self.unreadable: list[str] = []
        self.unlisted = 0

    @property
    def bytes(self) -> int:
        """How much the files hold that were met."""
        return self.limits[1] - self.bytes_left

    def make(self, keep_going: Callable[[], bool] = lambda: True) -> None:
        """Walk over everything; stop early when ``keep_going`` says so.

        Raises:
            CopyRefused: the workspace is gone or over a limit, or the disk is full.
        """
        if not os.path.isdir(self.source):
            raise CopyRefused("the workspace no longer exists")
        os.mkdir(self.base, 0o700)
        queue = [""]
        while queue:
            queue += self._walk_folder(queue.pop())
            if not keep_going():
                return

    def after(self) -> dict[str, Entry]:
        """Return what is there now; ``unlisted`` counts the folders that could not be looked into then."""
        raise NotImplementedError

    def leave(self) -> None:
        """Take away what outlasts this process's interest; nothing by default."""

    def put_folder(self, path: str, info: os.stat_result) -> None:
        """Have the folder ``path``."""
        raise NotImplementedError

    def put_file(self, path: str, origin: str, info: os.stat_result) -> None:
        """Have the file ``path``, which looked like ``info`` when its folder was listed."""
        raise NotImplementedError

    def put_link(self, path: str, info: os.stat_result, link: str, text: str) -> None:
        """Have the symbolic link ``path`` with ``text``, which is another than the original's ``link`` if need be."""
        raise NotImplementedError

    def leave_out(self, path: str) -> None:
        """Have nothing at ``path``."""
        raise NotImplementedError

    def hollow(self, path: str) -> None:
        """Have nothing in the folder ``path``, which is there."""
        raise NotImplementedError

    def _walk_folder(self, folder: str) -> list[str]:
        items = self._list(folder)
        repository = {"HEAD", "objects", "refs"} <= {item.name for item in items}
        below = []
        for item in items:
            path = f"{folder}/{item.name}" if folder else item.name
            if item.path in self.exclude:
                self.leave_out(path)
            elif self._take(item, path):
                if repository and item.name == "objects":
                    self._borrow_objects(path, item.path)
                elif item.name in INSTALLED:
                    self.hollow(path)
                    self.installed.append(path)
                else:
                    below.append(path)
        return below

    def _list(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self.source, folder)) as items:
                return list(items)
        except OSError:
            self.unreadable.append(folder)
            self.hollow(folder)
            return []

    def _take(self, item: os.DirEntry[str], path: str) -> bool:
        """Take one entry without what is below it; whether it is a folder."""
        self._count_entry()
        try:
            info = item.stat(follow_symlinks=False)
            if stat.S_ISDIR(info.st_mode):
                self.put_folder(path, info)
                return True
            if stat.S_ISREG(info.st_mode):
                self.put_file(path, item.path, info)
            elif stat.S_ISLNK(info.st_mode):
                self._take_link(path, item.path, info)
            else:
                self.take_special(path)
        except PermissionError:
            self.unreadable.append(path)
            self.leave_out(path)
        except FileNotFoundError:
            return False  # deleted since the folder was listed
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                self.unreadable.append(path)
                return False
            raise CopyRefused(f"the workspace can't be copied: {error.strerror} ({path})") from error
        return False

    def take_special(self, path: str) -> None:
        """Note what is no file, folder or link."""
        self.special.append(path)
        self.leave_out(path)

    def _count_entry(self) -> None:
        self.entries_left -= 1
        if self.entries_left < 0:
            limit = f"{self.limits[0]:,} files and folders"
            raise CopyRefused(f"the workspace is too large for {_article(self.what)}: over {limit}")

    def count_bytes(self, size: int) -> None:
        """Count the content of a file."""
        self.bytes_left -= size
        if self.bytes_left < 0:
            limit = f"{self.limits[1] >> 20:,} MiB"
            raise CopyRefused(f"the workspace is too large for {_article(self.what)}: over {limit}")

    def _take_link(self, path: str, origin: str, info: os.stat_result) -> None:
        real, link = os.path.realpath(origin), os.readlink(origin)
        text = link
        if real != self.source and not real.startswith(self.source + os.sep):
            self.leaving.append(path)
            text = _NOWHERE
        elif os.path.isabs(link):
            text = os.path.relpath(real, os.path.dirname(os.path.join(self.source, path)))
        self.put_link(path, info, link, text)

    def note_made(self, path: str) -> None:
        """Note how what was made at ``path`` looks."""
        made = os.path.join(self.base, path)
        info = os.lstat(made)
        self.before[path] = entry_of(info, os.readlink(made) if stat.S_ISLNK(info.st_mode) else None)

    def _borrow_objects(self, path: str, origin: str) -> None:
        """Let the place's repository read the original's objects: git's own way, and nothing to copy."""
        self.hollow(path)
        self.objects.append((path, origin))
        info = os.path.join(self.base, path, "info")
        os.mkdir(info, 0o700)
        with open(os.path.join(info, "alternates"), "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(origin + "\n")
        for made in ("info", "info/alternates"):
            self.note_made(f"{path}/{made}")

    def original_file(self, path: str) -> str | None:
        """Return the original's path if it is still as it was at the walk."""
        known = self.originals.get(path)
        origin = os.path.join(self.source, path)
        try:
            same = known is not None and known[0] == FILE and entry_of(os.lstat(origin)) == known
        except OSError:
            return None
        return origin if same else None


def _article(what: str) -> str:
    return f"{'an' if what[0] in 'aeio' else 'a'} {what}"
