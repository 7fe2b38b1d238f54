"""Tools: a skill's flattened set as a matrix, a filter above it, and beside it why the selected cell is what it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static
from textual.worker import get_current_worker

from core.text import plural
from explorer.commands import Where, bindings
from explorer.messages import Notify, OpenPlace, ToolHighlighted, TryTool
from explorer.presenters import marks
from explorer.presenters.matrix import cell_page
from explorer.services.actor_tools import actor_tools
from explorer.services.flat import errors_of, flat_of, why_of
from explorer.services.matrix import COLUMNS, Column, Matrix, as_csv, as_markdown, cell, provenance_of
from explorer.widgets.filter_input import FilterInput
from explorer.widgets.hint import key_of, with_keys
from explorer.widgets.matrix_table import MatrixTable, MatrixTitles
from explorer.widgets.overview import Overview

if TYPE_CHECKING:
    from core.model import ToolRecord
    from core.resolve.views import WhyTool
    from core.workspace import Workspace


PLACEHOLDERS = {
    True: "filter: words, writes:yes, source:mcp, approval:*",
    False: "filter: words, writes:yes",
}
FILTERS = (
    "Filters the rows of Tools by words of a tool, and by columns: writes:yes, source:mcp, approval:no. An * after the "
    "colon keeps what an override has changed."
)
_ROOMY = 110
NO_MATCH = "No tool matches; {filter.clear} shows them all."
NO_TOOLS = "This skill has no tools. Its file lists them under tools, builtin_groups, mcp_servers or includes."
NO_TOOLS_OF_ACTOR = "The skills of this actor give it no tool."
NO_SKILL = "Choose a skill to see its tools."


class ToolsMatrix(Vertical):
    """A row a tool, a column a flag; the page below or beside it follows the selected cell."""

    HELP = "A row a tool, a column a flag. Below the rows: why the selected cell is what it is."
    BINDINGS = [*bindings(Where.MATRIX)]
    DEFAULT_CSS = """
    ToolsMatrix > #matrix-head { height: 1; layout: horizontal; }
    ToolsMatrix #matrix-filter { width: 1fr; }
    ToolsMatrix #matrix-count { width: auto; max-width: 60%; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    ToolsMatrix.-empty > #matrix-head, ToolsMatrix.-empty MatrixTitles { display: none; }
    ToolsMatrix #matrix-body { height: 1fr; layout: vertical; }
    ToolsMatrix #matrix-rows { height: auto; max-height: 65%; }
    ToolsMatrix #matrix-table { height: auto; max-height: 100%; scrollbar-gutter: auto; }
    ToolsMatrix #matrix-why { height: 1fr; min-height: 5; border-top: solid $line; border-title-color: $muted; }
    """

    @dataclass
    class Ready(Message):
        """The set of a skill or of an actor is there, or the reason why not; ``given_by`` is known of an actor's."""

        of: str
        matrix: Matrix | None = None
        status: str = ""
        undiscovered: tuple[str, ...] = ()
        given_by: Mapping[str, tuple[str, ...]] | None = None
        reason: str = ""
        tool: str | None = None

    @dataclass
    class Explained(Message):
        """The ways to a tool are there."""

        why: WhyTool

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._workspace: Workspace | None = None
        self._skill: str | None = None
        self._of = ""
        self._why: WhyTool | None = None
        self._set: ToolsMatrix.Ready | None = None

    def compose(self) -> ComposeResult:
        """Filter and count above the rows, the page below."""
        table = MatrixTable(id="matrix-table")
        with Vertical(id="matrix-head"):
            yield FilterInput(FILTERS, id="matrix-filter")
            yield Static(id="matrix-count")
        with Vertical(id="matrix-body"):
            with Vertical(id="matrix-rows"):
                yield MatrixTitles(table)
                yield table
            yield Overview(id="matrix-why")

    def on_mount(self) -> None:
        """Say what the filter understands, and what stands below the rows."""
        self.query_one("#matrix-why").border_title = "why"
        self.filter.placeholder = PLACEHOLDERS[True]
        self._nothing(marks.LOADING)

    def on_resize(self) -> None:
        """Say as much of the filter as there is room for."""
        self.filter.placeholder = PLACEHOLDERS[self.size.width >= _ROOMY]

    @property
    def table(self) -> MatrixTable:
        """The rows."""
        return self.query_one(MatrixTable)

    @property
    def filter(self) -> FilterInput:
        """The line above the rows."""
        return self.query_one("#matrix-filter", FilterInput)

    def show(self, workspace: Workspace, skill: str | None, tool: str | None, reason: str = "") -> None:
        """Show the tools of ``skill``, the cursor on ``tool``; the same skill again keeps filter, order and place."""
        self._skill = skill
        self._begin(workspace, skill or "")
        if skill is None:
            self._nothing(reason or NO_SKILL)
            return
        self._flatten(workspace, skill, tool)

    def show_actor(self, workspace: Workspace, actor: str) -> None:
        """Show the merged tools of ``actor``; the same one again keeps filter, order and place."""
        self._skill = None
        self._begin(workspace, f"actor {actor}")
        self._merge(workspace, actor)

    def _begin(self, workspace: Workspace, of: str) -> None:
        self._workspace = workspace
        if of != self._of:
            self._of, self._why, self._set = of, None, None
            self.filter.value = ""

    @work(thread=True, group="matrix-set", exclusive=True, exit_on_error=False, description="flatten")
    def _flatten(self, workspace: Workspace, skill: str, tool: str | None) -> None:
        flat = flat_of(workspace, skill)
        if flat is not None:
            found = Matrix(flat.records), flat.status, flat.undiscovered_servers
            ready = self.Ready(skill, *found, tool=tool)
        else:
            ready = self.Ready(skill, reason=errors_of(workspace, skill)[0].message)
        if not get_current_worker().is_cancelled:
            self.post_message(ready)

    @work(thread=True, group="matrix-set", exclusive=True, exit_on_error=False, description="merge")
    def _merge(self, workspace: Workspace, actor: str) -> None:
        found = actor_tools(workspace, actor)
        if found is None:
            ready = self.Ready(f"actor {actor}", reason=f"{actor} is no longer there.")
        else:
            ready = self.Ready(f"actor {actor}", Matrix(found.records), "", found.undiscovered, found.given_by)
        if not get_current_worker().is_cancelled:
            self.post_message(ready)

    def on_tools_matrix_ready(self, event: Ready) -> None:
        """Put the rows in."""
        event.stop()
        if event.of != self._of:
            return
        if event.matrix is None:
            self._nothing(event.reason)
            return
        if event.tool:
            self.filter.value = ""
        self._set = event
        matrix, old = event.matrix, self.table.matrix
        matrix.query, matrix.sort_by, matrix.reverse = self.filter.value, old.sort_by, old.reverse
        matrix.refresh()
        if not matrix.records:
            self._nothing(self._why_none(event))
            return
        self.remove_class("-empty")
        self.table.says = with_keys(self, NO_MATCH)
        self.table.show(matrix, event.tool)
        self._count()

    def _nothing(self, reason: str) -> None:
        self.add_class("-empty")
        self.table.says = reason
        self.table.show(Matrix(()), None)

    def _why_none(self, found: Ready) -> str:
        if found.status == "unresolved":
            return f"It does not resolve, so it has no tools; {key_of(self, 'show-tab-1')} says why."
        if found.undiscovered:
            return f"Not known yet: {key_of(self, 'discover')} asks {', '.join(found.undiscovered)} for its tools."
        if found.given_by is not None:
            return NO_TOOLS_OF_ACTOR
        return NO_TOOLS

    def _count(self) -> None:
        matrix, found = self.table.matrix, self._set
        total, seen = len(matrix.records), len(matrix.visible)
        said = plural(total, "tool") if seen == total else f"{seen:,} of {plural(total, 'tool')}"
        parts = [Content.styled(said, marks.MUTED)]
        shared = sum(len(skills) > 1 for skills in (found.given_by or {}).values()) if found else 0
        if shared:
            parts.append(Content.styled(f"{shared:,} given by several skills", marks.MUTED))
        if found is not None and found.undiscovered:
            names = ", ".join(found.undiscovered)
            parts.append(Content.assemble(("? not discovered: ", "$info"), marks.text(names, "$info", 60)))
        if found is not None and found.status not in ("", "resolved"):
            parts.append(marks.status(found.status))
        self.query_one("#matrix-count", Static).update(Content("  ").join(parts))
        self.query_one(MatrixTitles).refresh()

    @on(FilterInput.Typed)
    def _filtered(self, event: FilterInput.Typed) -> None:
        event.stop()
        self.table.filter(event.query)
        self._count()

    @on(FilterInput.Left)
    def _to_rows(self, event: FilterInput.Left) -> None:
        event.stop()
        self.table.focus()

    @on(MatrixTable.Changed)
    def _titles(self, event: MatrixTable.Changed) -> None:
        event.stop()
        self.query_one(MatrixTitles).refresh()

    @on(MatrixTable.Moved)
    def _follow(self, event: MatrixTable.Moved) -> None:
        event.stop()
        record = event.record
        skill = self._skill_of(record)
        if skill and (record is not None or self.table.matrix.records):
            self.post_message(ToolHighlighted(skill, record.name if record else None))
        if record is not None and (self._why is None or self._why.tool != record.name):
            self._why = None
            if self._workspace and skill:
                self._explain(self._workspace, skill, record.name)
        self._show_why(record, event.column)

    @work(thread=True, group="matrix-why", exclusive=True, exit_on_error=False, description="why")
    def _explain(self, workspace: Workspace, skill: str, tool: str) -> None:
        why = why_of(workspace, skill, tool)
        if why is not None and not get_current_worker().is_cancelled:
            self.post_message(self.Explained(why))

    def on_tools_matrix_explained(self, event: Explained) -> None:
        """Complete the page with the ways to the tool."""
        event.stop()
        record = self.table.record
        if record is not None and event.why.tool == record.name and event.why.skill == self._skill_of(record):
            self._why = event.why
            self._show_why(record, COLUMNS[self.table.column])

    def _show_why(self, record: ToolRecord | None, column: Column) -> None:
        page = self.query_one("#matrix-why", Overview)
        page.display = record is not None
        if record is not None:
            page.show_page(partial(cell_page, record, column, self._why, given_by=self._given_by(record)))

    def _given_by(self, record: ToolRecord | None) -> tuple[str, ...]:
        """Return the skills of the actor that give the tool; nothing for a skill's own set."""
        found = self._set
        return found.given_by.get(record.name, ()) if record and found and found.given_by else ()

    def _skill_of(self, record: ToolRecord | None) -> str | None:
        """Return the skill that the tool is looked at in: of an actor's, the first that gives it."""
        return self._skill or next(iter(self._given_by(record)), None)

    @on(MatrixTable.Opened)
    def _opened(self, event: MatrixTable.Opened) -> None:
        event.stop()
        if skill := self._skill_of(event.record):
            self.post_message(TryTool(skill, event.record.name))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what is done to rows only where there are some."""
        if not action.startswith("matrix_") or not self.is_mounted:
            return super().check_action(action, parameters)
        if action == "matrix_all":
            return bool(self.filter.value)
        if action == "matrix_filter":
            return not self.has_class("-empty")
        return bool(self.table.matrix.visible)

    def action_matrix_left(self) -> None:
        """Select the cell to the left."""
        self.table.move_column(-1)

    def action_matrix_right(self) -> None:
        """Select the cell to the right."""
        self.table.move_column(1)

    def action_matrix_sort(self) -> None:
        """Sort by the selected column."""
        self.table.sort_by(self.table.column)

    def action_matrix_filter(self) -> None:
        """Go to the end of the filter, where the next word begins."""
        self.filter.focus()
        if (value := self.filter.value) and not value.endswith(" "):
            self.filter.value = f"{value} "
        self.filter.cursor_position = len(self.filter.value)

    def action_matrix_all(self) -> None:
        """Show all rows again."""
        self.filter.value = ""

    def action_matrix_only(self) -> None:
        """Keep the rows that have the selected cell's value in its column."""
        record, column = self.table.record, COLUMNS[self.table.column]
        if record is not None:
            word = cell(record, column).word.split(", ")[0].replace(" ", "")
            self.filter.value = record.name if column.key == "tool" else f"{column.key}:{'no' if word == '–' else word}"

    def action_matrix_place(self) -> None:
        """Open the file at the line that sets the selected value; a tool without one says so."""
        record, column = self.table.record, COLUMNS[self.table.column]
        if record is None:
            return
        found = provenance_of(record, column) or record.provenance.get("description")
        if found is not None and found.path is not None:
            self.post_message(OpenPlace(found.path, found.line or 1))
        else:
            self.post_message(Notify("No file sets this value: it is built in, assumed or annotated by a server."))

    def action_matrix_copy(self) -> None:
        """Copy the tool's name."""
        if self.table.record is not None:
            self._copy(self.table.record.name, self.table.record.name)

    def action_matrix_copy_table(self) -> None:
        """Copy the rows in sight as Markdown."""
        self._copy(as_markdown(self.table.matrix.table()), "a Markdown table")

    def action_matrix_copy_csv(self) -> None:
        """Copy the rows in sight as CSV."""
        self._copy(as_csv(self.table.matrix.table()), "CSV")

    def _copy(self, text: str, what: str) -> None:
        self.app.copy_to_clipboard(text)
        self.post_message(Notify(f"Copied {what}.", copied=True))
