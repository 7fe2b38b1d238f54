"""A button of a dialog, in brackets while it has the focus: which one answers is seen without colours too."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Button

_BRACKETS = 2


class AnswerButton(Button):
    """Has room for the brackets at all times, so that nothing moves when the focus does.

    The space bar answers here too, as it does where enter must not.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "press", "Answer", show=False)]

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the cells of label and brackets."""
        return super().get_content_width(container, viewport) + _BRACKETS

    def render(self) -> Content:
        """Return the label between brackets, or between blanks."""
        left, right = "[]" if self.has_focus else "  "
        label = self.label
        return Content.assemble(left, label if isinstance(label, Content) else str(label), right)

    def on_focus(self) -> None:
        """Draw the brackets."""
        self.refresh()

    def on_blur(self) -> None:
        """Take them away."""
        self.refresh()
