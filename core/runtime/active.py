"""The calls that run now: ended all together, or when what they run under is taken back."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from core.runtime.call import CallOutcome

_CLOSE_S = 30.0
_TAKEN_BACK = "cancelled: the approval of what it ran was taken back"


@dataclass(slots=True, eq=False)
class Active:
    """One call; ``digests`` are what it needs approved, ``revoked`` says that one of them was taken back."""

    cancel: threading.Event
    digests: set[str] = field(default_factory=set)
    revoked: bool = False

    def told(self, outcome: CallOutcome) -> CallOutcome:
        """Return ``outcome`` with the reason why it was cancelled, where that was a revocation."""
        error = outcome.result.error
        if not self.revoked or error is None:
            return outcome
        details = {**error.details, "cancelled": True, "revoked": True}
        told = error.model_copy(update={"message": _TAKEN_BACK, "details": details})
        result = outcome.result.model_copy(update={"error": told})
        return replace(outcome, result=result)


class ActiveCalls:
    """The set of them; used from any thread."""

    def __init__(self) -> None:
        self._calls: set[Active] = set()
        self._idle = threading.Condition()
        self._closed = False

    def enter(self, cancel: threading.Event) -> Active | None:
        """Return a new call, or None when no more may begin."""
        with self._idle:
            if self._closed:
                return None
            active = Active(cancel)
            self._calls.add(active)
            return active

    def leave(self, active: Active) -> None:
        """Forget a call that is over."""
        with self._idle:
            self._calls.discard(active)
            self._idle.notify_all()

    def revoke(self, digests: Collection[str]) -> None:
        """Cancel the calls that need one of ``digests``."""
        with self._idle:
            for active in self._calls:
                if not active.digests.isdisjoint(digests):
                    active.revoked = True
                    active.cancel.set()

    def running(self) -> frozenset[str]:
        """Return what the calls that run now need approved."""
        with self._idle:
            return frozenset[str]().union(*(active.digests for active in self._calls))

    def close(self) -> None:
        """Cancel every call and wait for their ends; no other begins."""
        with self._idle:
            self._closed = True
            for active in self._calls:
                active.cancel.set()
            self._idle.wait_for(lambda: not self._calls, timeout=_CLOSE_S)
