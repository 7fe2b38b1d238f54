"""A list drawn line by line: what nobody sees costs nothing, so a hundred thousand rows are as fast as ten."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style

from explorer.commands import Where, bindings
from explorer.presenters import marks
from explorer.presenters.layout import fit


class RowList(ScrollView, can_focus=True):
    """A list with one cursor. Subclasses say how many rows there are, how each looks, and what opening one does.

    The first cell of every row belongs to the mark of the cursor, which is seen without colours too.
    """

    BINDINGS = bindings(Where.LIST)
    COMPONENT_CLASSES = {"row-list--cursor", "row-list--cursor-blurred"}
    DEFAULT_CSS = """
    RowList { height: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    RowList > .row-list--cursor { background: $cursor; }
    RowList > .row-list--cursor-blurred { background: $cursor-blurred; }
    """
    shows_blurred_cursor = True
    cursor: reactive[int] = reactive(0, repaint=False)

    def row_count(self) -> int:
        """Return the number of rows."""
        raise NotImplementedError

    def row(self, index: int, width: int) -> Content:
        """Return the row at ``index`` for a list of ``width`` cells; its first cell is blank."""
        raise NotImplementedError

    def selectable(self, index: int) -> bool:
        """Whether the cursor may stand on the row."""
        return True

    def highlighted(self) -> None:
        """Hear that the cursor has moved to another row."""

    def chosen(self) -> None:
        """Hear that the row at the cursor was opened, with enter or a double click."""

    def can_open(self) -> bool:
        """Whether opening the row at the cursor does anything; the key is offered only then."""
        return self.selectable(self.cursor)

    def can_move(self) -> bool:
        """Whether there is anywhere to go; the keys that move are offered only then."""
        return self.row_count() > 1

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to open only what opens, and to move only where there is a way."""
        if action == "list_open":
            return self.can_open()
        if action.startswith("list_"):
            return self.can_move()
        return super().check_action(action, parameters)

    def clicked(self, index: int, x: int) -> bool:
        """Hear of a click on a row at cell ``x``; True when that was all it meant."""
        return False

    def tell(self, message: Message) -> None:
        """Post ``message`` as this list's own, also while another widget's handler is calling it.

        Textual takes the widget whose handler runs for the sender, and ends a message's way up there.
        """
        self.post_message(message.set_sender(self))

    def rows_changed(self) -> None:
        """Take note that rows have come, gone or changed; the cursor stays where it is, as far as that exists."""
        self.virtual_size = Size(self.size.width, self.row_count())
        self.cursor = self.validate_cursor(self.cursor)
        self.refresh()

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor on a row that is there."""
        return max(0, min(cursor, self.row_count() - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Show the cursor and tell the subclass."""
        if old != new:
            self.refresh()
            self.scroll_to_cursor()
            self.highlighted()
            self.refresh_bindings()

    def scroll_to_cursor(self) -> None:
        """Scroll just as far as needed to show the cursor's row."""
        height = self.scrollable_content_region.height
        top = self.scroll_offset.y
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False)
        elif height and self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        index = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        base = self.visual_style
        if not 0 <= index < self.row_count():
            return Strip.blank(width, base.rich_style)
        content = fit(self.row(index, width), width)
        return to_strip(self.mark(index) + content[1:], self.row_style(index, base), width)

    def _has_cursor(self, index: int) -> bool:
        shown = self.has_focus or self.shows_blurred_cursor
        return shown and index == self.cursor and self.selectable(index)

    def mark(self, index: int) -> Content:
        """Return the first cell of a row: at the cursor a bar, a thin one while something else has the focus."""
        if not self._has_cursor(index):
            return Content(" ")
        return Content.styled(marks.CURSOR if self.has_focus else marks.CURSOR_BLURRED, marks.ACCENT)

    def row_style(self, index: int, base: Style) -> Style:
        """Return the style under a row: the cursor's is bright only while the list has the focus."""
        if not self._has_cursor(index):
            return base
        name = "row-list--cursor" if self.has_focus else "row-list--cursor-blurred"
        return self.get_visual_style(name)

    def on_focus(self) -> None:
        """Brighten the cursor."""
        self.refresh()

    def on_blur(self) -> None:
        """Dim the cursor."""
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in sight when the list gets smaller."""
        self.virtual_size = Size(event.size.width, self.row_count())
        self.scroll_to_cursor()

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked row; a double click opens it."""
        index = int(event.y) + self.scroll_offset.y
        if not 0 <= index < self.row_count() or self.clicked(index, int(event.x)):
            return
        if self.selectable(index):
            self.cursor = index
            if event.chain == 2:
                self.chosen()

    def move(self, step: int) -> None:
        """Move the cursor by ``step`` rows, on to the next row that may have it; scroll where there is none near."""
        target = self._selectable_near(self.cursor + step, 1 if step > 0 else -1)
        if target is None or target == self.cursor or (abs(step) == 1 and self._far(target)):
            self.scroll_relative(y=step, animate=False)
        else:
            self.cursor = target

    def _selectable_near(self, at: int, direction: int) -> int | None:
        at = max(0, min(at, self.row_count() - 1))
        ahead = range(at, self.row_count()) if direction > 0 else range(at, -1, -1)
        behind = range(at, -1, -1) if direction > 0 else range(at, self.row_count())
        return next((i for rows in (ahead, behind) for i in rows if self.selectable(i)), None)

    def _far(self, target: int) -> bool:
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        return not top - 2 <= target <= top + height + 1

    def action_list_up(self) -> None:
        """Move one row up."""
        self.move(-1)

    def action_list_down(self) -> None:
        """Move one row down."""
        self.move(1)

    def action_list_page_up(self) -> None:
        """Move one page up."""
        self.move(-max(1, self.scrollable_content_region.height - 1))

    def action_list_page_down(self) -> None:
        """Move one page down."""
        self.move(max(1, self.scrollable_content_region.height - 1))

    def action_list_first(self) -> None:
        """Move to the first row."""
        self.scroll_home(animate=False)
        self.move(-self.row_count())

    def action_list_last(self) -> None:
        """Move to the last row."""
        self.scroll_end(animate=False)
        self.move(self.row_count())

    def action_list_open(self) -> None:
        """Open the row at the cursor."""
        if self.row_count():
            self.chosen()


def to_strip(content: Content, style: Style, width: int) -> Strip:
    """Return one line of safe content on ``style``, filled to ``width`` cells."""
    strip = Strip(content.render_segments(style), content.cell_length)
    return strip.adjust_cell_length(width, style.rich_style)
