"""Small files that stand for more than any program should read end at a limit that is told."""

from __future__ import annotations

import pytest

from core.language.tree import SourceText
from core.language.yaml_reader import FRONTMATTER, YamlDocument, read_yaml


def read(text: str) -> YamlDocument:
    return read_yaml(text, "x.yaml")


def found(document: YamlDocument) -> list[tuple[str, int, int]]:
    return [(d.code, d.place.line, d.place.column) for d in document.diagnostics]


def bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 10) + "]" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


def size(value: object) -> int:
    """Count the values of a document with every alias written out."""
    total, todo = 0, [value]
    while todo:
        total += 1
        assert total <= 400_000
        item = todo.pop()
        todo += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return total


def test_aliases_that_expand_to_millions_are_told_once_and_not_followed() -> None:
    document = read(bomb(10))
    assert found(document) == [("yaml/alias-limit", 6, 10)]
    assert "expands to more than 200,000 values" in document.diagnostics[0].message
    assert size(document.root) < 250_000


def test_aliases_that_expand_to_thousands_are_fine() -> None:
    document = read(bomb(4))
    assert document.diagnostics == []
    assert size(document.root) > 11_000


def test_aliases_of_lists_in_mappings_count_as_well() -> None:
    lines = ["m0: &m0 {a: 1, b: 2, c: 3, d: 4}"]
    lines += [f"m{n}: &m{n} {{a: *m{n - 1}, b: *m{n - 1}, c: *m{n - 1}, d: *m{n - 1}}}" for n in range(1, 15)]
    assert [code for code, *_ in found(read("\n".join(lines)))] == ["yaml/alias-limit"]


def test_in_frontmatter_too_many_aliases_are_only_left_out() -> None:
    text = bomb(10)
    document = read_yaml(text, "SKILL.md", source=SourceText("SKILL.md", text), limits=FRONTMATTER)
    assert document.diagnostics == []
    assert size(document.root) < 250_000
    assert len(document.aliases) == 10 + 90


@pytest.mark.parametrize(
    ("text", "column"), [("a: &a [*a]\n", 8), ("&a {b: *a}\n", 8), ("- &a\n  - *a\n", 5), ("&a [&b [*a], *b]", 9)]
)
def test_an_alias_inside_what_it_names_is_told_and_read_as_null(text: str, column: int) -> None:
    document = read(text)
    assert [(d.code, d.place.column) for d in document.diagnostics] == [("yaml/alias-limit", column)]
    assert size(document.root) < 10


def test_more_than_a_thousand_aliases_are_told_once() -> None:
    document = read("a: &a x\nb:\n" + "".join("  - *a\n" for _ in range(1_200)))
    assert found(document) == [("yaml/alias-limit", 1002, 5)]
    assert document.root["b"][0] == "x"
    assert document.root["b"][-1] is None


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", "")])
def test_sixty_four_levels_are_read_and_no_more(opening: str, closing: str) -> None:
    assert all(code != "yaml/limit" for code, *_ in found(read(opening * 64 + "x" + closing * 64)))
    document = read(opening * 65 + "x" + closing * 65)
    assert ("yaml/limit", 1, len(opening) * 64 + 1) in found(document)
    assert "nested deeper than 64 levels" in document.diagnostics[-1].message


@pytest.mark.parametrize("depth", [900, 1_500, 100_000])
def test_depths_that_stop_other_readers_stop_here_with_a_finding(depth: int) -> None:
    document = read("name: local/x\noverrides: {x: " + "[" * depth + "\n")
    assert [d.code for d in document.diagnostics] == ["yaml/limit"]
    assert document.root["name"] == "local/x"


@pytest.mark.parametrize(
    ("value", "weight"), [("a,", 1), ("~,", 1), ("'',", 1), ("{},", 4), ("[],", 4), ("{a: 1},", 7), ("[[]],", 8)]
)
def test_as_many_values_are_read_as_the_size_of_the_file_allows_and_no_more(value: str, weight: int) -> None:
    times = 60_000
    text = f"[{value * times}]"
    most = 30_000 + len(text) // 8
    document = read(text)
    assert [d.code for d in document.diagnostics] == ["yaml/limit"]
    assert f"more than {most:,} values" in document.diagnostics[0].message
    assert len(document.root) in range((most - 4) // weight - 1, most // weight + 1)
    assert read(f"[{value * ((30_000 - 4) // weight)}]").diagnostics == []


def test_a_long_list_of_choices_is_read_whole() -> None:
    text = "enum: [" + ", ".join(map(str, range(100_000))) + "]\n"
    assert read(text).diagnostics == []


def test_a_text_of_more_than_a_quarter_million_characters_is_told() -> None:
    assert read("a: " + "x" * 262_144 + "\n").diagnostics == []
    assert found(read("a: |\n  " + "x" * 262_145 + "\n")) == [("yaml/limit", 1, 4)]


@pytest.mark.parametrize("number", ["7" * 1_001, "0x" + "f" * 5_000, "1." + "0" * 5_000, "-" + "9" * 5_000])
def test_a_number_of_more_than_a_thousand_digits_is_told_and_no_text(number: str) -> None:
    document = read(f"a: {number}\n")
    assert found(document) == [("yaml/limit", 1, 4)]
    assert "A number has" in document.diagnostics[0].message
    assert document.root == {"a": None}


def test_a_base_60_number_of_any_length_is_text() -> None:
    text = "1" + ":30" * 3_000
    assert read(f"a: {text}\n").root == {"a": text}


def test_after_a_hundred_faults_the_rest_is_not_read() -> None:
    document = read("a: 1\n" * 100_000)
    assert len(document.diagnostics) == 101
    assert (document.diagnostics[-1].code, str(document.diagnostics[-1].severity)) == ("yaml/limit", "info")
    assert "more than 100 faults" in document.diagnostics[-1].message


def test_merge_keys_that_multiply_are_refused_one_by_one() -> None:
    lines = ["l0: &l0 {k: v}"]
    lines += [f"l{n}: &l{n} {{<<: [" + ", ".join([f"*l{n - 1}"] * 10) + "]}" for n in range(1, 8)]
    document = read("\n".join(lines))
    assert {d.code for d in document.diagnostics} == {"yaml/merge-key", "yaml/alias-limit"}
    assert size(document.root) < 100
