"""What keeps the main screen up to date: watched files, and servers that are asked for their tools."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import Worker, WorkerState

from core.text import display, plural
from explorer import messages
from explorer.presenters.header import asking
from explorer.presenters.news import news_text
from explorer.screens.areas import Areas
from explorer.services.consents import Consents
from explorer.services.loader import Loader
from explorer.services.session import Session
from explorer.services.watching import WatchChanged, Watcher
from explorer.widgets.hint import keymap_of, with_keys

if TYPE_CHECKING:
    from core.runtime.call import ExecutionIdentity
    from core.workspace import Workspace
    from core.workspace.news import ServerNews

WATCH_S = 0.2
MOST_NOTES = 5
QUIET_S = 5.0


class ServersChanged(Message):
    """Servers say that they have other tools now; the catalogue holds them already."""


class Live(Areas):
    """Reads again when files change, and asks servers when the user wants it."""

    _watcher: Watcher | None = None
    _unsubscribe: Callable[[], None] | None = None
    _asking: threading.Event | None = None
    _again: WatchChanged | None = None

    def __init__(self, loader: Loader, session: Session) -> None:
        super().__init__(loader, session)
        self._told_at: dict[str, float] = {}

    @property
    def busy(self) -> bool:
        """Whether something runs that escape stops."""
        return super().busy or self._asking is not None

    def opened(self, workspace: Workspace) -> None:
        """Begin to watch once the workspace is there."""
        super().opened(workspace)
        self._watcher = Watcher(workspace.root, self.loader.signature, self.post_message)
        self.set_timer(WATCH_S, self._watcher.start)
        self._unsubscribe = workspace.on_servers_changed(self._heard_of_servers)
        self.show_notices(workspace.notices)

    def on_unmount(self) -> None:
        """Stop watching and asking."""
        if self._watcher:
            self._watcher.stop()
        if self._unsubscribe:
            self._unsubscribe()
        if self._asking:
            self._asking.set()

    def on_watch_changed(self, message: WatchChanged) -> None:
        """Read again what changed; say how the files are watched."""
        self.show_watching(message.state)
        if message.notice:
            self.notify(display(with_keys(self, message.notice), 300), severity="warning", markup=False)
        if message.stale and self.reading:
            self._again = message.after(self._again)
        elif message.stale and not self.stopped:
            self.load(quietly=True, changed=message.paths)

    def settled(self) -> None:
        """Read once more what changed while it was read."""
        if self._again is not None:
            again, self._again = self._again, None
            self.load(quietly=True, changed=again.paths)

    def _heard_of_servers(self, news: Mapping[str, ServerNews]) -> None:
        for fresh in filter(self._is_due, news.values()):
            notes = [f"{fresh.label}: {note}" for note in fresh.notes[:MOST_NOTES]]
            for text in (news_text(fresh), *notes):
                if text is not None:
                    self.post_message(messages.Notify(text, "warning"))
        self.post_message(ServersChanged())

    def _is_due(self, fresh: ServerNews) -> bool:
        """Whether to tell of a server now; one that changes all the time must not fill the screen with it."""
        now = time.monotonic()
        due = now - self._told_at.get(fresh.label, -QUIET_S) >= QUIET_S
        if due and (fresh.notes or news_text(fresh)):
            self._told_at[fresh.label] = now
        return due

    def on_servers_changed(self, _message: ServersChanged) -> None:
        """Show the new tools; nothing is read for it."""
        self.run_worker(
            self.loader.renew, thread=True, group="renew", exclusive=True, exit_on_error=False, description="renew"
        )

    def stop_asking(self) -> None:
        """Give up on servers that have not answered yet."""
        if self._asking:
            self._asking.set()

    def discover(self, skill: str) -> None:
        """Ask the servers of ``skill`` for their tools, in a thread; what needs approval is asked for first."""
        if self.workspace is None or self._asking is not None:
            return
        self._asking = threading.Event()
        self.show_progress(asking(0, 0, keymap_of(self)))
        self.refresh_bindings()
        workspace, cancel = self.workspace, self._asking
        self.run_worker(
            lambda: self._ask_servers(workspace, skill, cancel),
            thread=True,
            group="discover",
            exit_on_error=False,
            name="discover",
            description="discover",
        )

    def _ask_servers(self, workspace: Workspace, skill: str, cancel: threading.Event) -> None:
        def progress(done: int, total: int) -> None:
            self.app.call_from_thread(self.show_progress, asking(done, total, keymap_of(self)))

        consents = Consents(self._ask_for, cancel)
        consents.ask(workspace.servers_waiting(skill))
        answers = workspace.discover(skill, consents.allows, progress, cancel)
        failed = [f"{answer.label}: {answer.error}" for answer in answers.values() if answer.error]
        for text in failed[:MOST_NOTES]:
            self.post_message(messages.Notify(text, "warning"))
        if more := len(failed) - len(failed[:MOST_NOTES]):
            self.post_message(messages.Notify(f"{plural(more, 'more server')} gave no answer.", "warning"))
        told = [answer for answer in answers.values() if not answer.error]
        for answer in told[:MOST_NOTES]:
            self.post_message(messages.Notify(f"{plural(len(answer.tools), 'tool')} of {answer.label} discovered."))
        if not answers:
            self.post_message(messages.Notify(f"{skill} has no server to ask."))
        if told:
            self.loader.renew()

    def _ask_for(self, identities: tuple[ExecutionIdentity, ...]) -> Future[frozenset[str]]:
        answer: Future[frozenset[str]] = Future()
        self.post_message(messages.AskApprovals(identities, answer))
        return answer

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Note that the servers have been asked."""
        ended = event.state in (WorkerState.SUCCESS, WorkerState.ERROR, WorkerState.CANCELLED)
        if event.worker.name == "discover" and ended:
            self._asking = None
            self.show_progress(None)
            self.refresh_bindings()
