"""The quick way through YAML says what the long way says, and leaves to it what it can't say."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

import core.language.yaml_reader as reader
from core.language.tree import Map, Seq
from core.language.yaml_compose import compose
from core.language.yaml_limits import MAX_DEPTH

PIECES = st.lists(
    st.sampled_from(
        [
            *("name: x\n", "a: ", "b: ", "- ", "  ", "\n", "\r\n", "\r", "? ", ": ", "[", "]", "{", "}", ", ", "c"),
            *("# c\n", "&a ", "*a", "&", "!t ", "! ", "!= y", "!!str ", "<<: ", "[a: b]", "{a: [b]}", "[]", "1: 2\n"),
            *("|\n  t\n", ">-\n  t\n\n", "'q'", '"\\u00e9"', "---\n", "...\n", "no", "1.10", ".nan", "null", "~", "é"),
        ]
    ),
    max_size=20,
).map("".join)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from("ab!&*:#-?<= 1.~\n"), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab1<!", min_size=1, max_size=3), inner),
    max_leaves=12,
)
untimed = settings(deadline=None, max_examples=300)


def told(text: str) -> tuple[Any, ...]:
    """Return all that reading ``text`` tells."""
    document = reader.read_yaml(text, "x.yaml")
    found: list[Any] = []
    todo = [document.root]
    while todo and len(found) < 1_000:
        item = todo.pop()
        if isinstance(item, (Map, Seq)):
            found.append((type(item), len(item), item.span, item.spans, dict(item.raw)))
            found.append((list(item), item.key_spans) if isinstance(item, Map) else None)
            todo += item.values() if isinstance(item, Map) else item
        else:
            found.append((type(item), item))
    return found, document.diagnostics, document.flow_collections, document.aliases, document.documents


def told_the_long_way(text: str) -> tuple[Any, ...]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reader, "compose", lambda _text: None)
        return told(text)


@untimed
@given(PIECES)
@example("a: [b: c, {d: e}]\n")
@example("<<: x\n")
@example('"<<": x\n')
@example("a: ! 12\nb: x\n")
@example('{"a":! 12}\n')
@example("a:\n  - b\n\n# after\nc: {d: [e]}\n")
@example("- \n-\n- ''\n")
def test_both_ways_tell_the_same_of_any_text(text: str) -> None:
    assert told(text) == told_the_long_way(text)


@untimed
@given(DATA, st.sampled_from([None, True, False]))
def test_both_ways_tell_the_same_of_what_another_program_writes(data: Any, flow: bool | None) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow)
    assert told(text) == told_the_long_way(text)


@pytest.mark.parametrize("text", ["a: if x != y && z\nb: [1, {c: ~}]\n", "- a: |\n    !x\n  b: 2 * c\n"])
def test_usual_texts_go_the_quick_way(text: str) -> None:
    assert compose(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "x\n",
            "a: 1\na: 2\n",
            "1: a\n",
            "<<: {a: b}\n",
            "[a]: b\n",
            "a: &b c\n",
            "a: *b\n",
            "a: !t b\n",
            "a: ! b\n",
        ),
        *(
            "a: .nan\n",
            "a: b\n---\nc: d\n",
            "a: [\n",
            "a: \x00\n",
            "a: \ud800\n",
            "[" * MAX_DEPTH + "[" + "]" * MAX_DEPTH + "]",
        ),
    ],
)
def test_what_is_unusual_or_at_fault_is_left_to_the_long_way(text: str) -> None:
    assert compose(text) is None
