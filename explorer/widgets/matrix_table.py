"""The rows of the tools matrix with a cell cursor, and the titles above them."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from core.model import ToolRecord
from explorer.presenters import marks
from explorer.presenters.layout import fit, wrap
from explorer.presenters.matrix import column_widths, heading, row, shown_columns
from explorer.services.matrix import COLUMNS, Column, Matrix
from explorer.widgets.row_list import RowList


class MatrixTitles(Widget):
    """The column titles; a click sorts."""

    DEFAULT_CSS = "MatrixTitles { height: 1; width: 1fr; }"

    def __init__(self, table: MatrixTable) -> None:
        super().__init__()
        self._table = table

    def render(self) -> Content:
        """Return the titles in the columns of the table."""
        table = self._table
        matrix = table.matrix
        widths = table.widths()
        titles = heading(widths, table.first, sort_by=matrix.sort_by, reverse=matrix.reverse, at=table.column)
        return fit(titles, self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Sort by the clicked column."""
        if (found := self._table.column_at(int(event.x))) is not None:
            self._table.sort_by(found)


class MatrixTable(RowList):
    """Rows of tools; up and down choose the tool, left and right the flag."""

    column: reactive[int] = reactive(0, repaint=False)
    first: reactive[int] = reactive(1, repaint=False)

    @dataclass
    class Moved(Message):
        """Another cell is selected; None when there is no row."""

        record: ToolRecord | None
        column: Column

    @dataclass
    class Opened(Message):
        """The row was opened."""

        record: ToolRecord

    class Changed(Message):
        """Order or titles have changed."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.matrix = Matrix(())
        self.says = ""

    def show(self, matrix: Matrix, tool: str | None) -> None:
        """Show other rows; the cursor goes to ``tool``, else stays on the tool it was on."""
        wanted = tool or (self.record.name if self.record else None)
        self.matrix = matrix
        self._rows_changed(wanted)

    def filter(self, query: str) -> None:
        """Show the rows that ``query`` leaves; the cursor stays on its tool where that is among them."""
        wanted = self.record.name if self.record else None
        self.matrix.query = query
        self.matrix.refresh()
        self._rows_changed(wanted)

    def _rows_changed(self, wanted: str | None) -> None:
        self.rows_changed()
        found = self.matrix.find(wanted) if wanted else None
        if found is not None:
            self.cursor = found
        self.moved()

    @property
    def record(self) -> ToolRecord | None:
        """The tool at the cursor."""
        visible = self.matrix.visible
        return self.matrix.records[visible[self.cursor]] if self.cursor < len(visible) else None

    def widths(self) -> list[int]:
        """Return the widths of all columns for the present size."""
        return column_widths(self.scrollable_content_region.width - 1, *self.matrix.longest)

    def row_count(self) -> int:
        """Return the number of rows in sight; one says why there are none."""
        return len(self.matrix.visible) or len(self._says())

    def _says(self) -> list[Content]:
        text = marks.text(self.says, marks.MUTED) if self.says else None
        return wrap(text, self.scrollable_content_region.width - 2) if text else []

    def selectable(self, index: int) -> bool:
        """Nothing can be selected where there is nothing."""
        return bool(self.matrix.visible)

    def row(self, index: int, width: int) -> Content:
        """Return a row."""
        if not self.matrix.visible:
            return Content(" ") + self._says()[index]
        record = self.matrix.records[self.matrix.visible[index]]
        return row(record, self.widths(), self.first, self.column if index == self.cursor else None)

    def can_open(self) -> bool:
        """Only a tool can be opened."""
        return self.record is not None

    def highlighted(self) -> None:
        """Tell of another cell."""
        self.moved()

    def moved(self) -> None:
        """Tell which cell is selected now."""
        self.tell(self.Moved(self.record, COLUMNS[self.column]))

    def chosen(self) -> None:
        """Tell that the row was opened."""
        if self.record is not None:
            self.post_message(self.Opened(self.record))

    def clicked(self, index: int, x: int) -> bool:
        """Select the clicked cell."""
        if (column := self.column_at(x)) is not None:
            self.column = column
        return False

    def column_at(self, x: int) -> int | None:
        """Return the column drawn at cell ``x``."""
        at, widths = 1, self.widths()
        for index in shown_columns(self.first):
            at += widths[index]
            if x < at:
                return index
        return None

    def watch_column(self, old: int, new: int) -> None:
        """Bring the column into sight and tell."""
        if old != new:
            self._bring_into_sight()
            self.refresh()
            self.moved()
            self.post_message(self.Changed())

    def _bring_into_sight(self) -> None:
        widths, room = self.widths(), self.scrollable_content_region.width
        self.first = min(self.first, max(1, self.column))
        while self.first < self.column and 1 + widths[0] + sum(widths[self.first : self.column + 1]) > room:
            self.first += 1

    def on_resize(self, event: events.Resize) -> None:
        """Keep the selected column in sight."""
        super().on_resize(event)
        self.first = 1
        self._bring_into_sight()
        self.post_message(self.Changed())

    def sort_by(self, column: int) -> None:
        """Sort by a column; the cursor stays on its tool."""
        record = self.record
        self.matrix.sort(COLUMNS[column].key)
        self.post_message(self.Changed())
        self.refresh()
        if record is not None and (found := self.matrix.find(record.name)) is not None:
            self.cursor = found

    def move_column(self, step: int) -> None:
        """Select the cell ``step`` columns to the right."""
        self.column = max(0, min(len(COLUMNS) - 1, self.column + step))
