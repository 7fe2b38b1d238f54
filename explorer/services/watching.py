"""Hearing of changed files: a thread of its own that posts messages and never delays the end of the program."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from textual.message import Message


@dataclass
class WatchChanged(Message):
    """Files may have changed, or how they are watched has; ``state`` is a ``WatchState``.

    ``paths`` are the only ones that can have changed since the message before; None where that isn't known.
    """

    state: str
    notice: str
    stale: bool
    paths: frozenset[str] | None = None

    def after(self, earlier: WatchChanged | None) -> WatchChanged:
        """Return the message that says what both say."""
        if earlier is None:
            return self
        known = self.paths is not None and earlier.paths is not None
        return replace(self, paths=(self.paths or frozenset()) | (earlier.paths or frozenset()) if known else None)


def signature(root: Path) -> int:
    """Return a number that differs when a file that counts has come, gone or changed."""
    from core.language.scan import scan

    found = scan(root)
    return hash((*found.files, None, *found.server_files, None, *found.agent_skill_files))


class Watcher:
    """Watches ``root`` until it is stopped. News without paths is stale only if something changed since ``known``."""

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

        try:
            for change in watch(self._root, self._stop):
                gone = change.state is WatchState.GONE
                stale = not gone and (change.paths is not None or self._differs())
                self._post(WatchChanged(str(change.state), change.notice, stale, change.paths))
        except OSError as error:
            self._post(WatchChanged("off", f"files are not watched ({error}); {{refresh}} reads them again", False))

    def _differs(self) -> bool:
        """Whether the files are not those that were known when this was last asked."""
        known, self._known = self._known, signature(self._root)
        return known != self._known
