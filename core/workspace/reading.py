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

YOUNG_S = 0.3
WAIT_S = 0.08
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

        A file that was fine and is at fault moments after it was written is looked at again first: an editor may
        be in the middle of saving it. That ends after less than half a second.
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
            if not any(self._half_written(key) for key in fine.intersection(self._memory.read)):
                break
            time.sleep(WAIT_S)
            found = load()
            read += self._memory.read
        self._memory.read = list(dict.fromkeys(read))
        return found

    def _half_written(self, key: str) -> bool:
        known = self._memory.entries.get(key)
        return known is not None and _at_fault(known[1]) and self._is_young(key)

    def _is_young(self, key: str) -> bool:
        path = self._root / key / "SKILL.md" if key.endswith("/") else self._root / key
        try:
            return abs(time.time() - path.stat().st_mtime) < YOUNG_S
        except OSError:
            return False


def _at_fault(loaded: LoadedFile) -> bool:
    return loaded.broken is not None or any(d.severity is Severity.ERROR for d in loaded.diagnostics)
