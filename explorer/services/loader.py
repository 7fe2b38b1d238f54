"""Loading a workspace in a thread, and what the screen hears of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from core.workspace import Workspace
    from explorer.services.finder import Finder
    from explorer.services.findings import Findings
    from explorer.services.outline import Outline

TELL_S, SLOWER, MOST_S = 0.1, 1.2, 0.5
"""The screen hears of progress after so many seconds, then each time after some more of them, up to the last number.

A load that is over sooner tells of nothing else; one that takes long costs the screen little.
"""


@dataclass
class LoadMessage(Message):
    """News of the load that setting ``run`` ends; news of one that another one has taken the place of is stale."""

    run: threading.Event


@dataclass
class LoadProgressed(LoadMessage):
    """So many of the files have been read, these skills among them since the last such news."""

    done: int
    total: int
    names: Sequence[str]


@dataclass
class Loaded(Message):
    """The workspace has been read, or what it holds has changed: everything the screen needs to show it."""

    workspace: Workspace
    outline: Outline
    finder: Finder
    findings: Findings
    run: threading.Event | None = None


@dataclass
class LoadEnded(LoadMessage):
    """Loading ended and left what was there: stopped by the user (``problem`` is empty), or why."""

    problem: str


@dataclass
class Loader:
    """Loads one folder, again and again. Runs in the caller's thread and posts messages; touches no widget.

    The workspace object stays the same over reloads, so that what it keeps (servers, approvals) does.
    """

    root: Path
    state: Path | None
    post: Callable[[Message], object]
    clock: Callable[[], float] = monotonic
    workspace: Workspace | None = None
    signature: int = 0
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _whole: bool = True
    _before: tuple[Outline, Finder] | None = None

    def run(self, stop: threading.Event, changed: Collection[str] | None = None) -> None:
        """Load once; ``stop`` ends it at the next file. One load at a time: another one waits for this to end.

        ``changed`` are the only paths that can have changed since the load before, if that is known.
        """
        with self._turn:
            whole, self._whole = self._whole, True
            self._run(stop, None if whole else changed)

    def _run(self, stop: threading.Event, changed: Collection[str] | None) -> None:
        from core.gc_pause import no_collections
        from core.workspace.folder import WorkspaceUnreadable

        try:
            with no_collections(keeps=True):  # also while the core is imported, which makes very many objects
                from core.workspace import Workspace
                from explorer.services.watching import signature

                workspace = self.workspace or Workspace(self.root, state=self.state)
                if self.workspace is None:
                    self.signature = signature(workspace.root)
                before = workspace.catalogue
                complete = workspace.load(_Teller(stop, self.post, self.clock).tell, stop.is_set, changed)
                if self.workspace is not None and workspace.catalogue is before:
                    self.post(LoadEnded(stop, ""))
                    return
                news = _news(workspace, stop, self._before)
        except (WorkspaceUnreadable, OSError) as error:
            self.post(LoadEnded(stop, str(error)))
            return
        self.workspace, self._whole = workspace, not complete
        self._before = news.outline, news.finder
        self.post(news)

    def renew(self) -> None:
        """Tell what the workspace holds now, without reading it again; what is told last is what came last."""
        with self._turn:
            if self.workspace is not None:
                self.post(_news(self.workspace, None, self._before))


class _Teller:
    """Gathers progress and passes it on, not too often for a screen."""

    def __init__(self, stop: threading.Event, post: Callable[[Message], object], clock: Callable[[], float]) -> None:
        self._stop, self._post, self._clock = stop, post, clock
        self._told, self._wait = clock(), TELL_S
        self._names: list[str] = []

    def tell(self, done: int, total: int, names: Sequence[str]) -> None:
        """Hear of progress."""
        self._names += names
        now = self._clock()
        if now - self._told >= self._wait and done < total:
            self._post(LoadProgressed(self._stop, done, total, self._names))
            self._told, self._names = now, []
            self._wait = min(MOST_S, self._wait * SLOWER)


def _news(workspace: Workspace, stop: threading.Event | None, before: tuple[Outline, Finder] | None) -> Loaded:
    from explorer.services.finder_index import build_finder
    from explorer.services.findings import collect
    from explorer.services.outline import Outline

    outline, finder = before or (None, None)
    now = Outline(workspace)
    now.prepare(outline)
    return Loaded(workspace, now, build_finder(workspace, finder), collect(workspace.diagnostics), stop)
