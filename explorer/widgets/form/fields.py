"""Editors for what is typed: one line, many lines, and the row that adds an item or entry."""

from __future__ import annotations

from functools import partial

from textual import events
from textual.actions import SkipAction
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, TextArea

from core.text import display, plural
from explorer.commands import BY_ID, Where, bindings
from explorer.presenters import marks
from explorer.services.form_model import FormModel
from explorer.services.forms.document import MISSING, Path
from explorer.services.forms.rows import Role, Row
from explorer.services.forms.spec import Kind
from explorer.services.forms.typed import field_text
from explorer.services.forms.words import brief
from explorer.widgets.form.change import FormChange
from explorer.widgets.scrubbed import SafeInput, SafeTextArea

LONGEST_LINE = 20_000


def placeholder_of(row: Row) -> str:
    """Return what an empty editor says: not set, null, or empty text."""
    if row.value is None:
        return "null"
    if row.value == "" and row.draft is None:
        return '"" empty text'
    if row.required:
        return "required"
    if row.spec.default is not MISSING:
        return f"not set, default {display(brief(row.spec.default), 40)}"
    return "not set"


class Typing:
    """What an editor knows of its text: what it told the form last, and whether more was typed since.

    Keys come in while the form still works on earlier ones, so a text that was typed is never replaced by an echo.
    """

    def __init__(self) -> None:
        self._told = ""
        self._echo = False

    def tell(self, text: str) -> str:
        """Take ``text`` as told to the form, and return it."""
        self._told, self._echo = text, True
        return text

    def replaces(self, held: str, wanted: str) -> bool:
        """Whether ``wanted`` comes from elsewhere and takes the place of ``held``."""
        echo, self._echo = self._echo, False
        if held != self._told or (echo and held != wanted):
            return False
        self._told = wanted
        return held != wanted

    def settle(self) -> None:
        """The form has what it was told and shows nothing else for it."""
        self._echo = False

    def is_news(self, text: str) -> bool:
        """Whether the form was not told of ``text``."""
        return text != self._told


class TextField(SafeInput):
    """One line of text, a number, or JSON; what is typed goes straight to the form."""

    def __init__(self) -> None:
        super().__init__(compact=True)
        self.row: Row | None = None
        self.typing = Typing()

    def show(self, row: Row) -> None:
        """Show another state of the row; what is typed stays, and the caret with it."""
        self.row = row
        self.placeholder = placeholder_of(row)
        self.password = row.spec.secret
        text = field_text(row)
        if self.typing.replaces(self.value, text):
            with self.prevent(Input.Changed):
                self.value = text

    def on_blur(self) -> None:
        """Select the value at the next visit, unless that one is a return."""
        self.select_on_focus = True

    def on_input_changed(self, event: Input.Changed) -> None:
        """Hand what was typed to the form: what stands in the field when the form gets to it."""
        event.stop()
        row = self.row
        if row is not None and self.typing.is_news(self.value):
            self.post_message(FormChange(lambda model: model.write(row, self.typing.tell(self.value))))

    def on_paste(self, event: events.Paste) -> None:
        """Keep every line that is pasted: a text gets more lines, elsewhere a line break counts as a blank."""
        row, pasted = self.row, event.text.replace("\r\n", "\n").replace("\r", "\n")
        if row is None or "\n" not in pasted.rstrip("\n"):
            return
        event.stop()
        event.prevent_default()
        start, end = sorted((self.selection.start, self.selection.end))
        if row.spec.kind is Kind.TEXT:
            text = self.value[:start] + pasted + self.value[end:]
            self.post_message(FormChange(partial(_write_lines, row, text)))
        else:
            self.replace(pasted.replace("\n", " "), start, end)


def _write_lines(row: Row, text: str, model: FormModel) -> Path:
    """The form gives a text of several lines another editor, which then gets the focus."""
    model.write(row, text)
    return row.path


class LongField(SafeTextArea):
    """Several lines of text; up in the first and down in the last leave it, as in a field of one line."""

    def __init__(self) -> None:
        super().__init__(compact=True, soft_wrap=True, tab_behavior="focus", highlight_cursor_line=False)
        self.row: Row | None = None
        self.typing = Typing()

    def show(self, row: Row) -> None:
        """Show another state of the row; what is typed stays."""
        self.row = row
        self.placeholder = Content(placeholder_of(row))
        text = field_text(row)
        if self.typing.replaces(self.text, text):
            with self.prevent(TextArea.Changed):
                self.load_text(text)

    def action_cursor_up(self, select: bool = False) -> None:
        """Go up a line; in the first, leave the key to the form."""
        if not select and self.navigator.is_first_wrapped_line(self.cursor_location):
            raise SkipAction
        super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        """Go down a line; in the last, leave the key to the form."""
        if not select and self.navigator.is_last_wrapped_line(self.cursor_location):
            raise SkipAction
        super().action_cursor_down(select)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Hand what was typed to the form: what stands in the field when the form gets to it."""
        event.stop()
        row = self.row
        if row is not None and self.typing.is_news(self.text):
            self.post_message(FormChange(lambda model: model.write(row, self.typing.tell(self.text))))


class EntryField(SafeInput):
    """The name of a new entry; enter adds it."""

    BINDINGS = [BY_ID["add.entry"].binding()]

    def __init__(self) -> None:
        super().__init__(placeholder="+ name of a new entry, then enter", compact=True)
        self.row: Row | None = None

    def show(self, row: Row) -> None:
        """Show another state of the row."""
        self.row = row

    def action_add_entry(self) -> None:
        """Add the entry."""
        row, name = self.row, self.value
        if row is not None and name:
            self.value = ""
            self.post_message(FormChange(lambda model: model.add(row, name), inside=True))


class FoldField(Widget, can_focus=True):
    """An object or list in one line: how much is in it; enter folds and unfolds."""

    BINDINGS = [*bindings(Where.HEAD)]
    DEFAULT_CSS = "FoldField { height: 1; width: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self.row: Row | None = None

    def show(self, row: Row) -> None:
        """Show another state of the row."""
        self.row = row
        self.refresh()

    def render(self) -> Content:
        """Return the summary."""
        row = self.row
        if row is None:
            return Content("")
        style = "bold $accent" if self.has_focus else ""
        return Content.assemble(("▾ " if row.open else "▸ ", style or marks.MUTED), _inside(row, style))

    def act(self) -> None:
        """Fold or unfold."""
        row = self.row
        if row is not None:
            self.post_message(FormChange(lambda model: model.toggle(row)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to fold what is open, and to unfold what is not."""
        if action in ("head_fold", "head_unfold"):
            return self.row is not None and self.row.open is (action == "head_fold")
        return super().check_action(action, parameters)

    def action_head_fold(self) -> None:
        """Fold."""
        self.act()

    def action_head_unfold(self) -> None:
        """Unfold."""
        self.act()

    def on_click(self, event: events.Click) -> None:
        """Fold or unfold."""
        event.stop()
        self.focus()
        self.act()

    def on_focus(self) -> None:
        """Brighten."""
        self.refresh()

    def on_blur(self) -> None:
        """Dim."""
        self.refresh()


def _inside(row: Row, style: str) -> Content:
    value = row.value
    if value is MISSING or value is None:
        return Content.styled("required" if row.required and value is MISSING else row.state, style or marks.MUTED)
    if row.spec.kind is Kind.ARRAY and isinstance(value, list):
        return Content.styled(f"[ {plural(len(value), 'item')} ]" if value else "[ ] empty", style)
    if row.spec.kind is Kind.OBJECT and isinstance(value, dict):
        return Content.styled(f"{{ {len(value):,} set }}" if value else "{ } empty", style)
    return marks.text(brief(value), "$error", 80)


class AddField(FoldField, inherit_bindings=False):
    """Adds an item to a list, or shows more of a long one."""

    BINDINGS = [BY_ID["add.item"].binding(), BY_ID["add.more"].binding()]

    def render(self) -> Content:
        """Return what it does."""
        row = self.row
        mark = "… " if row is not None and row.role is Role.MORE else "+ "
        style = "bold $accent" if self.has_focus else marks.MUTED
        return Content.styled(mark + display(row.label if row else "", 60), style)

    def act(self) -> None:
        """Add, or show more."""
        row = self.row
        if row is None:
            return
        if row.role is Role.MORE:
            self.post_message(FormChange(lambda model: model.show_more(row)))
        else:
            self.post_message(FormChange(lambda model: model.add(row), inside=True))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the one of both that the row is for."""
        if action in ("add_item", "add_more"):
            more = self.row is not None and self.row.role is Role.MORE
            return more is (action == "add_more")
        return super().check_action(action, parameters)

    def action_add_item(self) -> None:
        """Add an item."""
        self.act()

    def action_add_more(self) -> None:
        """Show more."""
        self.act()
