"""The form: a row for each field in the order of the schema, kept in step with its model."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from explorer.commands import Where, bindings
from explorer.presenters import marks
from explorer.presenters.layout import within
from explorer.services.form_model import FormModel
from explorer.services.forms.document import MISSING, Path, pointer
from explorer.services.forms.problem import Problem
from explorer.services.forms.rows import Row
from explorer.widgets.form.change import FormChange
from explorer.widgets.form.fields import TextField
from explorer.widgets.form.form_row import FormRow, editor_for, help_of, label_width

LEAST_EDITOR, MOST_EDITOR = 16, 60
HELP_LINES = 2
NO_FIELDS = "It takes no arguments."


class FormRows(VerticalScroll, can_focus=False, inherit_bindings=False):
    """The rows; arrow keys go from field to field, so they don't scroll."""


class FormView(Vertical):
    """Shows a model and changes it; tells after each change."""

    BINDINGS = [*bindings(Where.FORM)]
    DEFAULT_CSS = """
    FormView > #form-rows { height: 1fr; scrollbar-size-vertical: 1; }
    FormView > #form-help { height: 2; background: $surface; }
    FormView > #form-loose { height: auto; max-height: 3; }
    """

    class Changed(Message):
        """The model has another value."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.model = FormModel({"type": "object"})
        self.strict = False
        self._rows: list[FormRow] = []
        self._loose: list[Problem] = []
        self._last: Widget | None = None

    def compose(self) -> ComposeResult:
        """The rows, what concerns the whole, and the words on the focused field."""
        yield Static(id="form-loose")
        yield FormRows(id="form-rows")
        yield Static(id="form-help")

    @property
    def lines(self) -> int:
        """How many lines all rows and the words below them fill."""
        loose = self.query_one("#form-loose")
        rows = sum(max(1, widget.size.height) for widget in self._rows)
        return rows + 2 + (loose.size.height if loose.display else 0)

    async def show(self, model: FormModel) -> None:
        """Show another model."""
        self.model = model
        self.strict = False
        await self.sync()
        self.query_one("#form-rows").scroll_home(animate=False, immediate=True)

    async def sync(self) -> None:
        """Bring the rows into step with the model, keeping widgets, focus and caret where they can stay."""
        rows, loose = self.model.rows()
        kinds = [editor_for(row, long=self._is_long(row)) for row in rows]
        keys = [(*row.key, kind) for row, kind in zip(rows, kinds, strict=True)]
        focused, held = self._focused_index(), self.screen.focused
        kept = {widget.key: widget for widget in self._rows}
        wanted = [kept.get(key) or FormRow(row, kind) for key, row, kind in zip(keys, rows, kinds, strict=True)]
        await self._rearrange(wanted)
        for widget, row in zip(wanted, rows, strict=True):
            widget.show(row, strict=self.strict)
        self._set_widths()
        self._say_loose(loose)
        if focused is not None and self._rows and all(widget.editor is not held for widget in self._rows):
            self._rows[min(focused, len(self._rows) - 1)].editor.focus()  # what stands there now
        self._help()

    def _is_long(self, row: Row) -> bool:
        many = isinstance(row.value, str) and "\n" in row.value
        return (row.spec.long or many or row.path in self.model.state.long) and not row.spec.secret

    async def _rearrange(self, wanted: list[FormRow]) -> None:
        if wanted == self._rows:
            return
        container = self.query_one(FormRows)
        staying = set(wanted)
        gone = [widget for widget in self._rows if widget not in staying]
        self._rows = wanted
        if gone:
            await container.remove_children(gone)
        await self._mount_new(wanted)

    async def _mount_new(self, wanted: list[FormRow]) -> None:
        container = self.query_one(FormRows)
        before: FormRow | None = None
        run: list[FormRow] = []
        for widget in [*reversed(wanted), None]:
            if widget is not None and widget.parent is None:
                run.insert(0, widget)
                continue
            if run:
                await container.mount(*run, before=before)
            run, before = [], widget

    def _set_widths(self) -> None:
        width = self.query_one("#form-rows").size.width
        if not width or not self._rows:
            return
        label = min(max(label_width(w.row) for w in self._rows), max(12, width * 2 // 5))
        editor = max(LEAST_EDITOR, min(MOST_EDITOR, (width - label) // 2))
        for widget in self._rows:
            widget.set_widths(label, editor, width - label - editor - 2)

    def _say_loose(self, loose: list[Problem]) -> None:
        self._loose = loose
        said = [Content.assemble(("✗ ", "$error"), marks.text(_whole(p), "$error", 300)) for p in loose[:3]]
        said = said or ([] if self._rows else [Content.styled(NO_FIELDS, marks.MUTED)])
        place = self.query_one("#form-loose", Static)
        if said or place.display:
            place.update(Content("\n").join(said))
            place.display = bool(said)

    def _focused_index(self) -> int | None:
        focused = self.screen.focused
        return next((at for at, w in enumerate(self._rows) if w.editor is focused), None)

    @property
    def focused_row(self) -> Row | None:
        """The row whose editor has the focus."""
        at = self._focused_index()
        return None if at is None else self._rows[at].row

    def _help(self) -> None:
        row = self.focused_row
        if row is not None:
            place = self.query_one("#form-help", Static)
            place.update(within(help_of(row), place.size.width, HELP_LINES), layout=False)

    @on(FormChange)
    async def _apply(self, event: FormChange) -> None:
        event.stop()
        path = event.apply(self.model)
        await self.sync()
        if path is not None:
            self.focus_path(path, inside=event.inside)
        self.post_message(self.Changed())

    @property
    def faults(self) -> list[Problem]:
        """What the call would refuse, from the first row to the last."""
        found = [*self._loose, *(p for widget in self._rows for p in widget.row.problems)]
        return [problem for problem in found if not problem.advice]

    def focus_path(self, path: Path, *, inside: bool = False) -> None:
        """Put the focus on the field at ``path``, or on the nearest one above it.

        ``inside`` means the first field that is filled in there, however deep.
        """
        below = (w for w in self._rows if inside and w.row.path[: len(path)] == path and w.row.fillable)
        if (first := next(below, None)) is not None:
            first.editor.focus()
            return
        for length in range(len(path), -1, -1):
            found = next((w for w in self._rows if w.row.path == path[:length] and w.row.role == "field"), None)
            if found is not None:
                found.editor.focus()
                return

    def focus_again(self) -> None:
        """Put the focus on the field that had it last, with the caret where it was; at first on the first one."""
        field = self._last
        if field is None or not field.is_attached or self not in field.ancestors:
            self.focus_first()
            return
        if isinstance(field, TextField):
            field.select_on_focus = False
        field.focus()

    def focus_first(self) -> bool:
        """Put the focus on the first field that is wrong, else on the first one; False where there is none."""
        wrong = next((w for w in self._rows if any(not p.advice for p in w.row.problems)), None)
        found = wrong or (self._rows[0] if self._rows else None)
        if found is not None:
            found.editor.focus()
        return found is not None

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say all there is to say of the field, and bring it into sight: a row that is new has no place before."""
        self._last = event.widget
        self._help()
        self.call_after_refresh(event.widget.scroll_visible, animate=False)

    def on_resize(self, _event: events.Resize) -> None:
        """Divide the width anew."""
        self._set_widths()
        self._help()

    def _step(self, step: int) -> None:
        at = self._focused_index()
        if at is not None and 0 <= at + step < len(self._rows):
            self._rows[at + step].editor.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what the focused field can do."""
        if action not in ("form_state", "form_remove", "form_lines", "form_up", "form_down"):
            return super().check_action(action, parameters)
        row, at = self.focused_row, self._focused_index()
        if row is None or at is None:
            return False
        if action == "form_state":
            return self.model.can_switch(row)
        if action == "form_remove":
            return bool(row.path) and row.value is not MISSING
        if action == "form_lines":
            return row.spec.kind == "text" and not row.spec.secret and row.role in ("field", "value")
        return 0 <= at + (1 if action == "form_down" else -1) < len(self._rows)

    def action_form_up(self) -> None:
        """Go to the field above."""
        self._step(-1)

    def action_form_down(self) -> None:
        """Go to the field below."""
        self._step(1)

    def action_form_state(self) -> None:
        """Go on to the next state of the field: not set, default, empty, null."""
        row = self.focused_row
        if row is not None:
            self.post_message(FormChange(lambda model: model.switch(row)))

    def action_form_remove(self) -> None:
        """Remove the item or entry; an optional field is no longer set."""
        row = self.focused_row
        if row is not None and row.path:
            self.post_message(FormChange(lambda model: model.unset(row.path)))

    def action_form_lines(self) -> None:
        """Give the text of the field more lines, or one."""
        row = self.focused_row
        if row is not None and row.spec.kind == "text":
            self.model.state.long ^= {row.path}
            self.post_message(FormChange(lambda _model: row.path))


def _whole(problem: Problem) -> str:
    return f"{pointer(problem.path)}: {problem.message}" if problem.path else problem.message
