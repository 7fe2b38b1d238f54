"""YAML to plain data that knows where everything stood."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from core.language.tree import Map, Seq, SourceText, unpack
from core.language.yaml_fixes import ambiguity, comment_after
from core.language.yaml_reader import FRONTMATTER, YamlDocument, read_yaml, root_mapping


def read(text: str) -> YamlDocument:
    return read_yaml(text, "x.yaml")


def root(text: str) -> Any:
    document = read(text)
    assert document.diagnostics == []
    return document.root


def cut(text: str, span: int) -> str:
    start, end = unpack(span)
    return text[start:end]


def found(document: YamlDocument) -> list[tuple[str, int, int]]:
    return [(d.code, d.place.line, d.place.column) for d in document.diagnostics]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-12", -12),
        ("+7", 7),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("-2.5E-1", -0.25),
    ],
)
def test_plain_scalars_are_what_the_core_schema_says_and_keep_their_text(written: str, value: object) -> None:
    mapping = root(f"a: {written}\n")
    assert mapping == {"a": value}
    assert type(mapping["a"]) is type(value)
    assert mapping.raw == {"a": written}
    assert root(f"[{written or '~'}]").raw == {0: written or "~"}


@pytest.mark.parametrize(
    "written",
    [
        *(
            "no",
            "Yes",
            "on",
            "OFF",
            "y",
            "0755",
            "-012",
            "1:30",
            "190:20:30",
            "1_000",
            "0b11",
            "2024-01-01",
            "tRUE",
            "NuLL",
        ),
        *("=", "1.2.3", "1e", "0x", "0o8", "+", "-x", ".", "..", "12e03x", "é", "123abc", "--"),
    ],
)
def test_what_only_yaml_1_1_takes_for_something_else_stays_text(written: str) -> None:
    mapping = root(f"a: {written}\n")
    assert mapping == {"a": written}
    assert mapping.raw == {}


@pytest.mark.parametrize("written", ["'1'", '"true"', "|-\n  ~", ">-\n  12", "'no'"])
def test_quoted_and_block_scalars_are_text(written: str) -> None:
    assert isinstance(root(f"a: {written}\n")["a"], str)


def test_a_number_keeps_the_text_it_was_written_as() -> None:
    mapping = root("version: 1.10\nwidth: 007.50\n")
    assert mapping["version"] == 1.1
    assert mapping.raw == {"version": "1.10", "width": "007.50"}


def test_each_key_and_value_knows_where_it_stands() -> None:
    text = "# head\nname: local/x\n'tools': [a, \"b\"]\nmore:\n  - c: d # tail\n  -\n"
    mapping = root(text)
    assert {key: cut(text, span) for key, span in mapping.key_spans.items()} == {
        "name": "name",
        "tools": "'tools'",
        "more": "more",
    }
    assert cut(text, mapping.spans["name"]) == "local/x"
    assert cut(text, mapping.spans["tools"]) == '[a, "b"]'
    assert [cut(text, span) for span in mapping["tools"].spans] == ["a", '"b"']
    assert cut(text, mapping["more"].spans[0]) == "c: d"
    assert cut(text, mapping["more"].span) == "- c: d # tail\n  -"
    assert mapping["more"][0].span == mapping["more"].spans[0]
    assert cut(text, mapping.span) == text[7:-1]


def test_offsets_count_characters_not_bytes() -> None:
    text = "ä: 😀😀\nö: x\n"
    mapping = root(text)
    assert cut(text, mapping.spans["ä"]) == "😀😀"
    assert cut(text, mapping.key_spans["ö"]) == "ö"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_with_lf_crlf_or_cr(end: str) -> None:
    text = end.join(["a: b", "c:", "  d: e", ""])
    document = read(text)
    assert document.root == {"a": "b", "c": {"d": "e"}}
    place = document.source.place(document.root["c"].spans["d"])
    assert (place.line, place.column) == (3, 6)


def test_separators_that_only_yaml_1_1_takes_for_line_ends_stay_in_the_text_with_a_warning() -> None:
    document = read('a: b\u2028c\nd: "e\x85f\u2029g"\nh: i\n')
    assert document.root == {"a": "b\u2028c", "d": "e\x85f\u2029g", "h": "i"}
    assert found(document) == [
        ("yaml/line-separator", 1, 5),
        ("yaml/line-separator", 2, 6),
        ("yaml/line-separator", 2, 8),
    ]
    assert document.ok


def test_a_separator_hides_no_second_key() -> None:
    document = read("name: local/x\ndescription: a\u2028extra: b\x85version: c\n")
    assert "extra" not in document.root
    assert found(document)[-1] == ("yaml/unquoted-colon", 2, 21)


def test_many_separators_give_one_warning_of_each_kind() -> None:
    document = read("a: " + "x\u2028" * 500 + "\n")
    assert found(document) == [("yaml/line-separator", 1, 5)]
    assert "499 more times" in document.diagnostics[0].message


def test_a_byte_order_mark_at_the_start_is_passed_over_but_counts_as_a_character() -> None:
    text = "\ufeffa: b\n"
    mapping = root(text)
    assert mapping == {"a": "b"}
    assert cut(text, mapping.spans["a"]) == "b"
    assert found(read("\ufeff'")) == [("yaml/syntax", 1, 2)]


def test_anchors_and_aliases_are_read_and_told() -> None:
    text = "a: &x [1, 2]\nb: *x\nc: &y no\nd: *y\ne: &z\n  f: g\nh: *z\n"
    document = read(text)
    assert document.root["b"] is document.root["a"]
    assert document.root["d"] == "no"
    assert document.root["h"] == {"f": "g"}
    assert [cut(text, span) for span in document.aliases] == ["&x", "*x", "&y", "*y", "&z", "*z"]
    assert cut(text, document.root.spans["c"]) == "no"
    assert document.ok


def test_an_anchor_given_twice_means_the_last_one() -> None:
    assert root("- &a 1\n- *a\n- &a 2\n- *a\n") == [1, 1, 2, 2]


def test_collections_in_brackets_are_told_inner_ones_first() -> None:
    text = "a: {b: [c]}\nd:\n  - e\n"
    assert [cut(text, span) for span in read(text).flow_collections] == ["[c]", "{b: [c]}"]


def test_frontmatter_has_the_places_of_the_whole_file() -> None:
    whole = "---\nname: x\nmetadata:\n  a: &a 1\n  a: *a\n  b: !t 1\n---\nbody\n"
    source = SourceText("SKILL.md", whole)
    start, end = whole.index("name"), whole.index("---", 3)
    document = read_yaml(whole[start:end], "SKILL.md", source=source, offset=start, limits=FRONTMATTER)
    assert document.source.place(document.root.spans["name"]).line == 2
    assert cut(whole, document.root["metadata"].key_spans["b"]) == "b"
    assert [cut(whole, span) for span in document.aliases] == ["&a", "*a"]
    assert found(document) == [("yaml/duplicate-key", 5, 3), ("yaml/tag", 6, 6)]
    assert document.diagnostics[0].related[0].place.line == 4


def test_a_fault_in_frontmatter_is_placed_in_the_whole_file() -> None:
    whole = "---\nname: x\ndescription: Use when: it rains\n---\n"
    document = read_yaml(whole[4:-4], "SKILL.md", source=SourceText("SKILL.md", whole), offset=4)
    assert found(document) == [("yaml/unquoted-colon", 3, 22)]
    fix = document.diagnostics[0].fix
    assert fix is not None
    assert (fix.edits[0].place.line, fix.edits[0].place.column) == (3, 14)


@pytest.mark.parametrize(
    ("text", "empty"),
    [("", True), ("# only this\n", True), ("\n\n", True), ("---\n", False), ("~", False), ("a: b", False)],
)
def test_an_empty_document_is_told_apart_from_null(text: str, empty: bool) -> None:
    assert read(text).empty is empty


@pytest.mark.parametrize(
    ("text", "code", "line", "says"),
    [
        ("", "yaml/empty", 1, "empty"),
        ("# x\n", "yaml/empty", 1, "empty"),
        ("# x\n\n- a\n", "yaml/not-mapping", 3, "found a list"),
        ("# x\nhello\n", "yaml/not-mapping", 2, "found a single value"),
        ("--- # x\n~\n", "yaml/not-mapping", 2, "found nothing"),
        ("---\n", "yaml/not-mapping", 2, "found nothing"),
        ("[a, b]", "yaml/not-mapping", 1, "found a list"),
    ],
)
def test_a_root_that_is_no_mapping_is_told(text: str, code: str, line: int, says: str) -> None:
    finding = root_mapping(read(text), "a skill file")
    assert not isinstance(finding, Map)
    assert (finding.code, finding.place.line) == (code, line)
    assert says in finding.message
    assert "a skill file" in finding.message


def test_a_root_that_is_a_mapping_is_returned() -> None:
    document = read("a: b\n")
    assert root_mapping(document, "a skill file") is document.root


def test_a_document_may_begin_and_end_with_its_marks() -> None:
    assert root("---\na: b\n...\n") == {"a": "b"}
    assert root("%YAML 1.2\n---\na: b\n") == {"a": "b"}


def test_json_is_yaml() -> None:
    assert root('{\n\t"a": [1, true, null, "x\\ny"],\n\t"b": {}\n}\n') == {"a": [1, True, None, "x\ny"], "b": {}}


def test_pairs_of_escapes_as_json_writes_them_are_one_character() -> None:
    text = '{"a": "x \\ud83d\\ude00 y", "b": "\\uD83D\\uDE00", "c": 1}\n'
    mapping = root(text)
    assert mapping == {"a": "x 😀 y", "b": "😀", "c": 1}
    assert cut(text, mapping.spans["c"]) == "1"
    assert found(read('a: "\\ud83d\\ude00"\nb: [c\n')) == [("yaml/syntax", 2, 4)]
    assert found(read('a: "\\ud83d"\n')) == [("yaml/syntax", 1, 5)]


def test_a_text_that_uses_every_private_character_still_keeps_its_separators() -> None:
    text = "a: " + "".join(map(chr, range(0xE000, 0xF900))) + "\u2028\n"
    assert read(text).root["a"].endswith("\uf8ff\u2028")


@pytest.mark.parametrize(
    ("text", "key"),
    [("a: no\n", "a"), ("- x\n- 1.10\n", 1), ("a: 2024-01-01 # x\n", "a"), ("a: &b off\n", "a"), ("{a: 0o7}", "a")],
)
def test_a_text_that_other_readers_take_for_something_else_gets_a_warning_and_a_fix(text: str, key: str | int) -> None:
    document = read(text)
    finding = ambiguity(document.source, document.root, key)
    assert finding is not None
    assert finding.code == "yaml/ambiguous-scalar"
    assert finding.fix is not None
    [edit] = finding.fix.edits
    start, end = (
        sum(len(line) + 1 for line in text.split("\n")[: edit.place.line - 1]) + column - 1
        for column in (edit.place.column, edit.place.end_column or 0)
    )
    fixed = read(text[:start] + edit.text + text[end:])
    assert isinstance(fixed.root[key], str)
    assert fixed.root[key] == (document.root.raw.get(key) or document.root[key])
    assert ambiguity(fixed.source, fixed.root, key) is None


@pytest.mark.parametrize(
    "text", ["a: 'no'\n", 'a: "1.10"\n', "a: nothing\n", "a: >-\n  no\n", "a: no\n  more\n", "a:\n", "a: []\n"]
)
def test_other_texts_are_not_ambiguous(text: str) -> None:
    document = read(text)
    assert ambiguity(document.source, document.root, "a") is None


@pytest.mark.parametrize(
    ("text", "comment"),
    [("a: b # c\n", " # c"), ("a: b#c\n", None), ("a: b\n# c\n", None), ("a: b  \t# c\r\n", "  \t# c"), ("a: b", None)],
)
def test_the_comment_that_cuts_a_value_is_found(text: str, comment: str | None) -> None:
    span = comment_after(text, root(text).spans["a"])
    assert (span and cut(text, span)) == comment


def test_the_comment_after_a_value_of_frontmatter_has_its_place_in_the_whole_file() -> None:
    whole = "---\na: b # c\n---\n"
    document = read_yaml(whole[4:-4], "SKILL.md", source=SourceText("SKILL.md", whole), offset=4)
    span = comment_after(whole[4:-4], document.root.spans["a"], 4)
    assert span is not None
    assert cut(whole, span) == " # c"


def test_lines_of_a_source_begin_where_an_editor_begins_them() -> None:
    text = "a\nb\r\nc\rd\n\r\n\x85\u2028e"
    starts = list(SourceText("x", text).line_starts)
    assert [text[a:b] for a, b in pairwise([*starts, len(text)])] == [
        "a\n",
        "b\r\n",
        "c\r",
        "d\n",
        "\r\n",
        "\x85\u2028e",
    ]


def test_mappings_and_lists_made_by_hand_have_spans_too() -> None:
    mapping, items = Map(3), Seq(4)
    mapping.spans["a"] = 1
    items.raw[0] = "x"
    assert (mapping.span, mapping.spans, mapping.key_spans, mapping.raw) == (3, {"a": 1}, {}, {})
    assert (items.span, items.spans, items.raw) == (4, [], {0: "x"})


def test_keys_that_are_none_move_no_place_of_the_others() -> None:
    text = "a: 1\n? [x]\n: {y: z}\n1: two\na: 3\n<<: {q: r}\nb: [c]\n"
    mapping = read(text).root
    assert isinstance(mapping, Map)
    assert list(mapping) == list(mapping.spans) == list(mapping.key_spans) == ["a", "b"]
    assert [cut(text, span) for span in mapping.key_spans.values()] == ["a", "b"]
    assert [cut(text, span) for span in mapping.spans.values()] == ["1", "[c]"]


@pytest.mark.parametrize("more", ["", "z: &anchor x\n"], ids=["plain", "with an anchor"])
def test_what_is_no_text_keeps_its_text_whichever_way_it_is_read(more: str) -> None:
    mapping = read(f'a: 0x10\nb: "7"\nc: [1.50, x, ~, [y]]\nd: {{e: yes, f: True}}\ng:\nh: .inf\n{more}').root
    assert isinstance(mapping, Map)
    assert mapping.raw == {"a": "0x10", "g": "", "h": ".inf"}
    assert mapping["c"].raw == {0: "1.50", 2: "~"}
    assert mapping["d"].raw == {"f": "True"}
