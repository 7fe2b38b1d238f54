"""One row of the form: its label, its editor, and what it asks for or what is wrong."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from core.text import display
from explorer.presenters import marks
from explorer.presenters.layout import within
from explorer.services.forms.exact import sent_as
from explorer.services.forms.problem import Problem
from explorer.services.forms.rows import Role, Row
from explorer.services.forms.spec import Kind
from explorer.widgets.form.checks_field import ChecksField
from explorer.widgets.form.choice_field import ChoiceField
from explorer.widgets.form.fields import AddField, EntryField, FoldField, LongField, TextField

Editor = TextField | LongField | ChoiceField | ChecksField | FoldField | EntryField | AddField
MOST_INDENT, TALL_LINES = 16, 3
_CHOSEN = {Kind.BOOLEAN, Kind.CHOICE, Kind.CONST, Kind.NULL, Kind.VARIANTS}


def editor_for(row: Row, *, long: bool) -> type[Editor]:
    """Return the kind of editor that a row gets."""
    if row.role is Role.ADD_ENTRY:
        return EntryField
    if row.role in (Role.ADD_ITEM, Role.MORE):
        return AddField
    if row.spec.kind in _CHOSEN:
        return ChoiceField
    if row.spec.kind is Kind.CHECKS and (row.value is None or isinstance(row.value, list) or not row.draft):
        return ChecksField
    if row.spec.kind in (Kind.OBJECT, Kind.ARRAY):
        return FoldField
    return LongField if long else TextField


class FormRow(Horizontal):
    """Keeps its widgets while the row it shows changes."""

    DEFAULT_CSS = """
    FormRow { height: auto; width: 1fr; }
    FormRow > .form-label { width: 16; height: 1; }
    FormRow > .form-note { width: 1fr; height: 1; margin-left: 2; text-wrap: nowrap; text-overflow: ellipsis; }
    FormRow.-tall > .form-note { height: auto; max-height: 3; text-wrap: wrap; }
    FormRow > TextField, FormRow > EntryField { width: 1fr; height: 1; background: $panel; }
    FormRow > LongField { width: 1fr; height: auto; min-height: 3; max-height: 8; background: $panel; padding: 0; }
    FormRow:focus-within > .form-label { text-style: bold; color: $accent; }
    """

    def __init__(self, row: Row, editor: type[Editor]) -> None:
        super().__init__()
        self.row = row
        self.editor_type = editor
        self.editor = editor()
        self.set_class(editor in (LongField, ChecksField), "-tall")
        self._label = Static(classes="form-label")
        self._note = Static(classes="form-note")
        self._shown: tuple[Row, bool] | None = None
        self._widths = (0, 0, 0)

    @property
    def key(self) -> tuple[object, ...]:
        """What tells this widget from those of other rows."""
        return (*self.row.key, self.editor_type)

    def compose(self) -> ComposeResult:
        """Label, editor, note."""
        yield self._label
        yield self.editor
        yield self._note

    def show(self, row: Row, *, strict: bool) -> None:
        """Show another state, if it is another; ``strict`` calls an unset required field a fault."""
        if (row, strict) == self._shown:
            if isinstance(self.editor, TextField | LongField):
                self.editor.typing.settle()
            return
        self._shown = (row, strict)
        self.row = row
        self.editor.show(row)
        self._label.update(label_of(row), layout=False)
        self._say()

    def set_widths(self, label: int, editor: int, note: int) -> None:
        """Put label and editor into the columns of the form; ``note`` cells are left for the note."""
        if (label, editor, note) != self._widths:
            self._widths = (label, editor, note)
            self._label.styles.width = label
            self.editor.styles.width = editor
            self._say()

    def _say(self) -> None:
        if self._shown is None:
            return
        row, strict = self._shown
        note = note_of(row, self.editor, strict=strict)
        if self.has_class("-tall"):
            note = within(note, self._widths[2], TALL_LINES)
        self._note.update(note, layout=False)


def label_of(row: Row) -> Content:
    """Return the label, indented; a required field has its star, a name that the schema lacks a question mark."""
    if row.role in (Role.ADD_ENTRY, Role.ADD_ITEM, Role.MORE):
        return Content("")
    indent = " " * min(row.depth * 2, MOST_INDENT)
    text = row.label or '""'
    star = Content.styled(" *", "$accent") if row.required and row.role is Role.FIELD and not row.removable else ""
    foreign = Content.styled(" ?", "$warning") if row.foreign else ""
    style = marks.MUTED if row.role is Role.VALUE else ""
    return Content.assemble(indent, marks.text(text, style, 60), star, foreign)


def label_width(row: Row) -> int:
    """Return the cells that the label wants."""
    return label_of(row).cell_length + 2


def note_of(row: Row, editor: Editor, *, strict: bool) -> Content:
    """Return what is wrong, else what the field asks for and what it is for."""
    shown = [p for p in row.problems if strict or p.keyword != "required"]
    if shown:
        return problem_note(row, shown)
    rounded = sent_as(editor.value.strip()) if isinstance(editor, TextField) and row.spec.kind is Kind.NUMBER else None
    if rounded is not None:
        return Content.styled(f"sent as {rounded}, the nearest number there is", "$warning")
    said = marks.text(row.demands, marks.MUTED, 160)
    if not row.spec.description:
        return said
    return Content.assemble(said, ("  " if row.demands else "", ""), marks.text(row.spec.description, limit=160))


def problem_note(row: Row, problems: list[Problem]) -> Content:
    """Return the first problem with the number of the others."""
    first = problems[0]
    mark, style = ("▲ ", "$warning") if first.advice else ("✗ ", "$error")
    inside = "" if first.path == row.path else f"{'.'.join(map(str, first.path[len(row.path) :]))}: "
    more = f"  and {len(problems) - 1:,} more" if len(problems) > 1 else ""
    return Content.assemble((mark, style), marks.text(inside + first.message, style, 300), (more, marks.MUTED))


def help_of(row: Row) -> Content:
    """Return all that can be said of the row that has the focus: its faults, its demands, what it is for."""
    parts: list[Content | str] = []
    for problem in row.problems[:3]:
        style = "$warning" if problem.advice else "$error"
        parts += [marks.text(problem.message, style, 300), "  "]
    if row.demands:
        parts += [marks.text(row.demands, marks.MUTED, 400), "  "]
    name = row.spec.title if row.spec.title and row.spec.title != row.label else ""
    parts.append(display(" ".join(part for part in (name, row.spec.description) if part), 1000))
    return Content.assemble(*parts)
