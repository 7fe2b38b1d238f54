"""News of changed listings: heard in any thread, worked off in one of their own that ends when there is no more."""

from __future__ import annotations

import threading
from collections.abc import Callable

_PAUSE_S = 0.2
_CLOSE_S = 2.0


class Relister:
    """Calls ``work`` with the keys of the servers that have changed since it was last called."""

    def __init__(self, work: Callable[[frozenset[str]], None]) -> None:
        self._work = work
        self._waiting: set[str] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def changed(self, key: str) -> None:
        """Hear that the server of ``key`` has changed; returns at once."""
        with self._lock:
            self._waiting.add(key)
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(target=self._run, name="relisting", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            with self._lock:
                keys, self._waiting = frozenset(self._waiting), set()
                if not keys or self._stop.is_set():
                    self._thread = None
                    return
            self._work(keys)
            self._stop.wait(_PAUSE_S)

    def stop(self) -> None:
        """Begin no more work."""
        self._stop.set()

    def join(self) -> None:
        """Wait, for at most two seconds, for the work that was begun."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(_CLOSE_S)
