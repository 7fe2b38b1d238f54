"""From a schema, a value and what is open to the rows of a form; nothing below a closed row is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from explorer.services.forms.checks import Checker, item_schema, member_schemas
from explorer.services.forms.document import MISSING, Path, get
from explorer.services.forms.problem import Problem
from explorer.services.forms.rows import Role, Row
from explorer.services.forms.schema import Schema, Schemas
from explorer.services.forms.spec import Kind, Spec, listed, spec_of
from explorer.services.forms.state import MOST_NESTED, PAGE, ViewState
from explorer.services.forms.words import demands

_OPEN_DEPTH = 3
_OPEN_ITEMS = 20


@dataclass(frozen=True, slots=True)
class _Ask:
    path: Path
    schema: Any
    label: str
    depth: int
    nest: int = 0
    role: Role = Role.FIELD
    required: bool = False
    removable: bool = False
    foreign: bool = False
    inside: int = 0


class Layout:
    """Draws up rows for one root schema."""

    def __init__(self, schemas: Schemas, checker: Checker) -> None:
        self._schemas = schemas
        self._checker = checker
        self._specs: dict[tuple[int, str], tuple[Any, Spec, str]] = {}
        self._joined: dict[tuple[int, ...], tuple[Any, Any]] = {}

    def spec(self, schema: Any, name: str = "") -> Spec:
        """Return the spec of ``schema``, worked out once."""
        return self._known(schema, name)[1]

    def _known(self, schema: Any, name: str) -> tuple[Any, Spec, str]:
        key = id(schema), name
        if key not in self._specs:
            spec = spec_of(self._schemas, schema, name)
            self._specs[key] = schema, spec, demands(self._schemas, spec)
        return self._specs[key]

    def in_force(self, spec: Spec, value: Any) -> Spec:
        """Return ``spec`` with the members that it has while ``value`` meets the conditions of its schema."""
        found = self._checker.in_force(spec.schema, value) if value is not MISSING else []
        if not found:
            return spec
        key = (id(spec.schema), *map(id, found))
        if key not in self._joined:
            self._joined[key] = spec.schema, {"allOf": [spec.schema, *found]}
        return replace(spec, schema=self._schemas.merged(self._joined[key][1]))

    def rows(self, value: Any, state: ViewState) -> list[Row]:
        """Return the rows of the whole form, parents before their members."""
        root = _Ask((), self._schemas.root, "arguments", 0)
        spec = self.spec(root.schema)
        first = self._members(replace(root, depth=-1), spec, value, state) if spec.kind is Kind.OBJECT else [root]
        found: list[Row] = []
        todo = list(reversed(first))
        while todo:
            ask = todo.pop()
            row = self._row(ask, value, state)
            found.append(row)
            if row.open:
                todo.extend(reversed(self._below(ask, row, value, state)))
        return found

    def _row(self, ask: _Ask, value: Any, state: ViewState) -> Row:
        name = ask.path[-1] if ask.path and isinstance(ask.path[-1], str) else ""
        _, spec, said = self._known(ask.schema, name)
        here = get(value, ask.path) if ask.role in (Role.FIELD, Role.VALUE) else MISSING
        row = Row(
            ask.path,
            ask.role,
            spec,
            ask.label,
            ask.depth,
            ask.nest,
            said if ask.role in (Role.FIELD, Role.VALUE) else "",
            ask.required,
            here,
            removable=ask.removable,
            foreign=ask.foreign,
            inside=ask.inside if ask.role is Role.MORE else len(here) if isinstance(here, dict | list) else 0,
            draft=state.drafts.get(ask.path),
        )
        if spec.kind is Kind.VARIANTS:
            row = replace(row, variant=self.variant(row, state))
        return replace(row, open=row.expandable and self._is_open(row, state))

    def variant(self, row: Row, state: ViewState) -> int | None:
        """Return the branch of a row: the chosen one, else the one nearest to its value; None for neither."""
        chosen = state.variants.get(row.spot)
        if chosen is not None or row.value is MISSING or (row.value is None and row.spec.nullable):
            return chosen
        distances = [self._checker.distance(v.schema, row.value) for v in row.spec.variants]
        return distances.index(min(distances)) if distances else None

    def _is_open(self, row: Row, state: ViewState) -> bool:
        if row.spec.kind is Kind.VARIANTS and (row.variant is None or row.nest >= MOST_NESTED):
            return False
        if row.value not in (MISSING, None) and not _holds(row):
            return False
        wanted = state.opened.get(row.spot)
        if wanted is not None:
            return wanted
        filled = row.value is not MISSING or row.required
        return filled and row.depth < _OPEN_DEPTH and row.inside <= _OPEN_ITEMS

    def _below(self, ask: _Ask, row: Row, value: Any, state: ViewState) -> list[_Ask]:
        if row.spec.kind is not Kind.VARIANTS or row.variant is None:
            return self._members(ask, row.spec, row.value, state)
        branch = row.spec.variants[row.variant]
        spec = self.spec(branch.schema)
        if spec.kind is Kind.OBJECT:
            return self._members(ask, spec, row.value, state)
        return [_Ask(ask.path, branch.schema, branch.title, ask.depth + 1, ask.nest + 1, Role.VALUE, required=True)]

    def _members(self, ask: _Ask, spec: Spec, value: Any, state: ViewState) -> list[_Ask]:
        most = state.shown.get(ask.path, PAGE)
        asks = self._items(ask, spec, value) if spec.kind is Kind.ARRAY else self._entries(ask, spec, value)
        shown = list(islice(asks, most))
        rest = sum(1 for _ in asks)
        if rest:
            shown.append(_Ask(ask.path, {}, f"{rest:,} more", ask.depth + 1, role=Role.MORE, inside=rest))
        return [*shown, *self._adding(ask, spec, value)]

    def _entries(self, ask: _Ask, spec: Spec, value: Any) -> Iterator[_Ask]:
        spec = self.in_force(spec, value)
        properties, depth = spec.properties, ask.depth + 1
        for name, schema in properties.items():
            yield _Ask((*ask.path, name), schema, name, depth, required=name in spec.required)
        for name in value if isinstance(value, dict) else ():
            if name not in properties:
                schemas = member_schemas(spec.schema, name)
                schema = schemas[0] if schemas else {}
                foreign = not schemas and bool(properties)
                yield _Ask((*ask.path, name), schema, name, depth, removable=True, foreign=foreign)

    def _items(self, ask: _Ask, spec: Spec, value: Any) -> Iterator[_Ask]:
        for at in range(len(value) if isinstance(value, list) else 0):
            schema = item_schema(spec.schema, at)
            label = self._place_title(spec, schema, at) or str(at + 1)
            yield _Ask((*ask.path, at), schema, label, ask.depth + 1, required=True, removable=True)

    def _place_title(self, spec: Spec, schema: Any, at: int) -> str:
        """The items of a tuple have names of their own."""
        return self.spec(schema).title if at < len(listed(spec.schema.get("prefixItems"))) else ""

    def _adding(self, ask: _Ask, spec: Spec, value: Any) -> list[_Ask]:
        if spec.kind is Kind.ARRAY:
            at = len(value) if isinstance(value, list) else 0
            full = spec.schema.get("maxItems")
            if isinstance(full, int) and at >= full:
                return []
            schema = item_schema(spec.schema, at)
            label = f"add {self._place_title(spec, schema, at) or 'an item'}"
            return [_Ask((*ask.path, at), schema, label, ask.depth + 1, role=Role.ADD_ITEM)]
        if takes_entries(spec.schema):
            return [_Ask(ask.path, {}, "add an entry", ask.depth + 1, role=Role.ADD_ENTRY)]
        return []


def _holds(row: Row) -> bool:
    if row.spec.kind is Kind.VARIANTS:
        return True
    return isinstance(row.value, list if row.spec.kind is Kind.ARRAY else dict)


def takes_entries(schema: Schema) -> bool:
    """Whether an object invites names that it does not list: a map, or one that says what further members are."""
    more = schema.get("additionalProperties")
    if more is None:
        return not schema.get("properties") or isinstance(schema.get("patternProperties"), dict)
    return more is not False


def attach(rows: list[Row], problems: list[Problem]) -> tuple[list[Row], list[Problem]]:
    """Return the rows with their problems, and the problems that no row stands for.

    What is wrong below a closed row, or at a row that is not shown, stands at the nearest row above it.
    """
    at_path = {row.path: at for at, row in enumerate(rows) if row.role in (Role.FIELD, Role.VALUE)}
    found: dict[int, list[Problem]] = {}
    loose: list[Problem] = []
    for problem in problems:
        path = problem.path
        while path and path not in at_path:
            path = path[:-1]
        if path in at_path:
            found.setdefault(at_path[path], []).append(problem)
        else:
            loose.append(problem)
    return [replace(r, problems=tuple(found[at])) if at in found else r for at, r in enumerate(rows)], loose
