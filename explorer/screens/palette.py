"""What the command palette finds: actions that are possible now, skills and tools by name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from explorer.commands import BY_ID, Command
from explorer.messages import OpenSkill, OpenTool, Request
from explorer.presenters import marks
from explorer.presenters.keys import key_name
from explorer.screens.areas import Areas
from explorer.services.active_keys import possible_keys
from explorer.services.finder import Entry, words_of

MOST_HITS = 50


class Actions(Provider):
    """The rows of the command table that ask to be here and can run now."""

    async def discover(self) -> Hits:
        """Offer all of them before anything is typed."""
        for command, key in self._possible():
            yield DiscoveryHit(self._shown(command, key), partial(self._run, key), command.label, command.help)

    async def search(self, query: str) -> Hits:
        """Offer those that hold every word of ``query``."""
        words = words_of(query)
        for command, key in self._possible():
            text = f"{command.label} {command.help}".casefold()
            if all(word in text for word in words):
                score = 1.0 if command.label.casefold().startswith(words[0] if words else "") else 0.6
                yield Hit(score, self._shown(command, key), partial(self._run, key), command.label, command.help)

    def _possible(self) -> Iterator[tuple[Command, str]]:
        for name, keys in possible_keys(self.screen).items():
            if (command := BY_ID[name]).palette:
                yield command, keys[0]

    def _shown(self, command: Command, key: str) -> Content:
        return Content.assemble(command.label, "  ", (key_name(key), marks.MUTED))

    def _run(self, key: str) -> None:
        self.app.simulate_key(key)


class Names(Provider):
    """Skills and tools; never more than ``MOST_HITS``, and nothing a name costs before it is typed."""

    async def search(self, query: str) -> Hits:
        """Offer the names that hold every word of ``query``, shortest first."""
        if not isinstance(self.screen, Areas):
            return
        found, _total = self.screen.finder.find(query, 20 * MOST_HITS)
        found = sorted(found, key=lambda e: len(e.name))[:MOST_HITS]
        for rank, entry in enumerate(found):
            yield Hit(0.5 - rank / 200, _entry(entry), partial(self._open, entry), entry.name)

    def _open(self, entry: Entry) -> None:
        request: Request = OpenTool(entry.skill, entry.tool) if entry.tool else OpenSkill(entry.skill)
        self.screen.post_message(request)


def _entry(entry: Entry) -> Content:
    if entry.tool:
        return Content.assemble(
            marks.text(entry.tool), ("  tool of ", marks.MUTED), marks.text(entry.skill, marks.MUTED)
        )
    if entry.server:
        return Content.assemble(
            marks.text(entry.server), ("  server of ", marks.MUTED), marks.text(entry.skill, marks.MUTED)
        )
    return Content.assemble(marks.text(entry.skill), ("  skill", marks.MUTED))
