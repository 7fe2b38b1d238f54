"""A JSON value as a tree with a cursor."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from explorer.presenters.json_line import json_line
from explorer.services.json_rows import JsonTree, Path
from explorer.widgets.row_list import RowList


class JsonView(RowList):
    """Right unfolds, left folds or goes to the value that holds this one, enter does either."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.tree_of: JsonTree = JsonTree(None)
        self._hits: list[Path] = []
        self._hit = -1

    def show(self, value: Any, *, folded: bool = False) -> None:
        """Show another value."""
        self.tree_of = JsonTree(value, self.scrollable_content_region.width or 80, folded=folded)
        self._hits, self._hit = [], -1
        self.set_reactive(JsonView.cursor, 0)
        self.scroll_home(animate=False)
        self.rows_changed()

    def row_count(self) -> int:
        """Return the number of lines in sight."""
        return len(self.tree_of.lines)

    def row(self, index: int, width: int) -> Content:
        """Return a line."""
        return Content.assemble(" ", json_line(self.tree_of.lines[index], width - 2))

    def chosen(self) -> None:
        """Fold, unfold, or show more."""
        line = self.tree_of.lines[self.cursor]
        if line.rest:
            self.tree_of.more(self.cursor)
        elif line.open:
            self.tree_of.fold(self.cursor)
        else:
            self.tree_of.unfold(self.cursor)
        self.rows_changed()

    def unfold(self) -> None:
        """Unfold the value, or go into it."""
        line = self.tree_of.lines[self.cursor]
        if line.open:
            self.move(1)
        elif line.foldable or line.rest:
            self.chosen()

    def fold(self) -> None:
        """Fold the value, or go to the one that holds it."""
        if self.tree_of.lines[self.cursor].open:
            self.chosen()
        else:
            self.cursor = self.tree_of.parent(self.cursor)

    def selected(self) -> str:
        """Return the raw value at the cursor."""
        return self.tree_of.raw(self.cursor)

    @property
    def selected_text(self) -> str | None:
        """The text at the cursor; None when the value is none."""
        value = self.tree_of.lines[self.cursor].value
        return value if isinstance(value, str) else None

    def find(self, text: str) -> int:
        """Look for ``text`` in names and values; return the number of hits and go to the first."""
        self._hits = self.tree_of.find(text) if text else []
        self._hit = -1
        self.step(1)
        return len(self._hits)

    def step(self, step: int) -> int:
        """Go to the next or previous hit; return its number from 1, 0 when there is none."""
        if not self._hits:
            return 0
        self._hit = (self._hit + step) % len(self._hits)
        at = self.tree_of.reveal(self._hits[self._hit])
        self.rows_changed()
        self.cursor = at
        return self._hit + 1
