"""Schemas whose demands depend on the value: the form shows the fields and faults that are in force now."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.services.form_model import FormModel
from explorer.services.forms.exact import dump

PAYMENT: dict[str, Any] = {
    "type": "object",
    "properties": {"kind": {"enum": ["card", "cash"]}, "bill": {"type": "string"}},
    "if": {"properties": {"kind": {"const": "card"}}, "required": ["kind"]},
    "then": {"properties": {"number": {"type": "string", "pattern": "^[0-9]+$"}}, "required": ["number"]},
    "else": {"properties": {"paid": {"type": "integer"}}},
    "dependentSchemas": {"bill": {"properties": {"address": {"type": "string", "minLength": 3}}}},
}


def form(schema: Any, value: Any) -> FormModel:
    model = FormModel(schema)
    assert model.load(dump(value))
    return model


def labels(model: FormModel) -> list[str]:
    return [row.label for row in model.rows()[0] if row.role == "field"]


def faults(model: FormModel) -> dict[str, str]:
    return {".".join(map(str, row.path)): p.message for row in model.rows()[0] for p in row.problems if not p.advice}


def test_fields_that_a_condition_brings_in_are_there_while_it_is_met() -> None:
    assert labels(form(PAYMENT, {})) == ["kind", "bill", "paid"]
    assert labels(form(PAYMENT, {"kind": "card"})) == ["kind", "bill", "number"]
    assert labels(form(PAYMENT, {"kind": "cash", "bill": "x"})) == ["kind", "bill", "paid", "address"]


def test_a_field_that_a_condition_requires_says_so_and_is_typed_as_the_condition_says() -> None:
    model = form(PAYMENT, {"kind": "card"})
    number = next(row for row in model.rows()[0] if row.label == "number")
    assert number.required
    assert faults(model) == {"number": "required"}
    model.write(number, "12x")
    assert model.value == {"kind": "card", "number": "12x"}
    assert faults(model) == {"number": "does not match ^[0-9]+$"}
    model.write(number, "12")
    assert model.acceptable


def test_a_value_keeps_its_row_when_its_condition_is_no_longer_met() -> None:
    model = form(PAYMENT, {"kind": "card", "number": "12"})
    model.put(("kind",), "cash")
    assert "number" in labels(model)
    assert model.value == {"kind": "cash", "number": "12"}


@pytest.mark.parametrize(
    ("schema", "value", "path"),
    [
        ({"properties": {"a": {}}, "unevaluatedProperties": False}, {"b": 1}, ()),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"a": ["b"]}}, {"a": 1}, ()),
        ({"properties": {"l": {"prefixItems": [{}], "unevaluatedItems": False}}}, {"l": [1, 2]}, ("l",)),
    ],
)
def test_what_the_form_does_not_read_itself_is_said_by_the_engine_before_the_call(
    schema: Any, value: Any, path: tuple[str, ...]
) -> None:
    model = form({"type": "object", **schema}, value)
    assert not model.acceptable
    assert [problem.path[: len(path)] for problem in model.problems()] == [path]


@pytest.mark.parametrize("keywords", [{"pattern": "^a"}, {"format": "date"}, {"minLength": 1}])
def test_text_that_is_no_unicode_does_not_break_the_form(keywords: Any) -> None:
    model = FormModel({"type": "object", "properties": {"a": {"type": "string", **keywords}}})
    assert model.load('{"a": "\\udc80"}')
    assert model.value == {"a": "\udc80"}
    assert [row.label for row in model.rows()[0]] == ["a"]


def test_text_that_is_no_unicode_is_not_put_to_the_engine() -> None:
    model = FormModel({"type": "object", "unevaluatedProperties": {"type": "integer"}})
    assert model.load('{"a": "\\udc80", "b": 1e400}') is False
    assert model.load('{"a": "\\udc80"}')
    model.problems()
