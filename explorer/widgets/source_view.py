"""Source: a file of the workspace with its line numbers, and what was found, at the lines where it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events, work
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.worker import get_current_worker

from explorer.commands import Where, bindings
from explorer.presenters import marks
from explorer.presenters.layout import fit
from explorer.presenters.source import SourceRow, gutter, gutter_width, source_rows
from explorer.services.rendered import body_of, rendered_lines
from explorer.services.source_text import FileText, file_text, highlighted
from explorer.widgets.row_list import RowList, to_strip

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic

SHIFT = 8
Reader = Callable[[str], str]


class SourceView(RowList):
    """Reads in a thread, shows the plain lines at once and the highlighted ones when they are ready."""

    HELP = "The file as it is, each problem below its line."
    BINDINGS = bindings(Where.SOURCE)

    @dataclass
    class Read(Message):
        """A file has been read, or could not be: then ``problem`` says why."""

        path: str
        file: FileText | None
        problem: str = ""

    @dataclass
    class Coloured(Message):
        """The lines of a file in colour are ready."""

        file: FileText
        lines: list[Content]

    @dataclass
    class Rendered(Message):
        """A SKILL.md has been drawn as it reads."""

        file: FileText
        strips: list[Strip]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.path: str | None = None
        self._file: FileText | None = None
        self._lines: list[Content] | None = None
        self._strips: list[Strip] | None = None
        self._rows: list[SourceRow] = []
        self._findings: Sequence[Diagnostic] = ()
        self._worst: dict[int, str] = {}
        self._wanted_line: int | None = None
        self._shift = 0
        self._says = Content.styled(" Select something to see its file.", marks.MUTED)

    @property
    def line(self) -> int:
        """The line of the file at the cursor, from 1."""
        if self._rows and self._strips is None and self.cursor < len(self._rows):
            return self._rows[self.cursor].line
        return 1

    @property
    def line_text(self) -> str:
        """The text of that line, as the file has it."""
        return self._file.raw[self.line - 1] if self._file and self._file.raw else ""

    def show_file(self, path: str, read: Reader, findings: Sequence[Diagnostic], line: int | None) -> None:
        """Show a file; ``line`` puts the cursor there, None leaves it where it is when the file is the same."""
        if path != self.path:
            self._file, self._lines, self._strips, self._rows, self._shift = None, None, None, [], 0
            self._says = Content.styled(" Reading…", marks.MUTED)
            line = line or 1
        elif line is not None:
            self._strips = None
        self.path, self._findings, self._wanted_line = path, findings, line
        self._worst = {}
        for found in findings:
            self._worst.setdefault(found.place.line, str(found.severity))
        self._read(path, read)
        self._remake()

    @work(thread=True, exclusive=True, group="source", exit_on_error=False, description="source")
    def _read(self, path: str, read: Reader) -> None:
        from core.language.reading import Unreadable

        worker = get_current_worker()
        try:
            file = file_text(path, read(path))
        except (OSError, ValueError, Unreadable) as error:
            self.post_message(self.Read(path, None, str(error)))
            return
        if worker.is_cancelled:
            return
        self.post_message(self.Read(path, file))
        lines = highlighted(file)
        if lines and not worker.is_cancelled:
            self.post_message(self.Coloured(file, lines))

    def on_source_view_read(self, message: Read) -> None:
        """Show the plain lines, or say why there are none."""
        if message.path != self.path:
            return
        if message.file is None:
            self._file, self._rows = None, []
            self._says = Content.assemble(
                (" ✗ ", "$error"), marks.text(f"cannot show {message.path}: {message.problem}")
            )
        elif self._file is None or message.file.raw != self._file.raw:
            self._file, self._lines = message.file, None
        self._remake()

    def on_source_view_coloured(self, message: Coloured) -> None:
        """Show the lines in colour."""
        if self._file and message.file.raw == self._file.raw:
            self._lines = message.lines
            self._remake()

    def on_source_view_rendered(self, message: Rendered) -> None:
        """Show the rendered text."""
        if message.file is self._file:
            self._strips = message.strips
            self.set_reactive(SourceView.cursor, 0)
            self.scroll_home(animate=False)
            self.rows_changed()
            self.refresh_bindings()

    def _remake(self) -> None:
        if self._file:
            width = self.scrollable_content_region.width - gutter_width(self._file) - 1
            self._rows = source_rows(self._file, self._lines, self._findings, width)
        if self._file and self._wanted_line is not None:
            wanted, self._wanted_line = self._wanted_line, None
            at = next((i for i, row in enumerate(self._rows) if row.line >= wanted), len(self._rows) - 1)
            self.set_reactive(SourceView.cursor, max(0, at))
            self.virtual_size = self.virtual_size.with_height(self.row_count())
            self.scroll_to(y=max(0, at - self.size.height // 3), animate=False)
        self.rows_changed()
        self.refresh_bindings()

    def row_count(self) -> int:
        """Return the number of rows."""
        return len(self._strips) if self._strips is not None else (len(self._rows) or 1)

    def selectable(self, index: int) -> bool:
        """Lines of the file take the cursor, findings below them don't."""
        if self._strips is not None:
            return True
        return index < len(self._rows) and not self._rows[index].is_finding

    def row(self, index: int, width: int) -> Content:
        """Return a row with its gutter."""
        if not self._rows or self._file is None:
            return self._says
        row = self._rows[index]
        size = gutter_width(self._file)
        content = row.content if row.is_finding else row.content[self._shift :]
        return Content.assemble(gutter(row, size, self._worst.get(row.line)), fit(content, width - size))

    def render_line(self, y: int) -> Strip:
        """Draw one line, from the rendered text while that is shown."""
        if self._strips is None:
            return super().render_line(y)
        width, base = self.scrollable_content_region.width, self.visual_style
        index = self.scroll_offset.y + y
        strip = self._strips[index] if index < len(self._strips) else Strip([])
        style = self.row_style(index, base).rich_style
        line = Strip([*to_strip(self.mark(index), base, 1), *strip]).apply_style(style)
        return line.adjust_cell_length(width, style)

    def on_resize(self, event: events.Resize) -> None:
        """Wrap findings for the new width; draw Markdown anew."""
        self._remake()
        if self._strips is not None:
            self._start_drawing()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a SKILL.md has two views."""
        if action == "source_view":
            return bool(self._file and self._file.is_skill_md)
        if action == "source_left":
            return self._shift > 0
        return super().check_action(action, parameters)

    def can_open(self) -> bool:
        """Lines of text lead nowhere."""
        return False

    def action_source_view(self) -> None:
        """Show a SKILL.md as text or as it reads."""
        if self._strips is None:
            self._start_drawing()
        else:
            self._strips = None
            self._wanted_line = 1
            self._remake()

    def _start_drawing(self) -> None:
        if self._file:
            self._draw(self._file, self.scrollable_content_region.width - 2, self.app.theme_variables)

    @work(thread=True, exclusive=True, group="render", exit_on_error=False, description="render")
    def _draw(self, file: FileText, width: int, colors: dict[str, str]) -> None:
        strips = rendered_lines(body_of(file.raw), max(20, width), colors)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Rendered(file, strips))

    def action_source_left(self) -> None:
        """Scroll to the left."""
        self._move_shift(max(0, self._shift - SHIFT))

    def action_source_right(self) -> None:
        """Scroll to the right, as far as there is text."""
        in_sight = self._rows[self.scroll_offset.y :][: self.size.height]
        longest = max((row.content.cell_length for row in in_sight), default=0)
        self._move_shift(min(self._shift + SHIFT, max(0, longest - SHIFT)))

    def _move_shift(self, shift: int) -> None:
        self._shift = shift
        self.refresh()
        self.refresh_bindings()
