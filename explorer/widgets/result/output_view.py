"""What a tool returned: as a tree, as text, or as Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widgets import ContentSwitcher
from textual.worker import get_current_worker

from explorer.services.content_blocks import are_blocks, readable
from explorer.services.json_rows import dump_any, is_small, wrapped
from explorer.services.rendered import rendered_lines
from explorer.widgets.result.json_view import JsonView
from explorer.widgets.result.lines_view import LinesView

MOST_MARKDOWN = 200_000
MOST_AT_ONCE = 20_000
EMPTY_TEXT = '"" empty text'


class Look(StrEnum):
    """How an output is shown."""

    TREE = "tree"
    TEXT = "text"
    MARKDOWN = "Markdown"


class OutputView(Vertical):
    """Goes round the looks that the output has; a text has no tree."""

    DEFAULT_CSS = """
    OutputView { height: 1fr; }
    OutputView > ContentSwitcher { height: 1fr; }
    """

    @dataclass
    class Drawn(Message):
        """Markdown has been drawn."""

        strips: list[Strip]

    @dataclass
    class Wrapped(Message):
        """A long text has been wrapped."""

        lines: list[str]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.look = Look.TREE
        self._value: Any = None

    def compose(self) -> ComposeResult:
        """One view in sight."""
        with ContentSwitcher(initial="output-tree"):
            yield JsonView(id="output-tree")
            yield LinesView(id="output-text")

    @property
    def tree_view(self) -> JsonView:
        """The tree."""
        return self.query_one(JsonView)

    @property
    def text_view(self) -> LinesView:
        """The lines."""
        return self.query_one(LinesView)

    @property
    def view(self) -> JsonView | LinesView:
        """The view in sight."""
        return self.tree_view if self.look is Look.TREE else self.text_view

    def show(self, value: Any, *, folded: bool = False) -> None:
        """Show another output: a text and a server's blocks as text, anything else as a tree."""
        self._value = value
        self.tree_view.show(None if isinstance(value, str) else value, folded=folded)
        self._switch(Look.TEXT if isinstance(value, str) or are_blocks(value) else Look.TREE)

    def selected(self) -> str:
        """Return what copying means: the value at the cursor of the tree, else the whole text, raw."""
        return self.tree_view.selected() if self.look is Look.TREE else self._text()

    def next_look(self) -> None:
        """Go on to the next look."""
        looks = [Look.TEXT] if isinstance(self._value, str) else [Look.TREE, Look.TEXT]
        if self._is_quick() and len(self._text()) <= MOST_MARKDOWN:
            looks.append(Look.MARKDOWN)
        self._switch(looks[(looks.index(self.look) + 1) % len(looks)])

    def _is_quick(self) -> bool:
        """Whether the text is there at once."""
        return isinstance(self._value, str) or self.tree_view.selected_text is not None or is_small(self._value)

    def _text(self) -> str:
        """The text at the cursor of the tree, else the whole output."""
        if isinstance(self._value, str):
            return self._value
        if are_blocks(self._value):
            return "\n\n".join(map(readable, self._value))
        return self.tree_view.selected_text or dump_any(self._value)

    def _switch(self, look: Look) -> None:
        self.workers.cancel_group(self, "text")
        had_focus = self.view.has_focus
        self.look = look
        self.query_one(ContentSwitcher).current = "output-tree" if look is Look.TREE else "output-text"
        width = max(20, (self.size.width or 80) - 3)
        if look is Look.TEXT:
            self._show_text(width)
        elif look is Look.MARKDOWN:
            self.text_view.show(["Drawing…"])
            self._draw(self._text(), width, self.app.theme_variables)
        if had_focus:
            self.view.focus()

    def _show_text(self, width: int) -> None:
        """Show the text: a long one from its first lines on, the rest as soon as it is wrapped."""
        text = self._text() if self._is_quick() else None
        head = "" if text is None else text[:MOST_AT_ONCE]
        first = ["Drawing…"] if text is None else list(wrapped(head, width)) if text else []
        self.text_view.show(first, empty=EMPTY_TEXT)
        if text is None or len(head) < len(text):
            self._wrap(self._value if text is None else text, width)

    @work(thread=True, group="text", exclusive=True, exit_on_error=False, description="text")
    def _wrap(self, value: Any, width: int) -> None:
        lines = list(wrapped(value if isinstance(value, str) else dump_any(value), width))
        if not get_current_worker().is_cancelled:
            self.post_message(self.Wrapped(lines))

    def on_output_view_wrapped(self, event: Wrapped) -> None:
        """Show the whole text."""
        event.stop()
        if self.look is Look.TEXT:
            self.text_view.complete(event.lines)

    @work(thread=True, group="markdown", exclusive=True, exit_on_error=False, description="markdown")
    def _draw(self, text: str, width: int, colors: dict[str, str]) -> None:
        strips = rendered_lines(text, width, colors)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Drawn(strips))

    def on_output_view_drawn(self, event: Drawn) -> None:
        """Show what was drawn."""
        event.stop()
        if self.look is Look.MARKDOWN:
            self.text_view.show_strips(event.strips)
