"""Keys typed ahead: while what was asked for is being made, they wait for it instead of meaning something else."""

from __future__ import annotations

from collections import deque

from textual import events

from explorer.boundary import BoundaryApp

LOOK_S = 0.02
MOST_KEYS = 1_000


class HoldingApp(BoundaryApp):
    """Holds keys back while ``holds_keys``, then hears them in the order they were typed."""

    _replaying = False

    def __init__(self) -> None:
        super().__init__()
        self._on_their_way: deque[events.Key] = deque(maxlen=MOST_KEYS)
        self._typed: deque[events.Key] = deque(maxlen=MOST_KEYS)

    @property
    def holds_keys(self) -> bool:
        """Whether something is being made that the next keys are meant for."""
        return False

    async def on_event(self, event: events.Event) -> None:
        """Hold back a key; one that works everywhere works now, too."""
        if isinstance(event, events.Key) and not event.is_forwarded and self._holding:
            if not await self._check_bindings(event.key, priority=True):
                self._hold(self._typed, event)
            return
        await super().on_event(event)

    async def _on_key(self, event: events.Key) -> None:
        """Hold back a key that nothing focused took, and that was typed before the wait began."""
        if self._holding and not self._replaying:
            self._hold(self._on_their_way, event)
            event.prevent_default()

    @property
    def _holding(self) -> bool:
        return bool(self._on_their_way or self._typed or self._replaying) or (not self._exit and self.holds_keys)

    def _hold(self, line: deque[events.Key], event: events.Key) -> None:
        if not (self._on_their_way or self._typed or self._replaying):
            self.set_timer(LOOK_S, self._look)
        line.append(event)

    async def _look(self) -> None:
        if self.holds_keys:
            self.set_timer(LOOK_S, self._look)
            return
        self._replaying = True
        try:
            while self.screen_stack and not self._exit and (line := self._on_their_way or self._typed):
                event = line.popleft()
                await super().on_event(events.Key(event.key, event.character))
        finally:
            self._replaying = False
