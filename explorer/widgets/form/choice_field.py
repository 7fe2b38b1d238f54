"""A field with given values: booleans, enums, constants, branches; the arrow keys go through them."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.content import Content

from explorer.commands import Where, bindings
from explorer.presenters.layout import fit
from explorer.services.forms.document import MISSING
from explorer.services.forms.leaves import same
from explorer.services.forms.rows import Row
from explorer.services.forms.spec import Kind
from explorer.services.forms.words import brief
from explorer.widgets.form.change import FormChange
from explorer.widgets.form.choice_picker import ChoicePicker
from explorer.widgets.form.jumping import Jumping
from explorer.widgets.form.segments import Segment, line_of

Option = tuple[Segment, Any]
_LONGEST_LABEL = 60
UNSET = Segment("not set", quiet=True)


class ChoiceField(Jumping, can_focus=True):
    """Shows which value is in force. Left, right and first letters change it, enter opens the whole list."""

    BINDINGS = [*bindings(Where.FIELD)]
    DEFAULT_CSS = "ChoiceField { height: 1; width: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self.row: Row | None = None
        self.options: list[Option] = []
        self.at = -1
        self._places: list[tuple[int, int, int]] = []

    def show(self, row: Row) -> None:
        """Show another state of the row; ``at`` is the index of the value in force, -1 when it is none of the given."""
        old, self.row = self.row, row
        if old is None or old.spec is not row.spec or (old.value is MISSING) is not (row.value is MISSING):
            self.options = options_of(row)
        if old is None or old != row:
            self.at = self._index(row)
        self.refresh()

    @property
    def values(self) -> list[Option]:
        """The options."""
        return self.options

    def label(self, index: int) -> str:
        """Return the words of an option."""
        return self.options[index][0].label

    @property
    def here(self) -> int:
        """The value in force."""
        return self.at

    def jump(self, index: int) -> None:
        """Take a value."""
        self.choose(index)

    def _index(self, row: Row) -> int:
        if row.spec.kind is Kind.VARIANTS:
            wanted: Any = MISSING if row.variant is None else row.variant
            wanted = None if row.value is None and row.spec.nullable and row.variant is None else wanted
            return next((i for i, (_, value) in enumerate(self.options) if value is wanted or value == wanted), -1)
        return next((i for i, (_, value) in enumerate(self.options) if _same(value, row.value)), -1)

    def render(self) -> Content:
        """Return the line."""
        segments = [segment for segment, _ in self.options]
        line, self._places = line_of(segments, self.at, self.size.width, focused=self.has_focus)
        if self.at < 0 and self.row is not None and self.row.value is not MISSING:
            line = Content.assemble((brief(self.row.value), "$error"), "  ", line)
        return fit(line, self.size.width)

    def choose(self, index: int) -> None:
        """Take the value at ``index``."""
        row, value = self.row, self.options[index][1]
        if row is None:
            return
        self.at = index  # keys that come before the form has followed go on from here
        if row.spec.kind is Kind.VARIANTS and value is not None:
            self.post_message(FormChange(lambda model: model.choose(row, None if value is MISSING else value)))
        elif value is MISSING:
            self.post_message(FormChange(lambda model: model.unset(row.path)))
        else:
            self.post_message(FormChange(lambda model: model.put(row.path, value)))

    def _step(self, step: int) -> None:
        if self.options:
            at = self.at
            self.choose(0 if at < 0 else (at + step) % len(self.options))

    def action_field_left(self) -> None:
        """Take the value before, round the end."""
        self._step(-1)

    def action_field_right(self) -> None:
        """Take the next value, round the end."""
        self._step(1)

    def action_field_space(self) -> None:
        """Take the next value, round the end."""
        self._step(1)

    def action_field_enter(self) -> None:
        """Choose from the whole list, with a filter."""
        labels = [segment.label for segment, _ in self.options]

        def take(index: int | None) -> None:
            if index is not None:
                self.choose(index)

        self.app.push_screen(ChoicePicker(labels, self.at), take)

    def on_click(self, event: events.Click) -> None:
        """Take the clicked value, or open the list."""
        self.focus()
        for start, end, index in self._places:
            if start <= event.x < end:
                self.choose(index)
                return
        if not self._places:
            self.action_field_enter()

    def on_focus(self) -> None:
        """Brighten."""
        self.refresh()

    def on_blur(self) -> None:
        """Dim."""
        self.refresh()


def _same(option: Any, value: Any) -> bool:
    if option is MISSING or value is MISSING or type(option) is type(value) is str:
        return bool(option == value)
    return same(option, value)


def options_of(row: Row) -> list[Option]:
    """Return the values that a row can take, the absent one first where the row may be absent."""
    spec = row.spec
    settled = spec.kind is Kind.CONST and row.required and row.value is not MISSING
    always = row.removable or row.role == "value" or settled or not row.path
    found: list[Option] = [] if always else [(UNSET, MISSING)]
    if spec.kind is Kind.VARIANTS:
        found += [(Segment(variant.title), at) for at, variant in enumerate(spec.variants)]
    elif spec.kind is Kind.BOOLEAN:
        found += [(Segment("true"), True), (Segment("false"), False)]
    elif spec.kind is Kind.CONST:
        found.append((Segment(_label(spec.schema["const"])), spec.schema["const"]))
    elif spec.kind is Kind.CHOICE:
        found += [(Segment(choice.title or _label(choice.value)), choice.value) for choice in spec.choices]
    if spec.nullable or spec.kind is Kind.NULL:
        found.append((Segment("null", quiet=True), None))
    return found


def _label(value: Any) -> str:
    """Texts stand bare unless they could be taken for another value or for nothing."""
    return value if isinstance(value, str) and not _odd(value) else brief(value)


def _odd(text: str) -> bool:
    if text in ("true", "false", "null") or not text.strip() or len(text) > _LONGEST_LABEL:
        return True
    return text[0] in '-0123456789"[{' or not text.isprintable()
