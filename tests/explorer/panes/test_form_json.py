"""Exact JSON text, paths into values, and the engine behind patterns and formats."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import safe_text
from explorer.presenters import try_state
from explorer.services.form_model import FormModel
from explorer.services.forms.document import MISSING, get, ordered, pointer, put, remove
from explorer.services.forms.engine import has_format, matches
from explorer.services.forms.exact import NotJson, deeper_than, dump, number, parse, sent_as

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_what_is_written_as_json_reads_back_the_same(value: Any) -> None:
    assert parse(dump(value)) == value
    assert parse(dump(value, indent=None)) == value


@given(st.integers(min_value=-(10**60), max_value=10**60))
def test_whole_numbers_keep_every_digit(value: int) -> None:
    assert parse(dump({"id": value})) == {"id": value}
    assert number(str(value)) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**18), max_value=10**18, places=6))
def test_a_number_is_sent_as_written_or_the_form_says_what_is_sent(value: Decimal) -> None:
    text = format(value, "f")
    sent = sent_as(text)
    assert Decimal(repr(number(text))) == (Decimal(text) if sent is None else Decimal(sent))


def test_a_fraction_no_float_holds_is_announced_as_the_float_that_is_sent() -> None:
    assert sent_as("0.1") is None
    assert sent_as("1.10") is None
    assert sent_as("0.1000000000000000055511") == "0.1"
    assert number("9007199254740993.0") == 9007199254740993


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1, column 2: expecting property name"),
        ('{"a": 1,\n "a": 2}', 'the key "a" stands twice'),
        ("[NaN]", "NaN is no JSON value"),
        ("[-Infinity]", "no JSON value"),
        ("[1e400]", "too large"),
        ("[" + "9" * 5000 + "]", "more than 4,300 digits"),
        ("[" * 100 + "]" * 100, "nested deeper than 64"),
        ("[" * 100_000, "nested deeper than 64"),
        ("", "line 1, column 1"),
        ("[1]]", "line 1, column 4: extra data"),
    ],
)
def test_text_that_is_no_json_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(NotJson) as caught:
        parse(text)
    assert said in str(caught.value).lower() or said in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "1a", "0x10", "01", "+1", ".5", "1.", "٣", "1_000", "Infinity", "nan", "--1", " 1"]
)
def test_only_what_json_calls_a_number_is_one(text: str) -> None:
    with pytest.raises(NotJson):
        number(text)


def test_lone_surrogates_are_escaped_so_that_the_text_can_be_encoded() -> None:
    assert dump("\ud800é") == '"\\ud800é"'
    dump("\ud800é").encode()


@given(st.text())
def test_json_text_is_safe_to_show_and_still_says_the_same(text: str) -> None:
    shown = dump({text: [text]})
    assert safe_text(shown) == shown
    assert json.loads(shown) == {text: [text]}


def test_depth_counts_containers() -> None:
    assert not deeper_than([[1]], 2)
    assert deeper_than([[[1]]], 2)
    assert not deeper_than("x", 0)


PATHS = st.lists(st.sampled_from(["a", "b", "x.y", ""]), max_size=4).map(tuple)


@given(JSON, PATHS, JSON)
def test_what_is_put_is_there_and_the_old_value_is_untouched(value: Any, path: Any, new: Any) -> None:
    before = json.dumps(value)
    assert get(put(value, path, new), path) == new
    assert json.dumps(value) == before


@given(JSON, PATHS)
def test_what_is_removed_is_gone_and_nothing_else_changes(value: Any, path: Any) -> None:
    smaller = remove(value, path)
    assert get(smaller, path) is MISSING or not path
    if get(value, path) is MISSING:
        assert smaller is value
    elif path:
        assert put(smaller, path, get(value, path)) == value


def test_list_items_are_replaced_appended_and_removed_by_place() -> None:
    assert put({"a": [1, 2]}, ("a", 1), 9) == {"a": [1, 9]}
    assert put({"a": [1]}, ("a", 1), 2) == {"a": [1, 2]}
    assert put({}, ("a", 0, "b"), 1) == {"a": [{"b": 1}]}
    assert remove({"a": [1, 2, 3]}, ("a", 1)) == {"a": [1, 3]}


def test_known_names_come_first_in_their_order() -> None:
    assert list(ordered({"z": 1, "b": 2, "a": 3}, ["a", "b", "c"])) == ["a", "b", "z"]


def test_paths_are_written_so_that_they_can_be_found() -> None:
    assert pointer(()) == "$"
    assert pointer(("a", 0, "b c")) == "$.a[0]['b c']"


def test_a_catastrophic_pattern_answers_at_once_and_a_broken_one_is_left_to_the_call() -> None:
    assert matches("^(a+)+$", "a" * 5000)
    assert not matches("^(a+)+$", "a" * 5000 + "!")
    assert matches("(", "x")
    assert matches("a" * 300, "b")
    assert matches(7, "b")


def test_formats_are_recognised_and_unknown_ones_hold() -> None:
    assert has_format("date", "2026-11-30")
    assert not has_format("date", "yesterday")
    assert not has_format("email", "nobody")
    assert has_format("made-up", "x")
    assert has_format(None, "x")


def test_numbers_that_no_program_keeps_are_named_with_those_that_are_sent() -> None:
    model = FormModel({})
    assert model.load('{"a": 0.1, "b": 1e400}') is False
    assert model.load('{"a": 0.1, "b": 12345678901234567890.5, "c": 1e3}')
    assert model.rounded == {"12345678901234567890.5": "1.2345678901234567e+19"}
    assert "12345678901234567890.5 as 1.2345678901234567e+19" in try_state.summary(model).plain
    model.put(("a",), 1)
    assert model.rounded == {}
