"""A list of few fixed values as boxes to tick."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive

from explorer.commands import Where, bindings
from explorer.presenters import marks
from explorer.services.form_model import FormModel
from explorer.services.forms.leaves import same
from explorer.services.forms.rows import Row
from explorer.services.forms.spec import Choice
from explorer.services.forms.words import brief
from explorer.widgets.form.change import FormChange
from explorer.widgets.form.jumping import Jumping

_GAP = 2


class ChecksField(Jumping, can_focus=True):
    """Left, right and first letters go from box to box, space ticks."""

    BINDINGS = [*bindings(Where.BOXES)]
    DEFAULT_CSS = "ChecksField { height: auto; width: 1fr; }"
    cursor: reactive[int] = reactive(0)

    def __init__(self) -> None:
        super().__init__()
        self.row: Row | None = None

    def show(self, row: Row) -> None:
        """Show another state of the row."""
        self.row = row
        self.refresh(layout=True)

    def render(self) -> Content:
        """Return the boxes, as many to a line as fit."""
        lines = [Content(" " * _GAP).join([box for _, _, box in line]) for line in self._lines(self.size.width)]
        return Content("\n").join(lines)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the boxes need."""
        return len(self._lines(width)) or 1

    def _lines(self, width: int) -> list[list[tuple[int, int, Content]]]:
        """Return lines of (cell, choice, box)."""
        lines: list[list[tuple[int, int, Content]]] = [[]]
        x = 0
        for at in range(len(self.row.spec.choices) if self.row else 0):
            box = self._box(at)
            if x and x + box.cell_length > width:
                lines.append([])
                x = 0
            lines[-1].append((x, at, box))
            x += box.cell_length + _GAP
        return lines

    def _box(self, at: int) -> Content:
        assert self.row is not None
        choice = self.row.spec.choices[at]
        ticked = any(same(choice.value, value) for value in ticked_of(self.row))
        here = self.has_focus and at == self.cursor
        style = "bold $accent" if here else "bold" if ticked else marks.MUTED
        return Content.assemble(("[x] " if ticked else "[ ] ", style), marks.text(self.label(at), style, 40))

    @property
    def values(self) -> tuple[Choice, ...]:
        """The choices."""
        return self.row.spec.choices if self.row else ()

    def label(self, index: int) -> str:
        """Return the words at a box."""
        choice = self.values[index]
        return choice.title or (choice.value if isinstance(choice.value, str) else brief(choice.value))

    @property
    def here(self) -> int:
        """The box that space ticks."""
        return self.cursor

    def jump(self, index: int) -> None:
        """Go to a box."""
        self.cursor = index

    def _move(self, step: int) -> None:
        if self.row and self.row.spec.choices:
            self.cursor = (self.cursor + step) % len(self.row.spec.choices)

    def _tick(self) -> None:
        row = self.row
        if row is None:
            return
        value = toggled(row, self.cursor)

        def apply(model: FormModel) -> None:
            model.put(row.path, value)

        self.post_message(FormChange(apply))

    def action_boxes_left(self) -> None:
        """Go to the box before."""
        self._move(-1)

    def action_boxes_right(self) -> None:
        """Go to the next box."""
        self._move(1)

    def action_boxes_tick(self) -> None:
        """Tick the box, or clear it."""
        self._tick()

    def on_click(self, event: events.Click) -> None:
        """Tick the clicked box."""
        self.focus()
        line = self._lines(self.size.width)[int(event.y)] if event.y < len(self._lines(self.size.width)) else []
        for x, at, box in line:
            if x <= event.x < x + box.cell_length:
                self.cursor = at
                self._tick()

    def on_focus(self) -> None:
        """Brighten."""
        self.refresh()

    def on_blur(self) -> None:
        """Dim."""
        self.refresh()


def ticked_of(row: Row) -> list[Any]:
    """Return the values that are in the list."""
    return row.value if isinstance(row.value, list) else []


def toggled(row: Row, at: int) -> list[Any]:
    """Return the list with one choice put in or taken out, in the order of the choices; what is none of them stays."""
    wanted = row.spec.choices[at].value
    had = ticked_of(row)
    others = [v for v in had if not any(same(v, choice.value) for choice in row.spec.choices)]
    chosen = [
        choice.value
        for choice in row.spec.choices
        if any(same(choice.value, v) for v in had) is not same(choice.value, wanted)
    ]
    return chosen + others
