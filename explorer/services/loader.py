"""Loading a workspace in a thread, and what the screen hears of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from core.workspace import Workspace
    from explorer.services.finder import Finder
    from explorer.services.findings import Findings
    from explorer.services.outline import Outline

PROGRESS_STEP = 50


@dataclass
class LoadProgressed(Message):
    """So many of the files have been read; ``total`` is 0 while they are still being looked for."""

    done: int
    total: int


@dataclass
class Loaded(Message):
    """The workspace has been read: everything the screen needs to show it."""

    workspace: Workspace
    outline: Outline
    finder: Finder
    findings: Findings


@dataclass
class LoadEnded(Message):
    """Loading ended without a workspace: stopped by the user (``problem`` is empty), or why."""

    problem: str


@dataclass
class Loader:
    """Loads one folder, again and again. Runs in the caller's thread and posts messages; touches no widget.

    The workspace object stays the same over reloads, so that what it keeps (servers, approvals) does.
    """

    root: Path
    state: Path | None
    post: Callable[[Message], object]
    workspace: Workspace | None = None
    signature: int = 0

    def run(self, stop: threading.Event) -> None:
        """Load once; ``stop`` ends it at the next file."""
        from core.gc_pause import no_collections
        from core.workspace import Workspace, WorkspaceUnreadable
        from explorer.services.watching import signature

        try:
            with no_collections(keeps=True):
                workspace = self.workspace or Workspace(self.root, state=self.state)
                self.signature = signature(workspace.root)
                workspace.load(self._progress, stop.is_set)
                if stop.is_set():
                    self.post(LoadEnded(""))
                    return
                news = _news(workspace)
        except (WorkspaceUnreadable, OSError) as error:
            self.post(LoadEnded(str(error)))
            return
        self.workspace = workspace
        self.post(news)

    def renew(self) -> None:
        """Tell what the workspace holds now, without reading it again."""
        if self.workspace is not None:
            self.post(_news(self.workspace))

    def _progress(self, done: int, total: int, _names: Sequence[str]) -> None:
        if done % PROGRESS_STEP == 0 or done == total:
            self.post(LoadProgressed(done, total))


def _news(workspace: Workspace) -> Loaded:
    from explorer.services.finder_index import build_finder
    from explorer.services.findings import collect
    from explorer.services.outline import Outline

    outline = Outline(workspace)
    outline.roots()
    return Loaded(workspace, outline, build_finder(workspace), collect(workspace.diagnostics))
