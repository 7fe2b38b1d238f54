"""Approvals that are taken back while something runs under them, by this program or another."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from core.registry.approvals import Approvals
from core.sources.identity import ExecutionIdentity

LOOK_S = 0.3


class WatchedApprovals:
    """The store as a runtime sees it; ``lost`` is told, from a thread, what has been used and is approved no more."""

    def __init__(self, store: Approvals, lost: Callable[[frozenset[str]], None]) -> None:
        self._store = store
        self._lost = lost
        self._used: set[str] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def allows(self, identity: ExecutionIdentity) -> bool:
        """Whether exactly ``identity`` is approved; what is, is watched from now on."""
        with self._lock:
            if not self._store.allows(identity):
                return False
            self._used.add(identity.digest)
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(target=self._watch, name="approvals", daemon=True)
                self._thread.start()
            return True

    def compared(self, identity: ExecutionIdentity) -> ExecutionIdentity:
        """Return ``identity`` with what has changed since an earlier approval of the same thing."""
        return self._store.compared(identity)

    def close(self) -> None:
        """Watch no more."""
        self._stop.set()

    def _watch(self) -> None:
        seen: tuple[int, ...] | None = (0,)  # the first look always compares
        while not self._stop.wait(LOOK_S):
            now = self._stamp()
            if now != seen:
                seen = now
                self._compare()

    def _compare(self) -> None:
        with self._lock:
            lost = frozenset(self._used - self._store.digests())
            self._used -= lost
        if lost:
            self._lost(lost)

    def _stamp(self) -> tuple[int, ...] | None:
        try:
            found = os.stat(self._store.path, follow_symlinks=False)
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size
