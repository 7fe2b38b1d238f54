"""Untrusted text: nothing that steers a terminal or hides from the reader gets through; and near names are found."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import display, nearest, safe_text, unsafe_character

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
NASTY = st.text(
    st.sampled_from(
        "a \t\n\r\x00\x1b\x7f\x85\x9b\u00ad\u200b\u200d\u202e\u2066\u3164\ufe0f\ufeff\U000e0041\udc80\ud800"
        "👩👧❤🏽1#\u20e3\u0301"
    ),
    max_size=40,
)
VISIBLE_FORMATS = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
INSIDE_EMOJI = set("\u200d\ufe0e\ufe0f")


def is_hidden(char: str) -> bool:
    category = unicodedata.category(char)
    if char in VISIBLE_FORMATS or char in "\t\n":
        return False
    return category in ("Cc", "Cf", "Cs", "Zl", "Zp") or "\ufe00" <= char <= "\ufe0f"


@pytest.mark.parametrize("code", [*range(0x09), *range(0x0B, 0x20)])
def test_each_control_character_is_shown_as_its_symbol(code: int) -> None:
    assert safe_text(f"a{chr(code)}b") == f"a{chr(0x2400 + code)}b"


@pytest.mark.parametrize(
    ("char", "shown"),
    [
        ("\x7f", "␡"),
        *((chr(code), f"<U+{code:04X}>") for code in range(0x80, 0xA0)),
        ("\u202e", "<U+202E>"),
        ("\u2066", "<U+2066>"),
        ("\u200b", "<U+200B>"),
        ("\ufeff", "<U+FEFF>"),
        ("\u00ad", "<U+00AD>"),
        ("\u2028", "<U+2028>"),
        ("\u2029", "<U+2029>"),
        ("\u3164", "<U+3164>"),
        ("\u115f", "<U+115F>"),
        ("\u180e", "<U+180E>"),
        ("\U000e0041", "<U+E0041>"),
        ("\U000e0101", "<U+E0101>"),
        ("\ufe0f", "<U+FE0F>"),
        ("\u200d", "<U+200D>"),
        ("\ud800", "<U+D800>"),
        ("\udc80", "<80>"),
        ("\udcff", "<FF>"),
        ("\uffff", "<U+FFFF>"),
        ("\U0001fffe", "<U+1FFFE>"),
    ],
)
def test_a_character_that_is_unsafe_or_invisible_is_shown_by_its_number(char: str, shown: str) -> None:
    assert safe_text(f"a{char}b") == f"a{shown}b"


@pytest.mark.parametrize(
    "text", ["plain", "Ünï\u0301 — “quotes” 日本語 العربية עברית", "a\tb\nc", "😀", "\u0e01\u0e33"]
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert safe_text(text) == text


@pytest.mark.parametrize("emoji", ["👩‍👩‍👧‍👦", "❤️", "❤️‍🔥", "👩🏽‍🚀", "1️⃣", "#⃣", "🏳️‍🌈", "🇩🇪", "▶️", "☀︎"])
def test_joiners_and_selectors_inside_emoji_stay(emoji: str) -> None:
    assert safe_text(f"x {emoji} y {emoji}") == f"x {emoji} y {emoji}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("👩\u200d", "👩<U+200D>"),
        ("👩\u200dx", "👩<U+200D>x"),
        ("x\u200d👩", "x<U+200D>👩"),
        ("❤\ufe0f\ufe0f", "❤️<U+FE0F>"),
        ("👩\u200d\u200d👩", "👩<U+200D><U+200D>👩"),
        ("🏴\U000e0067\U000e007f", "🏴<U+E0067><U+E007F>"),
    ],
)
def test_what_pretends_to_belong_to_an_emoji_is_shown(text: str, shown: str) -> None:
    assert safe_text(text) == shown


def test_a_pile_of_combining_marks_is_cut_to_a_readable_height() -> None:
    assert safe_text("e" + "\u0301" * 5000 + "x") == "e" + "\u0301" * 4 + "<4,996 more marks>x"
    assert safe_text("e" + "\u0301" * 4 + "x") == "e" + "\u0301" * 4 + "x"


@given(ANY_TEXT | NASTY)
def test_no_hidden_character_passes_but_those_inside_emoji(text: str) -> None:
    left = {char for char in safe_text(text) if is_hidden(char)}
    assert left <= INSIDE_EMOJI


@given(ANY_TEXT | NASTY)
def test_making_text_safe_twice_changes_nothing_more(text: str) -> None:
    once = safe_text(text)
    assert safe_text(once) == once


@given(ANY_TEXT | NASTY)
def test_nothing_is_dropped(text: str) -> None:
    assert len(safe_text(text)) >= len(text) or "more marks>" in safe_text(text)


@given(ANY_TEXT | NASTY)
def test_an_unsafe_character_is_found_exactly_where_text_would_change(text: str) -> None:
    at = unsafe_character(text)
    if at is None:
        assert safe_text(text.replace("\r", "")) == text.replace("\r", "")
    else:
        assert safe_text(text) != text


@given(ANY_TEXT | NASTY, st.integers(0, 30), st.booleans())
def test_display_shows_one_line_or_many_without_tabs(text: str, limit: int, multiline: bool) -> None:
    shown = display(text, limit, multiline=multiline)
    assert "\t" not in shown
    assert "\r" not in shown
    assert multiline or "\n" not in shown


def test_display_tells_how_much_it_leaves_out() -> None:
    assert display("x" * 1_234_567, 10) == "xxxxxxxxxx… 1,234,557 more"
    assert display("x" * 10, 10) == "xxxxxxxxxx"


def test_display_shows_line_ends_and_tabs_as_symbols_on_one_line() -> None:
    assert display("a\r\nb\tc\n") == "a␊b␉c␊"
    assert display("a\r\nb\tc\rd", multiline=True) == "a\nb   c␍d"


KEYS = [
    *("name", "description", "version", "read_only", "builtin_groups", "tools", "anonymous_tools", "includes"),
    *("mcp_servers", "agent_skill_folders", "overrides", "input_schema", "output_schema"),
]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("include", "includes"),
        ("desc", "description"),
        ("Description", "description"),
        ("builtin", "builtin_groups"),
        ("mcpServers", "mcp_servers"),
        ("agent_folders", "agent_skill_folders"),
        ("overide", "overrides"),
        ("nmae", "name"),
        ("toolz", "tools"),
        ("schema", "input_schema"),
    ],
)
def test_the_key_that_was_meant_comes_first(word: str, meant: str) -> None:
    assert nearest(word, KEYS)[0] == meant


@pytest.mark.parametrize("word", ["xyz", "q", "", "zzzzzzzzzzzzzzzzzzzzzzzz"])
def test_a_word_like_none_of_them_finds_nothing(word: str) -> None:
    assert nearest(word, KEYS) == []


def test_a_name_without_its_namespace_finds_the_whole_name() -> None:
    assert nearest("git-ops", ["local/git-ops", "local/web"]) == ["local/git-ops"]


def test_the_word_itself_is_no_suggestion() -> None:
    assert nearest("tools", ["tools", "tool"]) == ["tool"]


def test_no_more_than_the_limit_is_returned() -> None:
    assert len(nearest("tool-1", [f"tool-{n}" for n in range(50)], limit=2)) == 2


@pytest.mark.parametrize(
    "slip", ["local/raed-file-777", "local/read-fil-777", "local/reed_file-777", "LOCAL/READ-FILE-777"]
)
def test_among_many_thousand_names_the_one_that_was_meant_comes_first(slip: str) -> None:
    names = [f"local/{verb}-{what}-{n}" for n in range(800) for verb in ("read", "list") for what in ("file", "page")]
    assert nearest(slip, names)[0] == "local/read-file-777"


@given(st.text(max_size=30), st.lists(st.text(max_size=30), max_size=20))
def test_suggestions_are_candidates(word: str, candidates: list[str]) -> None:
    found = nearest(word, candidates)
    assert set(found) <= set(candidates) - {word}
    assert len(found) == len(set(found)) <= 3


def test_a_name_whose_last_part_is_the_word_is_the_nearest() -> None:
    names = ["build_x", "local/a-very-long-skill/build", "builds"]
    assert nearest("build", names)[0] == "local/a-very-long-skill/build"
    many = [f"n/{i}" for i in range(1_000)]
    assert nearest("go", [*many, "local/a-very-long-skill/go"])[0] == "local/a-very-long-skill/go"
