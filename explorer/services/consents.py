"""The answers to what wants to run, for a thread that waits for them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from core.runtime.call import ExecutionIdentity

TURN_S = 0.1
T = TypeVar("T")
AskAll = Callable[["tuple[ExecutionIdentity, ...]"], "Future[frozenset[str]]"]


def waited_for(answer: Future[T], cancel: threading.Event, otherwise: T) -> T:
    """Return the user's answer once it is there; ``otherwise`` when ``cancel`` comes first."""
    while not cancel.is_set():
        try:
            return answer.result(TURN_S)
        except TimeoutError:
            continue
    return otherwise


class Consents:
    """Asks once for all that is known to want to run, and again for what is not as it was shown any more.

    Where the user wanted none of it, nothing more is asked.
    """

    def __init__(self, ask: AskAll, cancel: threading.Event) -> None:
        self._ask, self._cancel = ask, cancel
        self._shown: set[str] = set()
        self._allowed: frozenset[str] = frozenset()
        self._refused = False

    def ask(self, identities: tuple[ExecutionIdentity, ...]) -> None:
        """Show all of ``identities`` at once; blocks until the answer."""
        if identities and not self._refused:
            self._shown |= {identity.digest for identity in identities}
            allowed = waited_for(self._ask(identities), self._cancel, frozenset())
            self._allowed |= allowed
            self._refused = not allowed

    def allows(self, identity: ExecutionIdentity) -> bool:
        """Whether exactly ``identity`` may run; what has not been shown as it is now is asked for first."""
        if identity.digest not in self._shown:
            self.ask((identity,))
        return identity.digest in self._allowed
