"""Whatever the text, reading it gives a document whose places all lie in it; nothing is ever raised."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from places import examples

from core.language.tree import Map, Seq, SourceText, unpack
from core.language.yaml_reader import FRONTMATTER, YamlDocument, read_yaml
from core.language.yaml_scalars import plain_value
from core.text import display

untimed = settings(deadline=None, max_examples=60)

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)
MARKS = st.text(st.sampled_from("ab:-?,[]{}#&*!|>'\"%@`\n\t\r ~.0\\<=\x85\u2028\ufeff\x00é😀"), max_size=60)
PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "name: x\n",
                "a: ",
                "- ",
                "  ",
                "\n",
                "? ",
                ": ",
                "[",
                "]",
                "{",
                "}",
                ", ",
                "# c\n",
                "&a ",
                "*a",
                "!t ",
                "<<: ",
            ),
            *(
                "|\n",
                ">-\n",
                "'",
                '"',
                "\\",
                "\\e",
                "\t",
                "---\n",
                "...\n",
                "%YAML 1.1\n",
                "no",
                "1.10",
                ".nan",
                "null",
                "0755",
            ),
            *("\r\n", "\u2028", "\x1b", "@", "`", "x: y: z\n", "é", "~: 1\n", "1: 2\n", "a: 1\na: 2\n", "    b: c\n"),
        ]
    ),
    max_size=25,
).map("".join)
LEAF = st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(allow_nan=False, allow_infinity=False)
WORD = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\x85\u2028\u2029\ufeff\ufffe\uffff"), max_size=12
).filter(lambda word: plain_value(word) is word)
DATA = st.dictionaries(
    WORD,
    st.recursive(
        LEAF | WORD, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORD, inner, max_size=4), max_leaves=20
    ),
    max_size=5,
)


def read_and_check(text: str) -> YamlDocument:
    document = read_yaml(text, "x.yaml")
    lines = len(document.source.line_starts)
    for finding in document.diagnostics:
        places = [finding.place, *(item.place for item in finding.related)]
        places += [edit.place for edit in (finding.fix.edits if finding.fix else ())]
        for place in places:
            assert 1 <= place.line <= lines
            assert (place.end_line or 0) >= place.line
            assert display(finding.message, 400) == finding.message
    check_spans(document.root, len(text))
    assert read_yaml(text, "x.yaml").diagnostics == document.diagnostics
    return document


def check_spans(root: Any, length: int) -> None:
    todo, seen = [root], set()
    while todo:
        item = todo.pop()
        if not isinstance(item, (Map, Seq)) or id(item) in seen:
            continue
        seen.add(id(item))
        spans = [item.span, *(item.spans.values() if isinstance(item, Map) else item.spans)]
        if isinstance(item, Map):
            spans += item.key_spans.values()
            assert all(isinstance(key, str) and key.isascii() is not None for key in item)
            assert set(item) <= set(item.spans)
            assert set(item.raw) <= set(item)
            todo += item.values()
        else:
            assert len(item.spans) == len(item)
            todo += item
        for start, end in map(unpack, spans):
            assert 0 <= start <= end <= length


@untimed
@given(ANY_TEXT | MARKS | PIECES)
def test_any_text_gives_a_document(text: str) -> None:
    read_and_check(text)


@untimed
@given(st.binary(max_size=120))
def test_any_bytes_that_are_text_give_a_document(data: bytes) -> None:
    read_and_check(data.decode("utf-8", "surrogateescape"))
    read_and_check(data.decode("latin-1"))


@untimed
@given(MARKS | PIECES, st.sampled_from(["", "x", "---\n", "é\n\r"]))
def test_frontmatter_is_read_as_the_same_text_alone_further_on(text: str, before: str) -> None:
    alone = read_yaml(text, "x")
    inside = read_yaml(text, "x", source=SourceText("x", before + text), offset=len(before), limits=FRONTMATTER)
    assert inside.root == alone.root
    assert [d.code for d in inside.diagnostics if d.code != "yaml/alias-limit"] == [
        d.code for d in alone.diagnostics if d.code != "yaml/alias-limit"
    ]
    if isinstance(alone.root, Map):
        shift = len(before) << 32 | len(before)
        assert inside.root.spans == {key: span + shift for key, span in alone.root.spans.items()}


@untimed
@given(DATA, st.sampled_from([None, True, False]), st.integers(1, 3))
def test_what_another_program_writes_is_read_back(data: dict[str, Any], flow: bool | None, indent: int) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow, indent=indent + 1, allow_unicode=True)
    document = read_and_check(text)
    assert document.diagnostics == []
    assert document.root == data


@untimed
@given(DATA, st.data())
def test_a_text_with_one_slip_still_gives_a_document(data: dict[str, Any], draw: st.DataObject) -> None:
    text = yaml.safe_dump(data, allow_unicode=True)
    at = draw.draw(st.integers(0, len(text)))
    slip = draw.draw(st.sampled_from(["", "\t", ":", " ", "\n", '"', "]", "- ", "&x ", "!y ", "\x00"]))
    read_and_check(text[:at] + slip + text[at + draw.draw(st.integers(0, 3)) :])


@pytest.mark.fuzz
@settings(max_examples=examples(10_000), deadline=None)
@given(ANY_TEXT | MARKS | PIECES)
def test_long_search_for_a_text_that_breaks_reading(text: str) -> None:
    read_and_check(text)


@pytest.mark.fuzz
@settings(max_examples=examples(2_000), deadline=None)
@given(DATA, st.sampled_from([None, True, False]), st.integers(1, 3))
def test_long_search_for_data_that_is_read_back_differently(
    data: dict[str, Any], flow: bool | None, indent: int
) -> None:
    test_what_another_program_writes_is_read_back.hypothesis.inner_test(data, flow, indent)
