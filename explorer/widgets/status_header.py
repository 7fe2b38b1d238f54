"""The line at the top of the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from explorer.presenters.header import header_line

if TYPE_CHECKING:
    from core.workspace import Counts


class StatusHeader(Widget):
    """Shows the workspace's name and counts, or what is being loaded."""

    DEFAULT_CSS = "StatusHeader { height: 1; width: 1fr; background: $panel; }"

    def __init__(self, name: str) -> None:
        super().__init__()
        self._workspace = name
        self._counts: Counts | None = None
        self._progress: Content | None = None
        self._standing: Content | None = None
        self._watched = ""
        self._unreadable = self._agent_skills = 0

    def show(
        self, counts: Counts | None, standing: Content | None = None, unreadable: int = 0, agent_skills: int = 0
    ) -> None:
        """Show ``counts``, ``agent_skills`` and how many files are ``unreadable``, or ``standing`` in their place."""
        self._unreadable, self._agent_skills = unreadable, agent_skills
        self._counts, self._standing, self._progress = counts, standing, None
        self.refresh()

    def show_progress(self, progress: Content | None) -> None:
        """Show what is going on, or again what stood there before."""
        self._progress = progress
        self.refresh()

    @property
    def watched(self) -> bool:
        """Whether it is known how the files are watched."""
        return bool(self._watched)

    def show_watched(self, state: str) -> None:
        """Show how the files are watched."""
        self._watched = state
        self.refresh()

    def render(self) -> Content:
        """Return the line."""
        return header_line(
            self._workspace,
            self._counts,
            self._progress or self._standing,
            self._watched,
            self.size.width,
            self._unreadable,
            self._agent_skills,
        )
