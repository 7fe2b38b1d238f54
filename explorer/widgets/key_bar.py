"""The line of keys at the bottom: what works at the focused place, after the user's own remapping."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from explorer.commands import BY_ID
from explorer.presenters.keys import KeyHint, key_bar
from explorer.services.active_keys import possible_keys

_LATE = ("matrix.only", "matrix.place", "matrix.copy-csv")
"""What stands behind ``_ANYWHERE``, and so gives way to it on a narrow terminal."""
_ANYWHERE = "show-why"
_LAST = ("back", "help", "quit")


class KeyBar(Widget):
    """Shows the keys of ``screen.active_bindings`` whose command asks to be shown; a click runs one."""

    DEFAULT_CSS = "KeyBar { height: 1; width: 1fr; background: $panel; }"
    _places: list[tuple[int, int, KeyHint]] = []

    def on_mount(self) -> None:
        """Follow what the focused place allows."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, _screen: Screen[object]) -> None:
        self.refresh()

    def hints(self) -> list[KeyHint]:
        """Return what to show, the focused place's own keys first, but for a few; help and quit last.

        Where letters are typed, the way back is shown too: no letter leads away from there.
        """
        found: dict[str, KeyHint] = {}
        focused = self.screen.focused
        typing = focused is not None and focused.check_consume_key("q", "q")
        for name, keys in possible_keys(self.screen).items():
            if (command := BY_ID[name]).show or (typing and name == "back"):
                found[name] = KeyHint(keys[0], command.label, command.action, name in _LAST)
        late, last = ([found.pop(name) for name in names if name in found] for names in (_LATE, _LAST))
        at = list(found).index(_ANYWHERE) + 1 if _ANYWHERE in found else len(found)
        first = list(found.values())
        return [*first[:at], *late, *first[at:], *last]

    def render(self) -> Content:
        """Return the line."""
        content, self._places = key_bar(self.hints(), self.size.width)
        return content

    async def on_click(self, event: events.Click) -> None:
        """Run the clicked command, where the focus is."""
        for start, end, hint in self._places:
            if start <= event.x < end:
                self.app.simulate_key(hint.key)
