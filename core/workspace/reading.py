"""Reading a workspace again and again: only what changed, and never a save that is still being written."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from pathlib import Path

from core.diagnostics import Severity
from core.language.declarations import Declarations
from core.language.edited import EditedTexts
from core.language.load import LoadedFile, Progress, load_declarations
from core.language.memory import FileMemory

AT_REST_S = 0.06
"""A file that nobody has written to for so long is not being saved any more."""
MOST_WAITS = 5


class WorkspaceReader:
    """Reads the files of ``root``; ``read`` names what the last reading had to read, folders with a slash."""

    def __init__(self, root: Path, edited: EditedTexts) -> None:
        self._root = root
        self._edited = edited
        self._memory = FileMemory()

    @property
    def read(self) -> tuple[str, ...]:
        """What the last reading had to read because it was new or had changed."""
        return tuple(self._memory.read)

    def stamp_of(self, path: str) -> object | None:
        """Return what differs once the file at ``path`` has changed; None for one that was not read."""
        entries = self._memory.entries
        known = entries.get(path)
        folder = path
        while known is None and folder:
            folder = folder.rpartition("/")[0]
            known = entries.get(f"{folder or '.'}/")
        return known[0] if known else None

    def declarations(
        self,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
        changed: Collection[str] | None = None,
    ) -> Declarations:
        """Return what the files declare now; ``changed`` has all that can have changed, where that is known.

        A file that was fine and is at fault moments after it was written is looked at again once it is at rest: an
        editor may be in the middle of saving it. That ends after less than half a second.
        """

        def load() -> Declarations:
            return load_declarations(
                self._root,
                progress=progress,
                cancelled=cancelled,
                memory=self._memory,
                changed=changed,
                edited=self._edited,
            )

        known = self._memory.entries.copy()
        found = load()
        fine = {key for key in self._memory.read if key in known and not _at_fault(known[key][1])}
        read = list(self._memory.read)
        for _ in range(MOST_WAITS):
            wait = max(map(self._until_at_rest, fine.intersection(self._memory.read)), default=0.0)
            if wait <= 0:
                break
            time.sleep(wait)
            found = load()
            read += self._memory.read
        self._memory.read = list(dict.fromkeys(read))
        return found

    def _until_at_rest(self, key: str) -> float:
        """Return in how many seconds the file counts as at rest, where that matters: where it is at fault."""
        known = self._memory.entries.get(key)
        if known is None or not _at_fault(known[1]):
            return 0.0
        path = self._root / key / "SKILL.md" if key.endswith("/") else self._root / key
        try:
            age = time.time() - path.stat().st_mtime
        except OSError:
            return 0.0
        return AT_REST_S - abs(age)


def _at_fault(loaded: LoadedFile) -> bool:
    return loaded.broken is not None or any(d.severity is Severity.ERROR for d in loaded.diagnostics)
