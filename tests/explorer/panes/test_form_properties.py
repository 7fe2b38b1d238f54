"""Whatever the schema and the arguments: the form never breaks, never changes a value, and can undo what it did."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from json_values import JSON_VALUES
from test_form_checks import SCHEMAS, VALUES

from explorer.services.form_model import FormModel
from explorer.services.forms.document import MISSING, get
from explorer.services.forms.exact import dump
from explorer.services.forms.rows import Role, Row
from explorer.services.forms.spec import Kind
from explorer.services.forms.typed import field_text

OBJECTS = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)
TYPED = {Kind.TEXT, Kind.INTEGER, Kind.NUMBER, Kind.JSON}


def fields(model: FormModel) -> list[Row]:
    return [r for r in model.rows()[0] if r.role in (Role.FIELD, Role.VALUE)]


@settings(max_examples=80, deadline=None)
@given(SCHEMAS, OBJECTS)
def test_json_goes_into_the_form_and_out_again_unchanged(schema: Any, value: Any) -> None:
    model = FormModel(schema)
    assert model.load(dump(value))
    model.rows()
    assert model.json == dump(value)


@settings(max_examples=80, deadline=None)
@given(SCHEMAS, OBJECTS)
def test_typing_what_a_field_shows_changes_nothing(schema: Any, value: Any) -> None:
    model = FormModel(schema)
    model.load(dump(value))
    for row in fields(model):
        typed = row.spec.kind in TYPED and row.value not in (MISSING, None)
        if typed and (row.spec.kind is not Kind.TEXT or isinstance(row.value, str)):
            model.write(row, field_text(row))
    assert model.value == value


@settings(max_examples=80, deadline=None)
@given(
    SCHEMAS,
    OBJECTS,
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.sampled_from(["", "1", "x", "{"])), max_size=12),
)
def test_any_sequence_of_actions_leaves_a_form_whose_rows_show_its_value(
    schema: Any, value: Any, actions: list[tuple[int, int, str]]
) -> None:
    model = FormModel(schema)
    model.load(dump(value))
    for at, what, text in actions:
        rows = model.rows()[0]
        if rows:
            act(model, rows[at % len(rows)], what, text)
    for row in fields(model):
        assert row.value == get(model.value, row.path)
    assert model.load(model.json)


def act(model: FormModel, row: Row, what: int, text: str) -> None:
    if row.role in (Role.ADD_ITEM, Role.ADD_ENTRY):
        model.add(row, text)
    elif row.role is Role.MORE:
        model.show_more(row)
    elif what == 0:
        model.unset(row.path)
    elif what == 1:
        model.switch(row)
    elif what == 2:
        model.toggle(row)
    elif what == 3 and row.spec.variants:
        model.choose(row, len(text) % len(row.spec.variants))
    elif row.spec.kind in TYPED:
        model.write(row, text)


@settings(max_examples=60, deadline=None)
@given(SCHEMAS, OBJECTS)
def test_each_problem_stands_at_a_row_or_is_said_for_the_whole(schema: Any, value: Any) -> None:
    model = FormModel(schema)
    model.load(dump(value))
    rows, loose = model.rows()
    assert sorted(map(repr, [p for r in rows for p in r.problems] + loose)) == sorted(map(repr, model.problems()))


@settings(max_examples=80, deadline=None)
@given(SCHEMAS, st.dictionaries(st.text(), JSON_VALUES, max_size=4))
def test_every_digit_and_character_survives_form_json_and_form(schema: Any, value: Any) -> None:
    first, second = FormModel(schema), FormModel(schema)
    assert first.load(json.dumps(value))
    first.rows()
    assert second.load(first.json)
    assert json.dumps(second.value) == json.dumps(value)
    for row in fields(second):
        if row.spec.kind in TYPED and row.value not in (MISSING, None) and isinstance(row.value, str | int | float):
            second.write(row, field_text(row))
    assert second.json == first.json
