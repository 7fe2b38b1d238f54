"""Typing in a field of given values goes to the value that starts with what is typed."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.widget import Widget


class Jumping(Widget):
    """Takes letters and digits for itself, as a text field does; keys that the user gave to the field come first.

    Letters that follow each other within ``PAUSE_S`` seconds are one beginning; where no value starts with it, the
    last letter begins anew, so that one letter again and again goes through all that start with it.
    """

    HELP = "Type the first letters of a value to go to it; the arrow keys go from value to value."
    OWN_KEYS_FIRST = True
    PAUSE_S = 1.0

    def __init__(self) -> None:
        super().__init__()
        self._typed = ""
        self._typed_at = 0.0
        self._beginnings: tuple[object, list[str], frozenset[str]] = (None, [], frozenset())

    @property
    def values(self) -> Sequence[object]:
        """What can be gone to; another object once the values are others."""
        raise NotImplementedError

    def label(self, index: int) -> str:
        """Return the words of one value."""
        raise NotImplementedError

    @property
    def here(self) -> int:
        """The index of the value that one goes on from."""
        raise NotImplementedError

    def jump(self, index: int) -> None:
        """Go to a value."""
        raise NotImplementedError

    def _known(self) -> tuple[list[str], frozenset[str]]:
        """The values as they are looked for, and what they start with; a hundred thousand are gone through once."""
        values = self.values
        if self._beginnings[0] is not values:
            labels = [self.label(at).casefold() for at in range(len(values))]
            self._beginnings = values, labels, frozenset(label[:1] for label in labels)
        return self._beginnings[1:]

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Whether a key is typed rather than a command."""
        return bool(character and not character.isspace() and self._takes(character))

    def _takes(self, character: str) -> bool:
        return character.isalnum() or character.casefold() in self._known()[1]

    def on_key(self, event: events.Key) -> None:
        """Go to the value that is meant, and let no command run by a letter."""
        typed, self._typed = self._typed, ""
        bound = self.screen.active_bindings.get(event.key)
        character = event.character
        if not character or not character.isprintable() or (bound is not None and bound.node is self):
            return
        if event.time - self._typed_at > self.PAUSE_S:
            typed = ""
        found, beginning = self._found(typed, character.casefold())
        if found is None and not self.check_consume_key(event.key, character):
            return
        event.stop()
        event.prevent_default()
        self._typed, self._typed_at = beginning, event.time
        if found is not None and found != self.here:
            self.jump(found)

    def _found(self, typed: str, character: str) -> tuple[int | None, str]:
        """Return which value is meant, and with which beginning."""
        labels = self._known()[0]
        following = (character, self.here + 1)
        for beginning, start in ((typed + character, self.here), following) if typed else (following,):
            order = ((start + step) % len(labels) for step in range(len(labels)))
            found = next((at for at in order if labels[at].startswith(beginning)), None)
            if found is not None:
                return found, beginning
        return None, ""
