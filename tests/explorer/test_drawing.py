"""What the boundary draws of widgets that come and go."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import DataTable, Input, OptionList, TextArea, Tree

from explorer.boundary import BoundaryApp

KINDS: dict[str, Callable[[], Widget]] = {
    "text area": lambda: TextArea("text"),
    "input": lambda: Input("text"),
    "list": lambda: OptionList("text"),
    "tree": lambda: Tree("text"),
    "table": DataTable,
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS.keys())
async def test_a_widget_that_was_removed_before_it_was_ever_drawn_is_blank(make: Callable[[], Widget]) -> None:
    app = BoundaryApp()
    async with app.run_test():
        widget = make()
        with app.batch_update():
            await app.mount(widget)
            await widget.remove()
            drawn = widget.render_lines(Region(0, 0, 7, 2))
        assert [strip.text for strip in drawn] == [" " * 7] * 2
