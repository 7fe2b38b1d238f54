"""The data behind a result on the screen: lines of a JSON tree, wrapped text, two outputs compared."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from json_values import JSON_VALUES

from core.runtime.call import CallEvent
from core.text import display
from explorer.presenters.diffs import compared_lines, printed_lines
from explorer.services.compare import pairs
from explorer.services.json_rows import PAGE, JsonTree, walk, wrapped

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=25,
)


def unfold_all(tree: JsonTree) -> None:
    at = 0
    while at < len(tree.lines):
        tree.unfold(at)
        if tree.lines[at].rest:
            tree.more(at)
            continue
        at += 1


@given(JSON)
def test_unfolded_whole_a_tree_has_a_line_for_each_value(value: Any) -> None:
    tree = JsonTree(value)
    unfold_all(tree)
    assert len([line for line in tree.lines if line.text is None]) == len(list(walk(value)))


@settings(max_examples=100)
@given(JSON, st.lists(st.integers(0, 40), max_size=12))
def test_folding_what_was_unfolded_gives_the_same_lines(value: Any, places: list[int]) -> None:
    tree = JsonTree(value)
    for place in places:
        at = place % len(tree.lines)
        line = tree.lines[at]
        before = [id(one) for one in tree.lines]
        if line.foldable and not line.open:
            tree.unfold(at)
            tree.fold(at)
            assert [id(one) for one in tree.lines] == before
            tree.unfold(at)
        elif line.open:
            tree.fold(at)


@given(JSON)
def test_every_value_can_be_revealed_by_its_path(value: Any) -> None:
    for path, _ in walk(value):
        tree = JsonTree(value)
        tree.fold(0)
        line = tree.lines[tree.reveal(path)]
        found = value
        for key in path:
            found = found[key]
        assert line.value is found or line.value == found


def test_a_small_result_is_unfolded_and_a_large_one_begins_with_its_first_level() -> None:
    small = JsonTree({"a": [1, 2], "b": {"c": "x"}})
    assert [line.key for line in small.lines] == [None, "a", 0, 1, "b", "c"]
    large = JsonTree({"rows": [{"n": n} for n in range(100)], "total": 100})
    assert [line.key for line in large.lines] == [None, "rows", "total"]


def test_fifty_thousand_items_come_a_thousand_at_a_time() -> None:
    tree = JsonTree(list(range(50_000)))
    assert len(tree.lines) == PAGE + 2
    assert tree.lines[-1].rest == 49_000
    tree.more(PAGE + 1)
    assert (tree.lines[-1].rest, tree.lines[PAGE + 1].value) == (48_000, 1000)
    assert tree.lines[tree.reveal((49_999,))].value == 49_999


def test_a_value_nested_a_hundred_thousand_deep_can_be_walked_and_copied() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    tree = JsonTree(value)
    assert 1 < len(tree.lines) <= 100
    assert len(tree.find("nothing")) == 0
    assert tree.raw(0).startswith("no JSON")


def test_a_long_text_unfolds_into_its_own_lines_and_is_copied_raw() -> None:
    text = "first\nsecond " + "x" * 100
    tree = JsonTree({"content": text}, width=40)
    tree.unfold(1)
    assert [line.text for line in tree.lines[2:4]] == ["first", "second " + "x" * 29]
    assert tree.raw(1) == text
    assert tree.raw(3) == text
    assert json.loads(tree.raw(0)) == {"content": text}


def test_searching_looks_at_names_and_values_wherever_they_are_folded() -> None:
    value = {"Alpha": [{"beta": "GAMMA ray"}], "n": 42}
    tree = JsonTree(value)
    assert tree.find("alpha") == [("Alpha",)]
    assert tree.find("gamma R") == [("Alpha", 0, "beta")]
    assert tree.find("42") == [("n",)]
    assert tree.find("[/nope]") == []


@given(st.text(), st.integers(1, 30))
def test_wrapped_lines_are_safe_fit_and_lose_nothing(text: str, width: int) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = list(wrapped(text, width))
    assert "".join(lines) == display(plain, len(text) + 1, multiline=True).replace("\n", "")
    assert all(ord(char) >= 32 for line in lines for char in line)


def test_equal_outputs_say_so_and_differences_keep_their_surroundings() -> None:
    assert pairs("a\nb", "a\nb")[0].skipped == 2
    left = "\n".join(["{", *[f"line {n}" for n in range(50)], "}"])
    found = pairs(left, left.replace("line 25", "changed"))
    assert [(p.left, p.right) for p in found if not p.same] == [("line 25", "changed")]
    assert [p.skipped for p in found if p.skipped] == [24, 23]


@pytest.mark.parametrize(("equal", "skipped"), [(4, []), (5, []), (6, [2])])
def test_a_single_equal_line_stands_where_leaving_it_out_would_take_as_much_room(
    equal: int, skipped: list[int]
) -> None:
    same = "\n".join(f"line {n}" for n in range(equal))
    found = pairs(f"a\n{same}\nb", f"A\n{same}\nB")
    assert [p.skipped for p in found if p.skipped] == skipped


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_no_line_of_either_side_is_lost(a: list[str], b: list[str]) -> None:
    found = pairs("\n".join(a), "\n".join(b))
    skipped = sum(p.skipped for p in found)
    assert len([p for p in found if p.left is not None]) + skipped == max(1, len(a))
    assert len([p for p in found if p.right is not None]) + skipped == max(1, len(b))


def test_outputs_of_fifty_thousand_lines_are_compared_line_by_line() -> None:
    left = "\n".join(f"line {n}" for n in range(50_000))
    found = pairs(left, left.replace("line 777\n", "other\n"))
    assert [(p.left, p.right) for p in found if not p.same] == [("line 777", "other")]


def test_long_lines_are_compared_whole_row_by_row_up_to_a_cap_that_is_told() -> None:
    shown = [line.plain for line in compared_lines(pairs("a" * 150 + "X", "a" * 150 + "Y"), 103)]
    assert [len(line) for line in shown] == [103] * len(shown)
    assert "X" in "".join(shown)
    assert "Y" in "".join(shown)
    assert [line[:2] for line in shown] == ["- ", "  ", "  ", "  "]
    [*_, last] = compared_lines(pairs("a" * 5_000, "b"), 60)
    assert "+ b" in last.plain
    assert any("more characters" in line.plain for line in compared_lines(pairs("a" * 5_000, "b"), 60))


@given(st.dictionaries(st.text(), JSON_VALUES, max_size=4))
def test_a_value_is_copied_from_the_tree_with_every_digit_and_character(value: Any) -> None:
    tree = JsonTree(value)
    assert json.loads(tree.raw(0)) == value
    assert json.dumps(json.loads(tree.raw(0))) == json.dumps(value)


def test_in_a_narrow_comparison_all_that_was_stands_before_all_that_is() -> None:
    old, new = 'arguments {}\nerror {\n  "kind": 1\n}', "arguments {}\noutput [\n  2\n  3\n}"
    assert [line.plain.rstrip() for line in compared_lines(pairs(old, new), 60)] == [
        "  arguments {}",
        "- error {",
        '-   "kind": 1',
        "+ output [",
        "+   2",
        "+   3",
        "  }",
    ]


def test_the_number_of_a_log_is_that_of_its_printed_lines_while_it_comes_and_after() -> None:
    first = [CallEvent("stage", "execute"), CallEvent("log", "one\ntwo")]
    then = [CallEvent("progress", "half"), CallEvent("log", "three")]
    assert printed_lines(first) + printed_lines(then) == printed_lines([*first, *then]) == 3
