"""The form of a tool: from a schema to rows and from what is typed to the JSON that is sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from form_rows import form, labels, messages, row

from explorer.services.form_model import FormModel
from explorer.services.forms.rows import Role, State
from explorer.services.forms.typed import field_text

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
