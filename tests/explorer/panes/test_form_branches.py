"""The form of a tool: branches, choices, and JSON that was written by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from form_rows import form, labels, messages, row

from explorer.services.form_model import FormModel
from explorer.services.forms.document import MISSING
from explorer.services.forms.rows import Role
from explorer.services.forms.spec import Kind
from explorer.widgets.form.choice_field import options_of

KIND_A = {
    "title": "By name",
    "properties": {"kind": {"const": "a"}, "name": {"type": "string"}, "n": {"type": "integer"}},
    "required": ["kind", "name"],
}
KIND_B = {
    "properties": {"kind": {"const": "b"}, "id": {"type": "integer"}, "n": {"type": "integer"}},
    "required": ["kind", "id"],
}


def test_branches_at_the_root_are_picked_and_their_constants_filled_in() -> None:
    model = FormModel({"type": "object", "oneOf": [KIND_A, KIND_B]})
    root = model.rows()[0][0]
    assert [v.title for v in root.spec.variants] == ["By name", "kind: b"]
    model.choose(root, 1)
    assert model.value == {"kind": "b"}
    assert labels(model) == ["arguments", "  kind", "  id", "  n"]
    model.write(row(model, "n"), "3")
    model.choose(model.rows()[0][0], 0)
    assert model.value == {"kind": "a", "n": 3}


def test_the_branch_that_a_value_is_nearest_to_is_shown() -> None:
    model = FormModel({"type": "object", "oneOf": [KIND_A, KIND_B]})
    model.load('{"kind": "b", "id": "x"}')
    assert model.rows()[0][0].variant == 1
    assert messages(model) == {"id": "must be integer, is text"}


def test_several_types_are_branches_and_text_of_digits_can_be_told_from_a_number() -> None:
    model = form({"v": {"type": ["string", "integer", "null"]}})
    model.choose(row(model, "v"), 1)
    model.write(row(model, "v", role=Role.VALUE), "5")
    assert model.value == {"v": 5}
    model.choose(row(model, "v"), 0)
    model.write(row(model, "v", role=Role.VALUE), "5")
    assert model.value == {"v": "5"}
    model.choose(row(model, "v"), None)
    assert model.value == {}


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "string", "enum": ["x", "y"]}, {"type": "null"}]},
        {"type": ["string", "null"], "enum": ["x", "y", None]},
        {"oneOf": [{"const": "x"}, {"const": "y"}, {"type": "null"}]},
        {"enum": ["x", "y"], "nullable": True},
    ],
)
def test_a_nullable_enum_is_a_choice_that_may_be_null(schema: Any) -> None:
    model = form({"e": schema})
    found = row(model, "e").spec
    assert (found.kind, found.nullable) == (Kind.CHOICE, True)
    assert [c.value for c in found.choices] == ["x", "y"]
    model.switch(row(model, "e"))
    assert model.value == {"e": None}
    assert model.acceptable or "nullable" in schema


def test_titled_and_numeric_choices_keep_their_values() -> None:
    titled = {"oneOf": [{"const": 1, "title": "One"}, {"const": 2, "title": "Two"}]}
    model = form({"a": titled, "b": {"enum": [1, 2.5, True, "1"]}, "c": {"enum": ["r"], "enumNames": ["Red"]}})
    assert [(c.value, c.title) for c in row(model, "a").spec.choices] == [(1, "One"), (2, "Two")]
    assert [c.value for c in row(model, "b").spec.choices] == [1, 2.5, True, "1"]
    assert row(model, "c").spec.choices[0].title == "Red"


def test_branches_that_only_demand_names_are_a_condition_and_not_a_choice() -> None:
    model = form({"a": {"type": "string"}, "b": {"type": "string"}}, anyOf=[{"required": ["a"]}, {"required": ["b"]}])
    assert labels(model) == ["a", "b"]
    assert not model.acceptable
    model.write(row(model, "b"), "x")
    assert model.acceptable


def test_all_of_and_references_show_as_one_object_with_the_outer_texts() -> None:
    model = FormModel(
        {
            "type": "object",
            "properties": {"p": {"$ref": "#/$defs/P", "description": "outer"}},
            "$defs": {
                "P": {"description": "inner", "allOf": [{"$ref": "#/$defs/Q"}, {"properties": {"q": {"maximum": 5}}}]},
                "Q": {"type": "object", "properties": {"q": {"type": "integer", "minimum": 1}}},
            },
        }
    )
    assert row(model, "p").spec.description == "outer"
    model.toggle(row(model, "p"))
    assert row(model, "p", "q").demands == "integer 1 to 5"


def test_a_list_of_few_distinct_choices_is_boxes_to_tick() -> None:
    model = form({"k": {"type": "array", "uniqueItems": True, "items": {"enum": ["a", "b"]}}})
    assert row(model, "k").spec.kind is Kind.CHECKS
    model.put(("k",), ["b"])
    assert model.acceptable


# JSON and form, both ways


def test_arguments_written_as_json_go_out_unchanged_with_their_faults_marked() -> None:
    model = form({"i": {"type": "integer"}})
    assert model.load('{"i": "01", "extra": [1.0, 1e2]}')
    assert json.dumps(model.value) == '{"i": "01", "extra": [1.0, 100.0]}'
    assert messages(model) == {"i": "must be integer, is text"}
    assert row(model, "extra").foreign


def test_text_that_is_no_json_keeps_the_last_value_but_stops_the_run() -> None:
    model = form({"i": {"type": "integer"}})
    model.load('{"i": 1}')
    assert not model.load('{"i": 1')
    assert model.broken is not None
    assert (model.broken.line, model.broken.column) == (1, 8)
    assert not model.sendable
    assert model.load("{}")
    assert model.acceptable


@pytest.mark.parametrize("text", ["[]", "5", '"x"', "null"])
def test_arguments_that_are_no_object_are_refused_in_words_and_can_still_be_sent_as_they_are(text: str) -> None:
    model = form({"i": {"type": "integer"}})
    assert model.load(text)
    _, loose = model.rows()
    assert loose[0].message.startswith("must be object")
    assert model.sendable


@pytest.mark.parametrize("schema", [None, True, {}, {"type": "string"}, "object", [], False])
def test_a_tool_without_a_usable_schema_still_has_a_form(schema: Any) -> None:
    model = FormModel(schema)
    model.rows()
    assert model.load('{"anything": [1]}')
    assert json.loads(model.json) == {"anything": [1]}


def test_a_schema_nested_beyond_reason_is_left_to_json() -> None:
    schema: Any = {"type": "integer"}
    for _ in range(300):
        schema = {"allOf": [schema]}
    model = FormModel(schema)
    assert model.rows()[0][0].spec.kind is Kind.JSON


def test_starting_over_brings_back_the_first_arguments() -> None:
    model = form({"v": {"const": 2}, "s": {"type": "string"}}, "v")
    model.write(row(model, "s"), "x")
    model.reset()
    assert model.value == {"v": 2}


def test_a_problem_below_a_closed_row_stands_at_the_row() -> None:
    model = form({"p": {"type": "object", "properties": {"q": {"type": "integer"}}}})
    model.load('{"p": {"q": "x"}}')
    model.toggle(row(model, "p"))
    assert not row(model, "p").open
    assert messages(model) == {"p": "must be integer, is text"}


def test_a_secret_and_a_long_text_are_known_by_their_schema() -> None:
    model = form(
        {"pw": {"type": "string", "format": "password"}, "content": {"type": "string"}, "q": {"type": "string"}}
    )
    assert row(model, "pw").spec.secret
    assert row(model, "content").spec.long
    assert not row(model, "q").spec.long


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "integer", "minimum": 1, "default": 20}, "integer ≥ 1 · default 20"),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "integer 1 to 9"),
        ({"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}, "number > 0 · a multiple of 0.5"),
        ({"type": "string", "minLength": 3, "maxLength": 20}, "string · 3 to 20 characters"),
        ({"type": "string", "minLength": 1}, "string · at least 1 character"),
        ({"type": ["string", "null"], "format": "date", "pattern": "^2"}, "string · date · pattern ^2 · null allowed"),
        (
            {"type": "array", "items": {"type": "string"}, "maxItems": 3, "uniqueItems": True},
            "list of string · at most 3 items · no duplicates",
        ),
        ({"enum": list(range(100_000))}, "one of 100,000"),
        ({"const": "x"}, 'always "x"'),
        ({}, "any JSON"),
        ({"type": "object"}, "object, names of your own"),
        ({"type": "string", "default": float("nan")}, "string · default no JSON: float"),
    ],
)
def test_type_bounds_format_and_default_are_said_in_few_words(schema: Any, said: str) -> None:
    assert row(form({"f": schema}), "f").demands == said


def test_missing_is_one_thing() -> None:
    assert MISSING.value == "not set"


def test_branches_at_the_root_start_with_the_first_and_its_constants() -> None:
    model = FormModel(
        {
            "oneOf": [
                {"properties": {"kind": {"const": 1}, "x": {"type": "integer"}}, "required": ["kind", "x"]},
                {"properties": {"kind": {"const": "b"}}, "required": ["kind"]},
            ],
            "type": "object",
        }
    )
    assert model.value == {"kind": 1}
    assert [segment.label for segment, _ in options_of(model.rows()[0][0])] == ["kind: 1", "kind: b"]
