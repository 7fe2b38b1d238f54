"""What other readers of YAML take a plain scalar for, and quotes that leave no doubt."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.language.yaml_reader import read_yaml
from core.language.yaml_scalars import ambiguous, plain_value, quoted


@pytest.mark.parametrize(
    ("raw", "taken_for"),
    [
        *(
            (word, "the boolean true")
            for word in ("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE")
        ),
        *((word, "the boolean false") for word in ("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "FALSE")),
        *((word, "nothing (null)") for word in ("~", "null", "Null", "NULL", "")),
        ("1.10", "the number 1.1"),
        ("2.0", "the number 2.0"),
        ("12", "the number 12"),
        ("-0", "the number 0"),
        (".5", "the number 0.5"),
        ("1e3", "a number"),
        ("08", "a number"),
        ("9" * 65, "a number"),
        ("1_000", "a number"),
        ("1_0.5", "a number"),
        (".inf", "a number"),
        ("-.INF", "a number"),
        (".NaN", "a number"),
        ("0755", "an octal number"),
        ("012", "an octal number"),
        ("0o17", "an octal number"),
        ("0x1F", "a hexadecimal number"),
        ("0b11", "a binary number"),
        ("1:30", "a number in base 60"),
        ("190:20:30.15", "a number in base 60"),
        ("2024-01-01", "a date"),
        ("2024-01-01 12:30:00", "a date and time"),
        ("2001-12-14t21:59:43.10-05:00", "a date and time"),
        ("=", "a special key"),
        ("<<", "a special key"),
    ],
)
def test_a_scalar_that_some_reader_takes_for_no_text_is_named(raw: str, taken_for: str) -> None:
    assert ambiguous(raw) == taken_for


@pytest.mark.parametrize(
    "raw",
    [
        *(
            "text",
            "nope",
            "yesterday",
            "1.2.3",
            "1.0.0-rc1",
            "v1.10",
            "local/x",
            "0x",
            "2024-13",
            "1-2-3",
            "-",
            ".",
        ),
        *(
            "_",
            "--",
            "+",
            "-x",
            "1:75",
            "12:",
            "tRue",
            "nuLL",
            "é",
            "y/n",
            "...",
            "e3",
            "1e",
            "on call",
            "=x",
            "9" * 1_001,
        ),
    ],
)
def test_other_scalars_are_text_for_everybody(raw: str) -> None:
    assert ambiguous(raw) is None


PLAIN = st.text(st.sampled_from("0123456789+-._:eExXoObBtTfFnNyYsS~= <aulri"), min_size=1, max_size=12)


@given(PLAIN)
def test_whatever_pyyaml_takes_for_no_text_is_ambiguous(raw: str) -> None:
    try:
        value = yaml.safe_load(f"a: {raw}\n")
    except (yaml.YAMLError, ValueError):
        return
    if (
        isinstance(value, dict)
        and list(value) == ["a"]
        and not isinstance(value["a"], (str, dict))
        and raw == raw.strip()
    ):
        assert ambiguous(raw) is not None


@given(PLAIN)
def test_whatever_is_no_text_here_is_ambiguous(raw: str) -> None:
    if plain_value(raw) is not raw:
        assert ambiguous(raw) is not None


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=30))
def test_quotes_make_any_text_that_text_for_every_reader(text: str) -> None:
    written = f"a: {quoted(text)}\n"
    document = read_yaml(written, "x.yaml")
    assert document.diagnostics == []
    assert document.root == {"a": text}
    assert yaml.safe_load(written) == {"a": text}


@pytest.mark.parametrize(
    ("text", "written"),
    [("no", '"no"'), ('say "hi"', "'say \"hi\"'"), ("it's \\d", "'it''s \\d'"), ("a\n", '"a\\x0a"')],
)
def test_quotes_are_the_simplest_that_do(text: str, written: str) -> None:
    assert quoted(text) == written
