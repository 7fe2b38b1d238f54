"""What is wrong with the YAML: one finding for each fault, at its place, in the author's words."""

from __future__ import annotations

import pytest

from core.diagnostics import Diagnostic
from core.language.yaml_reader import YamlDocument, read_yaml


def read(text: str) -> YamlDocument:
    return read_yaml(text, "x.yaml")


def only(text: str) -> Diagnostic:
    document = read(text)
    assert len(document.diagnostics) == 1, document.diagnostics
    assert not document.ok
    return document.diagnostics[0]


def mended(text: str, finding: Diagnostic) -> str:
    """Apply the fix of ``finding``, as an editor would."""
    assert finding.fix is not None
    [edit] = finding.fix.edits
    lines = text.split("\n")
    line = lines[edit.place.line - 1]
    assert edit.place.end_line == edit.place.line
    assert edit.place.end_column is not None
    lines[edit.place.line - 1] = line[: edit.place.column - 1] + edit.text + line[edit.place.end_column - 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: b\ntools:\n\t- x\n", 3, 1),
        ("a:\n\tb: c\n", 2, 1),
        ("a:\n  - b\n \t- c\n", 3, 2),
        ("a: x\n\ty\n", 2, 1),
        ("a: |\n\tx\n", 2, 1),
        ("a:\n  b: |\n  \tx\n", 3, 3),
        ("\ta: b\n", 1, 1),
        ("a:\r\n\tb: c\r\n", 2, 1),
        ("a:\r\tb: c\r", 2, 1),
        ("# caf\u00e9\na:\n\tb: c\n", 3, 1),
    ],
)
def test_a_tab_in_indentation_is_reported_at_the_tab(text: str, line: int, column: int) -> None:
    finding = only(text)
    assert (finding.code, finding.place.line, finding.place.column) == ("yaml/tab", line, column)


def test_tabs_between_things_are_fine() -> None:
    assert read("a:\tb\nc: [d,\te]\n").diagnostics == []


@pytest.mark.parametrize(
    ("text", "line", "column", "value"),
    [
        ("name: x\ndescription: Use when: the colon hurts\n", 2, 22, "Use when: the colon hurts"),
        ("a: b:\n", 1, 5, "b:"),
        ("- a: b: c\n- d\n", 1, 7, "b: c"),
        ('a: say "hi": he # not this\n', 1, 12, 'say "hi": he'),
        ("a: c:\\temp: 'x'\n", 1, 11, "c:\\temp: 'x'"),
        ("a:\n  b: c: d\n", 2, 7, "c: d"),
        ("a: \u00e9: b\r\nc: d\r\n", 1, 5, "\u00e9: b"),
    ],
)
def test_a_value_with_a_colon_is_put_in_quotes_by_its_fix(text: str, line: int, column: int, value: str) -> None:
    finding = only(text)
    assert (finding.code, finding.place.line, finding.place.column) == ("yaml/unquoted-colon", line, column)
    assert value in finding.message.replace("…", "")
    document = read(mended(text, finding))
    assert document.diagnostics == []
    assert value in str(document.root).replace("\\\\", "\\").replace("\\'", "'")


def test_an_indented_line_with_a_colon_may_be_a_key_or_text_and_has_no_fix() -> None:
    finding = only("name: x\ndescription: Counts.\n\n  Keywords: lamps\nlicense: MIT\n")
    assert (finding.code, finding.place.line, finding.place.column) == ("yaml/unquoted-colon", 4, 11)
    assert "`Keywords:` is indented" in finding.message
    assert finding.fix is None


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("a: b\nCounts the lamps\nc: d\n", 2, 1, "`Counts the lamps` is no key"),
        ("a: b\nhello", 2, 1, "`hello` is no key"),
        ('a: "x\nb: c\n', 1, 4, 'the quote " of line 1, column 4, is not closed; add the closing "'),
        ("a: 'x\n", 1, 4, "the quote ' of line 1, column 4, is not closed"),
        ('a: "First\n---\nsecond"\n', 1, 4, "is not closed"),
        ('a: "L" - c\n', 1, 8, '`- c` follows the closing quote of `"L"`'),
        ("a: 'it's'\n", 1, 8, "`s'` follows the closing quote of `'it'`"),
        ('a: "b": c\n', 1, 7, "follows the closing quote"),
        ("a: [x, y\nb: c\n", 1, 4, "the bracket [ of line 1, column 4, is not closed"),
        ("a: {x: y\n", 1, 4, "the bracket { of line 1, column 4, is not closed"),
        ("a: [x y z}\n", 1, 10, "} stands where the bracket [ of line 1, column 4, is still open; add the closing ]"),
        ("a: [\n", 1, 4, "the bracket [ of line 1, column 4, is not closed; add the closing ]"),
        ("a: [x,\n", 1, 4, "the bracket [ of line 1, column 4, is not closed"),
        ("a: [{b: [x, '[']}, {c:\n\n", 1, 20, "the bracket { of line 1, column 20, is not closed"),
        ("a: {\n", 1, 4, "the bracket { of line 1, column 4, is not closed; add the closing }"),
        ("# [\na: {b: [x]\n", 2, 4, "the bracket { of line 2, column 4, is not closed"),
        ("a: {b: x]\n", 1, 9, "] stands where the bracket { of line 1, column 4, is still open"),
        (
            'a: "x\nb: "y"\nc: d\n',
            1,
            4,
            'the quote " of line 1, column 4, is closed only before `y"`, lines below; add the',
        ),
        ("a: - x\n", 1, 4, "a list item can't begin here"),
        ("a: b\n- c\n", 2, 1, "a list item stands among the keys"),
        ("a:\n  - x\n - y\n", 3, 2, "a list item stands among the keys"),
        ("- a\nb: c\n", 2, 1, "is no item of the list"),
        ('a: "x"\n  b: c\n', 2, 3, "begins in column 3, but the keys of the mapping around it begin in column 1"),
        ("  a: b\n c: d\n", 2, 2, "stands outside the document"),
        ("[a] b\n", 1, 5, "follows the end of the value"),
        ("a:b\nc: d\n", 1, 1, "a blank is missing after the colon of `a:`"),
        ("name x\ndescription: y\n", 1, 1, "`name x` has no colon"),
        (": q\na: b\n", 1, 1, "missing"),
        ("a: b\n: q\n", 2, 1, "a key is missing before this colon"),
        ("a: |x\n  y\n", 1, 5, "after | the text must begin on the next line"),
        ("%FOO x\n---\na: b\n", 1, 1, "directive"),
        ("a: %x\n", 1, 4, "a value can't begin with `%`"),
        ('a: "\\d+"\n', 1, 5, "`\\d` is no escape sequence"),
        ('a: "\\uD800"\n', 1, 5, "`\\uD800` is half of a character"),
        ('a: "\\u12"\n', 1, 5, "`\\u` is no escape sequence"),
        ("a: [x] y\n", 1, 8, "`y` follows the closing ]"),
        ("- {a: b} c\n", 1, 10, "`c` follows the closing }"),
        ('a: "\\xZZ"\n', 1, 5, "`\\x` is no escape sequence"),
        ("a: ? b\n", 1, 4, "a value can't begin with `? `"),
    ],
)
def test_other_faults_are_told_where_they_stand(text: str, line: int, column: int, says: str) -> None:
    finding = only(text)
    assert (finding.place.line, finding.place.column) == (line, column), finding
    assert says.lower() in finding.message.lower()
    assert finding.code in ("yaml/syntax", "yaml/key-type")


@pytest.mark.parametrize("value", ["[name] [what]", "{a} and {b}", "[x] y: z"])
def test_a_value_that_goes_on_after_a_bracket_is_put_in_quotes_by_its_fix(value: str) -> None:
    text = f"a: {value}\nb: c\n"
    assert read(mended(text, only(text))).root == {"a": value, "b": "c"}


@pytest.mark.parametrize("value", ["@home", "`code`", "%x", "*Important* lamps", "*all", "}x", "]", ",x", "&a& b"])
def test_a_value_that_begins_with_a_mark_is_put_in_quotes_by_its_fix(value: str) -> None:
    text = f"a: {value}\nb: c\n"
    finding = only(text)
    assert (finding.code, finding.place.line, finding.place.column) == ("yaml/syntax", 1, 4)
    document = read(mended(text, finding))
    assert document.diagnostics == []
    assert document.root["a"] == value


def test_a_key_that_is_given_twice_is_told_at_the_second_with_the_first() -> None:
    document = read("a: 1\nb: 2\n'a': 3\nc: {d: 1, d: 2}\n")
    assert [(d.code, d.place.line, d.place.column) for d in document.diagnostics] == [
        ("yaml/duplicate-key", 3, 1),
        ("yaml/duplicate-key", 4, 11),
    ]
    assert [d.related[0].place.line for d in document.diagnostics] == [1, 4]
    assert document.root == {"a": 1, "b": 2, "c": {"d": 1}}


def test_the_value_under_a_second_key_leaves_no_trace() -> None:
    document = read("a: 1\na: {b: [c]}\nd: e\n")
    assert document.root == {"a": 1, "d": "e"}
    assert set(document.root.spans) == set(document.root.key_spans) == {"a", "d"}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("? [a]\n: 1\n? {b: 1}\n: 2\nname: x\n", [(1, 3), (3, 3)]),
        ("1: x\n'1': y\n", [(1, 1)]),
        ("null: z\ntrue: q\n0o17: 1\n1.5: 2\n~: 3\n", [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]),
        ("a: &x b\n*x : c\n", [(2, 1)]),
        ("? - a\n  - b\n: {c: d}\n", [(1, 3)]),
    ],
)
def test_keys_that_are_no_text_are_told_and_left_out(text: str, places: list[tuple[int, int]]) -> None:
    document = read(text)
    assert [(d.code, d.place.line, d.place.column) for d in document.diagnostics] == [
        ("yaml/key-type", *place) for place in places
    ]
    assert all(isinstance(key, str) and key.isprintable() for key in document.root)
    assert list(document.root) == list(document.root.spans)


def test_a_number_as_a_key_is_put_in_quotes_by_its_fix() -> None:
    assert read(mended("1: x\n", only("1: x\n"))).root == {"1": "x"}


def test_yes_and_no_are_keys_like_others() -> None:
    assert read("yes: 1\non: 2\n=: 3\n").root == {"yes": 1, "on": 2, "=": 3}


def test_a_merge_key_is_refused_and_a_quoted_one_is_text() -> None:
    document = read("a: &x {b: c}\nd:\n  <<: *x\n  e: f\n")
    assert [(d.code, d.place.line, d.place.column) for d in document.diagnostics] == [("yaml/merge-key", 3, 3)]
    assert document.root["d"] == {"e": "f"}
    assert read("'<<': a\nb: <<\n").root == {"<<": "a", "b": "<<"}


@pytest.mark.parametrize(
    ("value", "tag"),
    [
        ("!!python/object/apply:os.system ['touch /tmp/x']", "!!python/object/apply:os.system"),
        ("!!python/name:os.system", "!!python/name:os.system"),
        ("!!binary aGk=", "!!binary"),
        ("!!set {x, y}", "!!set"),
        ("!!str x", "!!str"),
        ("! 12", "!"),
        ("!<tag:yaml.org,2002:int> 3", "!<tag:yaml.org"),
        ("!local [x]", "!local"),
        ("&a !x b", "!x"),
        ("!e!x b", "!e!x"),
    ],
)
def test_a_tag_is_refused_at_its_place(value: str, tag: str) -> None:
    finding = only(f"a: {value}\n")
    assert finding.code == "yaml/tag"
    assert (finding.place.line, finding.place.column) == (1, 4 + value.index("!"))
    assert tag in finding.message


def test_an_exclamation_mark_inside_a_text_is_no_tag() -> None:
    assert read("a: hi!\nb: 'x !y'\nc: [d !e]\n").diagnostics == []


@pytest.mark.parametrize("value", [".nan", ".inf", "-.INF", "1e999", "-1e999"])
def test_a_number_that_json_has_not_is_refused_and_read_as_null(value: str) -> None:
    document = read(f"a: {value}\nb: c\n")
    assert [(d.code, d.place.line, d.place.column) for d in document.diagnostics] == [("yaml/not-json", 1, 4)]
    assert document.root == {"a": None, "b": "c"}
    assert document.root.raw["a"] == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("name: a\n---\nname: b\n", 2),
        ("---\nname: a\n...\n---\nname: b\n", 4),
        ("name: a\n...\nname: b\n", 3),
        ("a: b\n---\n", 2),
    ],
)
def test_a_second_document_is_an_error_at_its_line(text: str, line: int) -> None:
    finding = only(text)
    assert (finding.code, finding.place.line) == ("yaml/multi-document", line)


@pytest.mark.parametrize(
    ("text", "line", "column", "name"),
    [
        ("a: b\nc: d\x1be\n", 2, 5, "U+001B (ESC)"),
        ("a: \x00\n", 1, 4, "U+0000 (NUL)"),
        ("a: b\x7f\n", 1, 5, "U+007F (DEL)"),
        ("a: \x9b2J\n", 1, 4, "U+009B"),
        ("a: \ud800\n", 1, 4, "U+D800"),
        ("a: \uffff\n", 1, 4, "U+FFFF"),
        ("a: \u00e9\x07", 1, 5, "U+0007 (BEL)"),
    ],
)
def test_a_control_character_is_told_by_its_number(text: str, line: int, column: int, name: str) -> None:
    finding = only(text)
    assert (finding.code, finding.place.line, finding.place.column) == ("yaml/control-character", line, column)
    assert name in finding.message


def test_escapes_in_quotes_may_stand_for_control_characters() -> None:
    assert read('a: "a\\0b\\e\\x9b\\u202e"\n').root == {"a": "a\0b\x1b\x9b\u202e"}


def test_what_was_read_before_a_fault_is_kept() -> None:
    document = read("name: local/x\ntools:\n  - a\n  - b: {c: d\ne: f\n")
    assert document.root["name"] == "local/x"
    assert document.root["tools"][0] == "a"
    assert len(document.root["tools"].spans) == len(document.root["tools"])


def test_faults_of_different_lines_are_all_told() -> None:
    document = read("a: !x 1\na: 2\nb: .nan\nc: *d\ne: 'f\n")
    assert [(d.code, d.place.line) for d in document.diagnostics] == [
        ("yaml/tag", 1),
        ("yaml/duplicate-key", 2),
        ("yaml/not-json", 3),
        ("yaml/syntax", 4),
        ("yaml/syntax", 5),
    ]


def test_no_message_shows_a_control_character_or_grows_without_bound() -> None:
    for text in (
        '"\\e[2J": 1\n"\\e[2J": 2\n',
        "a: !" + "x" * 5_000 + " b\n",
        "k" * 5_000 + ": 1\n" + "k" * 5_000 + ": 2\n",
    ):
        for finding in read(text).diagnostics:
            assert finding.message.isprintable()
            assert len(finding.message) < 300
