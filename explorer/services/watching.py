"""Hearing of changed files: a thread of its own that posts messages and never delays the end of the program."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message


@dataclass
class WatchChanged(Message):
    """Files may have changed, or how they are watched has; ``state`` is a ``WatchState``."""

    state: str
    notice: str
    stale: bool


def signature(root: Path) -> int:
    """Return a number that differs when a file that counts has come, gone or changed."""
    from core.language.scan import scan

    found = scan(root)
    return hash((*found.files, None, *found.server_files, None, *found.agent_skill_files))


class Watcher:
    """Watches ``root`` until it is stopped. The first news is stale only if something changed since ``known``."""

    def __init__(self, root: Path, known: int, post: Callable[[Message], object]) -> None:
        self._root, self._known, self._post = root, known, post
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, within moments."""
        self._stop.set()

    def _run(self) -> None:
        from core.workspace.watch import WatchState, watch

        first = True
        try:
            for change in watch(self._root, self._stop):
                gone = change.state is WatchState.GONE
                stale = not gone and (not first or signature(self._root) != self._known)
                first = False
                self._post(WatchChanged(str(change.state), change.notice, stale))
        except OSError as error:
            self._post(WatchChanged("off", f"files are not watched ({error}); r reads them again", False))
