"""The form of a tool: from a schema to rows, from what is typed to the JSON that is sent, and back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from explorer.services.form_model import FormModel
from explorer.services.forms.document import MISSING
from explorer.services.forms.rows import Role, Row, State
from explorer.services.forms.spec import Kind
from explorer.services.forms.typed import field_text
from explorer.widgets.form.choice_field import options_of


def form(properties: dict[str, Any], *required: str, **more: Any) -> FormModel:
    return FormModel({"type": "object", "properties": properties, "required": list(required), **more})


def row(model: FormModel, *path: str | int, role: Role = Role.FIELD) -> Row:
    return next(r for r in model.rows()[0] if r.path == path and r.role is role)


def labels(model: FormModel) -> list[str]:
    return ["  " * r.depth + r.label for r in model.rows()[0]]


def messages(model: FormModel) -> dict[str, str]:
    return {".".join(map(str, r.path)): r.problems[0].message for r in model.rows()[0] if r.problems}


# what is sent


def test_untouched_optional_fields_are_not_sent() -> None:
    model = form(
        {"page": {"type": "integer"}, "tags": {"type": "array"}, "f": {"type": "object"}, "b": {"type": "boolean"}}
    )
    assert model.value == {}
    assert model.acceptable


def test_a_default_is_shown_and_sent_only_for_a_required_field() -> None:
    model = form({"limit": {"type": "integer", "default": 0}, "tags": {"type": "array", "default": ["a"]}}, "tags")
    assert model.value == {"tags": ["a"]}
    assert row(model, "limit").demands == "integer · default 0"
    assert row(model, "limit").state is State.UNSET


def test_a_default_that_its_own_schema_refuses_is_never_filled_in() -> None:
    model = form({"limit": {"type": "integer", "default": "many"}}, "limit")
    assert model.value == {}


def test_constants_and_single_choices_of_required_fields_are_filled_in_with_their_own_type() -> None:
    model = form({"v": {"const": 2}, "e": {"enum": ["only"]}, "o": {"const": 1}}, "v", "e")
    assert model.value == {"v": 2, "e": "only"}


def test_a_required_object_starts_with_its_required_constants() -> None:
    inner = {
        "type": "object",
        "properties": {"kind": {"const": "a"}, "x": {"type": "string"}},
        "required": ["kind", "x"],
    }
    model = form({"p": inner}, "p")
    assert model.value == {"p": {"kind": "a"}}
    assert messages(model) == {"p.x": "required"}


def test_unset_empty_and_null_are_three_states() -> None:
    model = form({"s": {"type": ["string", "null"], "default": "d"}})
    seen = []
    for _ in range(5):
        seen.append((row(model, "s").state, json.dumps(model.value)))
        model.switch(row(model, "s"))
    assert seen == [
        (State.UNSET, "{}"),
        (State.VALUE, '{"s": "d"}'),
        (State.EMPTY, '{"s": ""}'),
        (State.NULL, '{"s": null}'),
        (State.UNSET, "{}"),
    ]


def test_a_required_text_may_be_empty_without_typing_and_deleting_a_letter() -> None:
    model = form({"filter": {"type": "string"}}, "filter")
    assert messages(model) == {"filter": "required"}
    model.switch(row(model, "filter"))
    assert model.value == {"filter": ""}
    assert model.acceptable


def test_a_boolean_is_unset_until_it_is_said() -> None:
    model = form({"force": {"type": "boolean"}})
    assert row(model, "force").state is State.UNSET
    model.put(("force",), False)
    assert model.value == {"force": False}
    model.unset(("force",))
    assert model.value == {}


def test_whole_numbers_are_sent_exactly() -> None:
    model = form({"id": {"type": "integer"}})
    model.write(row(model, "id"), "9007199254740993")
    assert model.json == '{\n  "id": 9007199254740993\n}'
    assert field_text(row(model, "id")) == "9007199254740993"


def test_text_of_digits_stays_text_in_a_text_field() -> None:
    model = form({"s": {"type": "string"}})
    for typed in ("12", "true", "null", '"q"', " "):
        model.write(row(model, "s"), typed)
        assert model.value == {"s": typed}


def test_what_is_no_number_is_refused_at_the_field_and_could_be_sent_as_the_text_it_is() -> None:
    model = form({"n": {"type": "integer", "minimum": 1}})
    model.write(row(model, "n"), "12a")
    assert messages(model) == {"n": "must be integer, is text"}
    assert not model.acceptable
    assert model.sendable
    assert model.value == {"n": "12a"}
    model.write(row(model, "n"), "0")
    assert messages(model) == {"n": "must be ≥ 1"}
    model.write(row(model, "n"), "")
    assert model.value == {}


def test_names_with_dots_spaces_markup_and_nothing_are_ordinary_names() -> None:
    names = ["a.b", "x y", "[/nope]", "", "\x1b[31m", "__proto__", "$ref", "0"]
    model = form({name: {"type": "integer"} for name in names})
    for at, name in enumerate(names):
        model.write(row(model, name), str(at))
    assert model.value == {name: at for at, name in enumerate(names)}


def test_members_are_sent_in_the_order_of_the_schema() -> None:
    model = form({"b": {"type": "integer"}, "a": {"type": "integer"}, "c": {"type": "integer"}})
    for name in "cab":
        model.write(row(model, name), "1")
    assert list(model.value) == ["b", "a", "c"]
    assert labels(model) == ["b", "a", "c"]


# nesting


def test_an_object_made_only_for_a_member_goes_with_it() -> None:
    inner = {"type": "object", "properties": {"q": {"type": "string"}}}
    model = form({"p": inner})
    model.toggle(row(model, "p"))
    model.write(row(model, "p", "q"), "x")
    assert model.value == {"p": {"q": "x"}}
    model.unset(("p", "q"))
    assert model.value == {}


def test_an_object_asked_for_stays_when_it_is_empty() -> None:
    model = form({"p": {"type": "object", "properties": {"q": {"type": "string"}}}})
    model.switch(row(model, "p"))
    assert model.value == {"p": {}}
    model.write(row(model, "p", "q"), "x")
    model.unset(("p", "q"))
    assert model.value == {"p": {}}


def test_lists_of_objects_are_filled_in_item_by_item() -> None:
    item = {"type": "object", "properties": {"kind": {"const": "k"}, "n": {"type": "integer"}}, "required": ["kind"]}
    model = form({"items": {"type": "array", "items": item, "maxItems": 3}})
    model.toggle(row(model, "items"))
    for n in range(3):
        model.add(row(model, "items", n, role=Role.ADD_ITEM))
        model.write(row(model, "items", n, "n"), str(n))
    assert model.value == {"items": [{"kind": "k", "n": 0}, {"kind": "k", "n": 1}, {"kind": "k", "n": 2}]}
    assert not any(r.role is Role.ADD_ITEM for r in model.rows()[0])
    model.unset(("items", 1))
    assert model.value == {"items": [{"kind": "k", "n": 0}, {"kind": "k", "n": 2}]}


def test_items_keep_what_was_open_and_half_typed_when_an_earlier_one_goes() -> None:
    model = form({"items": {"type": "array", "items": {}}})
    model.load('{"items": [1, 2, 3]}')
    model.write(row(model, "items", 2), "{half")
    model.unset(("items", 0))
    assert field_text(row(model, "items", 1)) == "{half"
    assert not model.sendable


def test_a_tuple_names_its_places() -> None:
    pair = {
        "type": "array",
        "prefixItems": [{"title": "lat", "type": "number"}, {"title": "lon", "type": "number"}],
        "items": False,
    }
    model = form({"at": {**pair, "maxItems": 2}}, "at")
    model.put(("at",), [])
    assert [r.label for r in model.rows()[0]] == ["at", "add lat"]
    model.add(row(model, "at", 0, role=Role.ADD_ITEM))
    model.write(row(model, "at", 0), "1.5")
    model.add(row(model, "at", 1, role=Role.ADD_ITEM))
    model.write(row(model, "at", 1), "2")
    assert model.value == {"at": [1.5, 2]}
    assert [r.label for r in model.rows()[0]] == ["at", "lat", "lon"]


def test_a_free_map_takes_entries_by_name() -> None:
    model = form({"env": {"type": "object", "additionalProperties": {"type": "integer"}}})
    model.toggle(row(model, "env"))
    adding = row(model, "env", role=Role.ADD_ENTRY)
    assert model.add(adding, "") is None
    assert model.add(adding, "A") == ("env", "A")
    assert model.add(adding, "A") is None
    model.write(row(model, "env", "A"), "7")
    assert model.value == {"env": {"A": 7}}
    model.unset(("env", "A"))
    assert model.value == {}


def test_an_object_without_properties_takes_any_json() -> None:
    model = FormModel({"type": "object"})
    model.add(row(model, role=Role.ADD_ENTRY), "k")
    model.write(row(model, "k"), '{"deep": [1, {"x": null}]}')
    assert model.value == {"k": {"deep": [1, {"x": None}]}}


def test_half_typed_json_stops_the_run_and_says_where_it_breaks() -> None:
    model = form({"any": {}})
    model.write(row(model, "any"), '{"a": ')
    assert not model.sendable
    assert messages(model) == {"any": "no JSON: line 1, column 7: expecting value"}
    assert model.value == {}
    model.write(row(model, "any"), '{"a": 1}')
    assert model.sendable
    assert model.value == {"any": {"a": 1}}


def test_a_recursive_schema_unfolds_as_far_as_one_asks() -> None:
    node = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/n"}}},
    }
    model = FormModel({"$defs": {"n": node}, "$ref": "#/$defs/n"})
    path: tuple[str | int, ...] = ()
    for _ in range(12):
        if not row(model, *path, "children").open:
            model.toggle(row(model, *path, "children"))
        added = model.add(row(model, *path, "children", 0, role=Role.ADD_ITEM))
        assert added is not None
        path = added
        if not row(model, *path).open:
            model.toggle(row(model, *path))
    model.write(row(model, *path, "name"), "leaf")
    assert model.acceptable
    assert json.dumps(model.value).count("children") == 12


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
        {"anyOf": [{"$ref": "#"}, {"type": "string"}]},
        {"allOf": [{"$ref": "#"}]},
        {"$defs": {"A": {"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]}}, "$ref": "#/$defs/A"},
        {"type": "object", "properties": {"me": {"$ref": "#"}}, "required": ["me"]},
    ],
)
def test_schemas_that_go_round_in_circles_still_give_a_form(schema: Any) -> None:
    model = FormModel(schema)
    for _ in range(3):
        for found in model.rows()[0]:
            model.toggle(found)
            if found.spec.variants and found.variant is None:
                model.choose(found, 0)
    model.load('{"me": {"me": 1}}')
    assert model.value == {"me": {"me": 1}}


# branches

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
        ({"type": "object"}, "object"),
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
