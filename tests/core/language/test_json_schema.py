"""JSON Schemas from strangers: judged without fetching, bounded, and described without giving anything away."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language.json_schema import SchemaUnusable, checked, instance_errors, schema_problems, validator_for


def codes(schema: dict[str, Any]) -> list[tuple[str, tuple[Any, ...]]]:
    return [(problem.rule.code, problem.path) for problem in schema_problems(schema)]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": ["string", "null"]},
        {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}},
        {"$defs": {"a": {"$anchor": "here"}}, "$ref": "#here", "type": "object"},
        {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {}}, "$ref": "#/definitions/a"},
        {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True},
        {"$schema": "https://json-schema.org/draft/2019-09/schema", "type": "object"},
        {"$schema": "https://json-schema.org/draft-06/schema", "type": "object"},
        {"pattern": "^(?!secret)[a-z]+$"},
        {"pattern": "^(a+)+$"},
        {"$id": "https://example.com/tool", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {}}},
        {"properties": {"odd name~/%": {"type": "integer", "default": 3}}},
        {"properties": {"": True, "b": False}},
    ],
)
def test_a_schema_is_one(schema: dict[str, Any]) -> None:
    assert codes(schema) == []


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "objct"}, [("schema/invalid", ("type",))]),
        ({"properties": {"a": {"minimum": "x"}}}, [("schema/invalid", ("properties", "a", "minimum"))]),
        ({"required": "a"}, [("schema/invalid", ("required",))]),
        ({"multipleOf": 0}, [("schema/invalid", ("multipleOf",))]),
        ({"allOf": [{}, {"type": 5}]}, [("schema/invalid", ("allOf", 1, "type"))]),
        ({"$ref": "http://x.invalid/a"}, [("schema/reference", ("$ref",))]),
        ({"$ref": "other.json"}, [("schema/reference", ("$ref",))]),
        ({"$ref": "#/$defs/none"}, [("schema/reference", ("$ref",))]),
        ({"items": {"$dynamicRef": "x"}}, [("schema/reference", ("items", "$dynamicRef"))]),
        ({"$schema": "http://x.invalid/meta"}, [("schema/dialect", ("$schema",))]),
        ({"$schema": 5}, [("schema/dialect", ("$schema",))]),
        ({"pattern": "("}, [("schema/pattern", ("pattern",))]),
        ({"patternProperties": {"(": {}}}, [("schema/pattern", ("patternProperties", "("))]),
        ({"pattern": "a" * 257}, [("schema/limit", ("pattern",))]),
        ({"enum": ["x" * 70_000]}, [("schema/limit", ())]),
        ({"properties": {f"p{n}": {"type": "string"} for n in range(2_100)}}, [("schema/limit", ())]),
        ({"type": "integer", "default": "x"}, [("schema/default", ("default",))]),
        ({"type": "integer", "examples": [1, "x"]}, [("schema/default", ("examples", 1))]),
        (
            {"properties": {"a": {"$ref": "#/$defs/n", "default": "x"}}, "$defs": {"n": {"type": "integer"}}},
            [("schema/default", ("properties", "a", "default"))],
        ),
        ({"type": "string", "const": {"a": float("nan")}}, [("schema/invalid", ())]),
        ({"title": "\ud800"}, [("schema/invalid", ())]),
    ],
)
def test_what_is_wrong_with_a_schema_has_a_path(
    schema: dict[str, Any], expected: list[tuple[str, tuple[Any, ...]]]
) -> None:
    assert codes(schema) == expected


def test_a_schema_deeper_than_32_is_not_looked_at() -> None:
    schema: dict[str, Any] = {}
    for _ in range(5_000):
        schema = {"allOf": [schema]}
    assert [code for code, _ in codes(schema)] in (["schema/limit"], ["schema/invalid"])
    shallow: dict[str, Any] = {}
    for _ in range(40):
        shallow = {"not": shallow}
    assert [code for code, _ in codes(shallow)] == ["schema/limit"]


def test_no_schema_makes_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/x.json"
        for schema in ({"$ref": address}, {"$schema": address}, {"$id": address, "$ref": "y"}, {"$id": address}):
            schema_problems(schema)
            with pytest.raises(SchemaUnusable) if "$ref" in schema else _nothing():
                validator_for(schema).is_valid(1)
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


class _nothing:  # noqa: N801 - reads like a context manager
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


def test_a_file_reference_is_never_read(tmp_path: Any) -> None:
    (tmp_path / "x.json").write_text('{"type": "integer"}')
    with pytest.raises(SchemaUnusable, match="outside the schema"):
        validator_for({"$ref": (tmp_path / "x.json").as_uri()})


def test_defaults_of_a_schema_that_multiplies_are_not_tried() -> None:
    defs: dict[str, Any] = {"a0": {"type": "string"}}
    for number in range(1, 25):
        defs[f"a{number}"] = {"anyOf": [{"$ref": f"#/$defs/a{number - 1}"}] * 2}
    assert codes({"$defs": defs, "properties": {"x": {"$ref": "#/$defs/a24", "default": 1}}}) == []


def test_equal_schemas_are_judged_once_and_shared() -> None:
    first, _ = checked({"type": "object", "title": "shared"})
    second, _ = checked({"type": "object", "title": "shared"})
    assert first is second


@pytest.mark.parametrize(
    ("schema", "instance", "path", "message"),
    [
        ({"properties": {"a": {"items": {"type": "integer"}}}}, {"a": [1, "x"]}, "$.a[1]", "must be a whole number"),
        ({"required": ["who"]}, {}, "$", "`who` is missing"),
        ({"properties": {}, "additionalProperties": False}, {"odd": 1}, "$", "`odd` is not known here"),
        ({"additionalProperties": False}, {"odd": 1}, "$", "has a key that is not known here"),
        ({"properties": {"a b": {"type": "string"}}}, {"a b": 1}, '$["a b"]', "must be text, but is a number"),
        ({"enum": list(range(100))}, "x", "$", "must be one of 0, 1, 2, 3, 4 and 95 more"),
        ({"const": 5}, "x", "$", "must be 5"),
        ({"minimum": 3}, 1, "$", "must be at least 3"),
        ({"maxLength": 2}, "xyz", "$", "must have at most 2 characters"),
        ({"pattern": "^a"}, "b", "$", "does not match the pattern `^a`"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 5, "$", "fits none of the alternatives"),
        ({"oneOf": [{}, {}]}, 5, "$", "must fit exactly one"),
        ({"uniqueItems": True}, [1, 1], "$", "same entry twice"),
        ({"type": "object"}, [], "$", "must be a mapping, but is a list"),
        ({"type": "object"}, None, "$", "must be a mapping, but is nothing"),
    ],
)
def test_an_error_has_a_json_path_and_a_clause(schema: dict[str, Any], instance: Any, path: str, message: str) -> None:
    errors = instance_errors(schema, instance)
    assert [error.path for error in errors] == [path]
    assert message in errors[0].message


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": ["a"]},
        {"const": "a"},
        {"type": "integer"},
        {"pattern": "^a$"},
        {"maxLength": 3},
        {"anyOf": [{"maxLength": 1}, {"type": "null"}]},
        {"oneOf": [{"maxLength": 1}]},
        {"not": {"type": "string"}},
        {"format": "email", "$schema": "http://json-schema.org/draft-07/schema#"},
        {"if": {"type": "string"}, "then": False},
        {"contentEncoding": "base64", "$schema": "http://json-schema.org/draft-07/schema#"},
    ],
)
def test_an_error_never_repeats_the_value(schema: dict[str, Any]) -> None:
    for error in instance_errors(schema, "sk-live-hunter2"):
        assert "hunter2" not in error.message


def test_an_error_stays_short_and_the_list_of_errors_too() -> None:
    errors = instance_errors({"items": {"enum": ["x" * 1_000] * 2}}, ["y"] * 500)
    assert len(errors) == 50
    assert max(len(error.message) for error in errors) < 320


@pytest.mark.parametrize(
    "instance", [{1}, b"x", "\ud800", {1: 2}, object()], ids=["set", "bytes", "surrogate", "number as key", "object"]
)
def test_what_is_no_json_is_an_error_and_no_exception(instance: Any) -> None:
    assert [error.path for error in instance_errors({"type": "string", "minLength": 1}, instance)] == ["$"]


def test_whole_numbers_of_any_size_are_exact() -> None:
    assert instance_errors({"type": "integer", "minimum": 2**53 + 1}, 2**53 + 1) == []
    assert len(instance_errors({"type": "integer", "minimum": 2**53 + 1}, 2**53)) == 1


def test_a_pattern_that_backtracks_ends() -> None:
    assert len(instance_errors({"pattern": "^(a+)+$"}, "a" * 5_000 + "!")) == 1
    assert len(instance_errors({"pattern": "^(?=a)(a+)+$"}, "a" * 5_000 + "!")) == 1


WORDS = st.sampled_from(
    [
        *("type", "properties", "items", "$ref", "$defs", "allOf", "anyOf", "not", "pattern", "enum", "default"),
        *("required", "minimum", "$schema", "$id", "examples", "patternProperties", "if", "then", "a", "#", "object"),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=15,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(WORDS, JSON, max_size=5), JSON)
def test_any_mapping_is_judged_and_any_value_checked_or_refused(schema: dict[str, Any], instance: Any) -> None:
    problems = schema_problems(schema)
    try:
        errors = instance_errors(schema, instance)
    except SchemaUnusable:
        assert any(problem.rule.severity == "error" for problem in problems)
    else:
        assert all(error.path.startswith("$") for error in errors)
