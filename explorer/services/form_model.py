"""The form of one tool: a schema, the arguments as exact JSON, and everything a user can do to them.

The value is the truth; rows are drawn up from it. A field that nobody touched is not in it, so it is not sent.
"""

from __future__ import annotations

from typing import Any

from explorer.services.forms import start
from explorer.services.forms.checks import Checker, item_schema, member_schemas
from explorer.services.forms.document import MISSING, Path, get, ordered, put, remove
from explorer.services.forms.exact import MAX_DEPTH, NotJson, deeper_than, dump, parse
from explorer.services.forms.last_word import LastWord
from explorer.services.forms.layout import Layout, attach
from explorer.services.forms.problem import Problem
from explorer.services.forms.rows import Role, Row
from explorer.services.forms.schema import Schemas
from explorer.services.forms.spec import Kind, Spec
from explorer.services.forms.state import MOST_NESTED, PAGE, ViewState
from explorer.services.forms.typed import identical, no_json, typed_number


class FormModel:
    """Arguments under edit. ``value`` is what will be sent, exactly; ``broken`` says why the JSON text is none.

    ``rounded`` maps numbers of that text which no program keeps exactly to those that are sent instead.
    """

    def __init__(self, schema: Any) -> None:
        usable = isinstance(schema, dict | bool) and not deeper_than(schema, MAX_DEPTH)
        self.schema: Any = schema if usable else {"type": "object"}
        self._schemas = Schemas(self.schema)
        self._checker = Checker(self._schemas)
        self._layout = Layout(self._schemas, self._checker)
        self._engine = LastWord(self.schema)
        self.state = ViewState()
        self.broken: NotJson | None = None
        self.rounded: dict[str, str] = {}
        self._found: tuple[Any, list[Problem]] | None = None
        self.value: Any = self._start()

    def _start(self) -> Any:
        value = start.initial(self._schemas, self._checker, self.schema)
        spec = self._layout.spec(self.schema)
        if value is MISSING and spec.variants:
            value = start.chosen(self._schemas, self._checker, spec.variants[0].schema)
        return value if isinstance(value, dict) else {}

    def reset(self) -> None:
        """Start over: only what the schema leaves no choice about is set."""
        self._replace(self._start())

    @property
    def json(self) -> str:
        """The arguments as they will be sent."""
        return dump(self.value)

    def load(self, text: str) -> bool:
        """Take ``text`` as the arguments; False, with ``broken`` saying why, when it is no JSON."""
        rounded: dict[str, str] = {}
        try:
            value = parse(text, rounded)
        except NotJson as error:
            self.broken = error
            return False
        self._replace(value)
        self.rounded = rounded
        return True

    def _replace(self, value: Any) -> None:
        self.value = value
        self.rounded = {}
        self.broken = None
        self.state.forget_choices()

    def problems(self) -> list[Problem]:
        """Return what is wrong with the arguments, drafts that are no JSON included."""
        if self._found is None or self._found[0] is not self.value:
            found = self._checker.problems(self.schema, self.value)
            refused = any(not problem.advice for problem in found)
            self._found = (self.value, found if refused else [*found, *self._engine.problems(self.value)])
        drafts = [Problem(path, no_json(text), "json") for path, text in self.state.drafts.items()]
        return [*drafts, *self._found[1]]

    @property
    def sendable(self) -> bool:
        """Whether there is a value to send at all, right or wrong."""
        return self.broken is None and not self.state.drafts

    @property
    def acceptable(self) -> bool:
        """Whether nothing is known that the call would refuse."""
        return self.sendable and all(p.advice for p in self.problems())

    def rows(self) -> tuple[list[Row], list[Problem]]:
        """Return the rows, each with its problems, and the problems of the arguments as a whole."""
        return attach(self._layout.rows(self.value, self.state), self.problems())

    def put(self, path: Path, value: Any) -> None:
        """Set what stands at ``path``. Objects made on the way only for it will go with their last member."""
        for length in range(1, len(path)):
            if get(self.value, path[:length]) is MISSING:
                self.state.implicit.add(path[:length])
        self.state.drafts.pop(path, None)
        self.state.implicit.discard(path)
        self.rounded = {}
        self.value = self._in_order(put(self.value, path, value), path)

    def _in_order(self, value: Any, path: Path) -> Any:
        """Keep the members of each object that a change may have grown in the schema's order."""
        for length in range(len(path)):
            above = path[:length]
            members = get(value, above)
            if isinstance(members, dict):
                sorted_members = ordered(members, list(self.spec_at(above).properties))
                value = put(value, above, sorted_members) if above else sorted_members
        return value

    def unset(self, path: Path) -> None:
        """Take what stands at ``path`` away; an object made only to hold it goes too."""
        if not path:
            self._replace({})
            return
        self.state.drafts.pop(path, None)
        self.rounded = {}
        was_item = isinstance(path[-1], int) and get(self.value, path) is not MISSING
        self.value = remove(self.value, path)
        if was_item:
            self.state.item_removed(path)
        above = path[:-1]
        while above and above in self.state.implicit and get(self.value, above) in ({}, []):
            self.state.implicit.discard(above)
            self.value = remove(self.value, above)
            above = above[:-1]

    def write(self, row: Row, text: str) -> None:
        """Take what was typed into a row. Text that is no number stays as text, wrong and visible."""
        if row.spec.kind is Kind.JSON:
            self._write_json(row.path, text)
        elif row.spec.kind in (Kind.INTEGER, Kind.NUMBER):
            self._write_number(row, text.strip())
        else:
            self.put(row.path, text)

    def _write_json(self, path: Path, text: str) -> None:
        if not text.strip():
            self.unset(path)
            return
        try:
            self.put(path, parse(text))
        except NotJson:
            self.state.drafts[path] = text

    def _write_number(self, row: Row, text: str) -> None:
        if not text:
            if row.removable:
                self.put(row.path, "")
            else:
                self.unset(row.path)
            return
        self.put(row.path, typed_number(text, whole=row.spec.kind is Kind.INTEGER))

    def states(self, row: Row) -> list[Any]:
        """Return the values that a row can be switched between without typing; MISSING is not sent."""
        spec = row.spec
        found: list[Any] = [] if row.removable or not row.path else [MISSING]
        if spec.default is not MISSING:
            found.append(spec.default)
        if spec.kind in (Kind.CONST, Kind.NULL):
            found.append(spec.schema.get("const"))
        if start.empty(spec) is not MISSING and not spec.schema.get("minLength"):
            found.append(start.empty(spec))
        if spec.nullable:
            found.append(None)
        return [v for at, v in enumerate(found) if not any(identical(v, earlier) for earlier in found[:at])]

    def can_switch(self, row: Row) -> bool:
        """Whether ``switch`` would change anything."""
        here = row.role in (Role.FIELD, Role.VALUE)
        return here and any(not identical(value, row.value) for value in self.states(row))

    def switch(self, row: Row) -> None:
        """Go on to the next of ``states``: not set, default, empty, null."""
        states = self.states(row)
        if not states:
            return
        at = next((at for at, v in enumerate(states) if identical(v, row.value)), -1)
        following = states[(at + 1) % len(states)]
        if following is MISSING:
            self.unset(row.path)
        else:
            self.put(row.path, following)

    def toggle(self, row: Row) -> None:
        """Open or close a row."""
        if row.expandable:
            self.state.opened[row.spot] = not row.open

    def choose(self, row: Row, variant: int | None) -> None:
        """Take a branch of a row, keeping members that fit it too; None takes the value away."""
        self.state.forget_below(row.path)
        if variant is None:
            self.unset(row.path)
            return
        schema = row.spec.variants[variant].schema
        self.state.opened[row.spot] = True
        value = self._as_branch(schema, row.value)
        if value is not MISSING:
            self.put(row.path, value)
        elif row.value is not MISSING:
            self.unset(row.path)
        self.state.variants[row.spot] = variant

    def _as_branch(self, schema: Any, old: Any) -> Any:
        if old is not MISSING and self._checker.fits(schema, old):
            return old
        fresh = start.chosen(self._schemas, self._checker, schema)
        if not isinstance(fresh, dict) or not isinstance(old, dict):
            return fresh
        properties = self._layout.spec(schema).properties
        kept = {k: v for k, v in old.items() if k in properties and self._checker.fits(properties[k], v)}
        return {**fresh, **kept}

    def add(self, row: Row, name: str | None = None) -> Path | None:
        """Add the item or entry that an adding row offers; return its path, None when the name is empty or taken."""
        path = row.path
        if row.role is Role.ADD_ENTRY:
            if not name or get(self.value, (*path, name)) is not MISSING:
                return None
            path = (*path, name)
        schema = self.schema_at(path)
        value = start.chosen(self._schemas, self._checker, schema)
        self.put(path, _blank(self._layout.spec(schema)) if value is MISSING else value)
        return path

    def show_more(self, row: Row) -> None:
        """Show the next 50 members of the object or list that a row cuts short."""
        self.state.shown[row.path] = self.state.shown.get(row.path, PAGE) + PAGE

    def reveal(self, path: Path) -> None:
        """Have each object and list above ``path`` show as many members as it takes to come to it."""
        for length, key in enumerate(path):
            above = path[:length]
            members = get(self.value, above)
            named = list(self.spec_at(above).properties)
            known = set(named)
            order = [*named, *(n for n in members if n not in known)] if isinstance(members, dict) else named
            at = key if isinstance(key, int) else order.index(key) if key in order else 0
            if at >= self.state.shown.get(above, PAGE):
                self.state.shown[above] = (at // PAGE + 1) * PAGE

    def spec_at(self, path: Path) -> Spec:
        """Return how the value at ``path`` is filled in, in the branch that is in force."""
        return self._branch_spec(self.schema_at(path), path)

    def schema_at(self, path: Path) -> Any:
        """Return the subschema of the value at ``path``, in the branches that are in force; ``{}`` where none is."""
        schema: Any = self.schema
        for length, key in enumerate(path):
            spec = self._branch_spec(schema, path[:length])
            schema = _member_schema(spec, key)
        return schema

    def _branch_spec(self, schema: Any, path: Path) -> Spec:
        spec = self._layout.spec(schema)
        nest = 0
        while spec.kind is Kind.VARIANTS and nest < MOST_NESTED:
            row = Row(path, Role.FIELD, spec, "", 0, nest, value=get(self.value, path))
            chosen = self._layout.variant(row, self.state)
            if chosen is None:
                return spec
            spec = self._layout.spec(spec.variants[chosen].schema)
            nest += 1
        return self._layout.in_force(spec, get(self.value, path)) if spec.kind is Kind.OBJECT else spec


def _member_schema(spec: Spec, key: str | int) -> Any:
    if isinstance(key, int):
        return item_schema(spec.schema, key)
    found = member_schemas(spec.schema, key)
    return found[0] if found else {}


def _blank(spec: Spec) -> Any:
    """A new item whose kind has no empty value still needs one: false, the first choice, or null to be replaced."""
    if spec.kind is Kind.BOOLEAN:
        return False
    return spec.choices[0].value if spec.choices else None
