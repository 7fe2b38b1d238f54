"""Problems: one line with the counts that is always there, the list that it opens, and the whole sentence below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from explorer.messages import OpenPlace
from explorer.presenters import marks
from explorer.presenters.layout import two_sides
from explorer.presenters.problem import place_width, problem_row, problem_text
from explorer.services.findings import Findings
from explorer.widgets.focus_mark import heading
from explorer.widgets.hint import key_of, keymap_of
from explorer.widgets.row_list import RowList

if TYPE_CHECKING:
    from core.diagnostics import Diagnostic, Fix

NOTHING = " No problems: everything that was read is as it should be."


class ProblemsTitle(Widget):
    """The line that is always there."""

    DEFAULT_CSS = "ProblemsTitle { height: 1; width: 1fr; background: $panel; }"

    @dataclass
    class Clicked(Message):
        """The user clicked the line."""

    def __init__(self) -> None:
        super().__init__()
        self._findings: Findings | None = None
        self.opened = False

    def show(self, findings: Findings | None, *, opened: bool) -> None:
        """Show the counts, and whether the list is open."""
        self._findings, self.opened = findings, opened
        self.refresh()

    def render(self) -> Content:
        """Return the line."""
        left = Content.assemble(heading("Problems", self), (" ▾" if self.opened else " ▸", marks.MUTED))
        if self._findings is None:
            return left
        totals = self._findings.totals
        numbers = marks.counts(totals["error"], totals["warning"], totals["info"])
        inside = isinstance(self.parent, Widget) and self.parent.has_pseudo_class("focus-within")
        says = "closes" if inside else "goes there" if self.opened else "opens"
        keys = Content.styled(f"{key_of(self, 'show-problems')} {says} ", marks.MUTED)
        return two_sides(Content.assemble(left, "   ", numbers), keys, self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Open or close the list."""
        event.stop()
        self.post_message(self.Clicked())


class ProblemList(RowList):
    """One row a finding: errors first, then warnings, then infos, each by place."""

    HELP = "All problems of the workspace; below them the whole of the one at the cursor."

    @dataclass
    class Highlighted(Message):
        """The cursor stands on this finding."""

        found: Diagnostic | None

    def __init__(self) -> None:
        super().__init__()
        self._problems: tuple[Diagnostic, ...] = ()
        self._places = 0

    @property
    def found(self) -> Diagnostic | None:
        """The finding at the cursor."""
        return self._problems[self.cursor] if self._problems else None

    def problem(self, index: int) -> Diagnostic:
        """Return the finding of a row."""
        return self._problems[index]

    def show(self, problems: tuple[Diagnostic, ...]) -> None:
        """Show another list; the cursor stays on the same finding where it is still there."""
        before = self.found
        self._problems, self._places = problems, place_width(problems)
        at = next((i for i, found in enumerate(problems) if found == before), min(self.cursor, len(problems) - 1))
        self.set_reactive(ProblemList.cursor, max(0, at))
        self.rows_changed()
        self.highlighted()

    def row_count(self) -> int:
        """Return the number of rows; one says that there is nothing."""
        return len(self._problems) or 1

    def selectable(self, index: int) -> bool:
        """Nothing can be selected where there is nothing."""
        return bool(self._problems)

    def row(self, index: int, width: int) -> Content:
        """Return a row."""
        if not self._problems:
            return Content.styled(NOTHING, marks.MUTED)
        return problem_row(self._problems[index], width, self._places)

    def highlighted(self) -> None:
        """Tell what the cursor stands on."""
        self.tell(self.Highlighted(self.found))

    def chosen(self) -> None:
        """Ask for the place in Source."""
        if found := self.found:
            self.post_message(OpenPlace(found.place.path, found.place.line, found.place.column))

    def step(self, by: int) -> Diagnostic | None:
        """Go to the next or previous finding, round the ends; return it."""
        if not self._problems:
            return None
        self.cursor = (self.cursor + by) % len(self._problems)
        return self.found


class ProblemText(Widget):
    """The whole finding at the cursor."""

    DEFAULT_CSS = "ProblemText { height: auto; width: 1fr; padding: 0 1; background: $surface; }"

    def __init__(self) -> None:
        super().__init__()
        self._found: Diagnostic | None = None
        self._fix: Fix | None = None

    def show(self, found: Diagnostic | None, fix: Fix | None) -> None:
        """Show another finding, and what the key that fixes does about it."""
        if (found, fix) != (self._found, self._fix):
            self._found, self._fix = found, fix
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that the finding needs."""
        return len(problem_text(self._found, self._fix, width, keymap_of(self))) if self._found else 0

    def render(self) -> Content:
        """Return as many lines as fit."""
        if self._found is None:
            return Content("")
        lines = problem_text(self._found, self._fix, self.size.width, keymap_of(self))
        return Content("\n").join(lines[: self.size.height])


class ProblemsPanel(Vertical):
    """The whole area. ``opened`` is a class on it, so that styles decide how much room it takes."""

    def compose(self) -> ComposeResult:
        """Put the line above, the list and the sentence below."""
        yield ProblemsTitle()
        yield ProblemList()
        yield ProblemText()

    @property
    def problem_list(self) -> ProblemList:
        """The list."""
        return self.query_one(ProblemList)

    @property
    def opened(self) -> bool:
        """Whether the list is open."""
        return self.has_class("-opened")

    def show(self, findings: Findings) -> None:
        """Show the findings of another state of the workspace."""
        self._findings = findings
        self.problem_list.show(findings.problems)
        self._title()

    _findings: Findings | None = None

    def open(self, opened: bool) -> None:
        """Open or close the list."""
        self.set_class(opened, "-opened")
        self._title()

    def _title(self) -> None:
        self.query_one(ProblemsTitle).show(self._findings, opened=self.opened)

    def on_problem_list_highlighted(self, message: ProblemList.Highlighted) -> None:
        """Show the whole sentence of the finding at the cursor."""
        remedy = self._findings.remedy(message.found) if self._findings else None
        self.query_one(ProblemText).show(message.found, remedy.fix if remedy else None)
