"""What the form says of a value agrees with the engine that checks the call."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.services.forms.checks import Checker
from explorer.services.forms.schema import Schemas

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.sampled_from([0.5, 1.0, 2.5])
    | st.sampled_from(["", "a", "ab", "b1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
SMALL = st.integers(0, 3)
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "minimum": st.integers(-3, 3),
        "exclusiveMaximum": st.integers(-3, 3),
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "minLength": SMALL,
        "maxLength": SMALL,
        "pattern": st.sampled_from(["^a", "b$", "^[a-z]+$"]),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "const": VALUES,
        "minItems": SMALL,
        "maxItems": SMALL,
        "uniqueItems": st.booleans(),
        "minProperties": SMALL,
        "maxProperties": SMALL,
        "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
    },
)
SCHEMAS = st.recursive(
    LEAVES | st.booleans(),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "b"]), inner, max_size=1),
            "additionalProperties": inner,
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=3),
            "oneOf": st.lists(inner, min_size=1, max_size=3),
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "contains": inner,
            "minContains": SMALL,
            "maxContains": SMALL,
            "propertyNames": inner,
            "dependentSchemas": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "dependentRequired": st.dictionaries(
                st.sampled_from("abc"), st.lists(st.sampled_from("abc"), max_size=2, unique=True), max_size=2
            ),
            "type": TYPES,
            "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        },
    ),
    max_leaves=6,
)


def problems(schema: Any, value: Any) -> list[tuple[str, str]]:
    return [(str(p.path), p.message) for p in Checker(Schemas(schema)).problems(schema, value) if not p.advice]


@settings(max_examples=200, deadline=None)
@given(SCHEMAS, VALUES)
def test_a_value_has_problems_exactly_when_the_engine_refuses_it(schema: Any, value: Any) -> None:
    valid = jsonschema_rs.Draft202012Validator(schema).is_valid(value)
    assert bool(problems(schema, value)) is not valid


@pytest.mark.parametrize(
    ("schema", "value", "path", "said"),
    [
        ({"type": "integer", "minimum": 1}, 0, (), "must be ≥ 1"),
        ({"type": "integer"}, "12", (), "must be integer, is text"),
        ({"type": ["string", "null"]}, 5, (), "must be string or null, is integer"),
        ({"required": ["a"]}, {}, ("a",), "required"),
        ({"additionalProperties": False}, {"b": 1}, ("b",), "no such name here"),
        (
            {"properties": {"a": {"items": {"enum": ["x", "y"]}}}},
            {"a": ["x", "z"]},
            ("a", 1),
            'must be one of "x", "y"',
        ),
        ({"enum": list(range(100))}, -1, (), "must be one of 0, 1, 2, 3, 4 and 95 more"),
        ({"minLength": 2}, "a", (), "at least 2 characters, has 1"),
        ({"uniqueItems": True}, [1, 1.0], (), "the same item twice"),
        ({"const": {"a": 1}}, {"a": True}, (), 'must be {"a": 1}'),
        ({"pattern": "^x"}, "y", (), "does not match ^x"),
        ({"not": {"const": 5}}, 5, (), "must not be 5"),
        ({"not": {"required": ["a", "b"]}}, {"a": 1, "b": 2}, (), "must not have a and b"),
        ({"contains": {"const": "x"}}, ["y"], (), 'at least 1 of the items must be "x", 0 is'),
        ({"dependentRequired": {"bill": ["addr"]}}, {"bill": 1}, ("addr",), "required with bill"),
        ({"dependentSchemas": {"a": {"properties": {"b": {"minimum": 9}}}}}, {"a": 1, "b": 2}, ("b",), "must be ≥ 9"),
        ({"propertyNames": {"pattern": "^[a-z]+$"}}, {"A": 1}, ("A",), "as a name: does not match ^[a-z]+$"),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1}, ("b",), "required"),
        ({"if": {"required": ["a"]}, "else": {"required": ["c"]}}, {}, ("c",), "required"),
        ({"patternProperties": {"^I_": {"type": "integer"}}}, {"I_x": "1"}, ("I_x",), "must be integer, is text"),
        ({"prefixItems": [{"type": "string"}], "items": False}, ["a", 2], (1,), "nothing is allowed here"),
        ({"minProperties": 1}, {}, (), "at least 1 entry, has 0"),
        ({"multipleOf": 0.1}, 0.35, (), "must be a multiple of 0.1"),
        ({"properties": {"a": False}}, {"a": 1}, ("a",), "nothing is allowed here"),
    ],
)
def test_a_problem_stands_at_its_path_in_words(schema: Any, value: Any, path: tuple[str | int, ...], said: str) -> None:
    found = Checker(Schemas(schema)).problems(schema, value)
    assert [(p.path, p.message) for p in found] == [(path, said)]


def test_a_wrong_format_is_advice_since_the_call_does_not_refuse_it() -> None:
    schema = {"type": "string", "format": "date"}
    [found] = Checker(Schemas(schema)).problems(schema, "soon")
    assert found.advice
    assert "date" in found.message


def test_a_branch_of_the_right_shape_tells_what_is_wrong_inside_it() -> None:
    branch = {"properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}, "required": ["kind", "x"]}
    other = {"properties": {"kind": {"const": "b"}, "y": {"type": "integer"}}, "required": ["kind", "y"]}
    schema = {"type": "object", "oneOf": [branch, other]}
    assert problems(schema, {"kind": "b"}) == [("('y',)", "required")]


def test_references_are_followed_and_loops_of_them_end() -> None:
    schema: Any = {
        "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A", "type": "integer"}, "n~m/k": {"minimum": 3}},
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/n~0m~1k"}, "c": {"$ref": "other.json"}},
    }
    assert problems(schema, {"a": "x", "b": 1, "c": object}) == [
        ("('a',)", "must be integer, is text"),
        ("('b',)", "must be ≥ 3"),
    ]


def test_a_recursive_schema_is_checked_as_deep_as_the_value_goes() -> None:
    schema = {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#"}}}
    value: Any = {"v": "deep"}
    for _ in range(50):
        value = {"v": 1, "next": value}
    [(path, said)] = problems(schema, value)
    assert path.count("next") == 50
    assert said == "must be integer, is text"


def test_branches_that_explode_do_not_stop_the_keyboard() -> None:
    schema: Any = {"type": "string"}
    for _ in range(20):
        schema = {"anyOf": [schema, schema]}
    assert isinstance(problems(schema, 5), list)


def test_ten_thousand_wrong_items_give_a_list_that_ends() -> None:
    assert 0 < len(problems({"items": {"type": "integer"}}, ["x"] * 10_000)) <= 200
