"""Keys that do nothing where they are pressed: the application says why, or where they do something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.binding import Binding
from textual.dom import DOMNode
from textual.notifications import Notification

from core.text import display
from explorer.commands import Command
from explorer.holding import HoldingApp
from explorer.presenters.idle_key import commands_of, idle_key

STANDS_S = 4.0


class AnsweringApp(HoldingApp):
    """Has one line of an answer at most: the one to the last such key."""

    _answer: Notification | None = None

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        """Run what is bound to ``key``; where nothing is, answer."""
        done = await super()._check_bindings(key, priority)
        if done or not priority:
            self._take_back()
        if not done and not priority and (text := self._why_idle(key)):
            self._answer = Notification(display(text, 300), timeout=STANDS_S)
            self._notifications.add(self._answer)
            self._refresh_notifications()
        return done

    def _take_back(self) -> None:
        if self._answer is not None:
            self._unnotify(self._answer)
            self._answer = None

    def _why_idle(self, key: str) -> str:
        found = commands_of(key, self._keymap)
        here = list(self._bound_here())
        if not found or (self.screen.is_modal and not here):
            return ""  # not a dialog of ours
        return self.why_idle([c for name in here for c in found if c.id == name]) or idle_key(
            key, found, here, self._keymap, dialog=self.screen.is_modal
        )

    def why_idle(self, _near: Sequence[Command]) -> str:
        """Return what only the application knows of why the commands of the focused place cannot run now."""
        return ""

    def _bound_here(self) -> Iterator[str]:
        for node, _ in self.screen._modal_binding_chain:
            yield from ids_of(node)


def ids_of(node: DOMNode) -> Iterator[str]:
    """Yield the ids of the commands that the class of ``node`` binds."""
    for kind in type(node).__mro__:
        for binding in kind.__dict__.get("BINDINGS", ()):
            if isinstance(binding, Binding) and binding.id:
                yield binding.id
