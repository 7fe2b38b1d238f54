"""What a file says in confidence is found by its look, whatever else the file is."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.language.confidential import masked, secrets_in

SHAPES = {
    "block": "env:\n  TOKEN: {}\nname: kept\n",
    "block in a list": "mcp_servers:\n  - name: kept\n    env:\n      TOKEN: {}\n    args: [kept]\n",
    "flow": "mcp_servers:\n  - {{name: kept, env: {{TOKEN: {}}}, args: [kept]}}\n",
    "flow on lines of its own": "env:\n  {{\n    TOKEN: {},\n  }}\nname: kept\n",
    "headers": "headers: {{Authorization: {}}}\nname: kept\n",
    "single quotes": "env: {{TOKEN: '{}'}}\nname: kept\n",
    "double quotes": 'env: {{"TOKEN": "{}"}}\nname: kept\n',
    "text of several lines": "env:\n  TOKEN: |\n    {}\n    {}\nname: kept\n",
    "folded text": "env:\n  TOKEN: >-\n    {}\nname: kept\n",
    "value on the next line": "env:\n  TOKEN:\n    {}\nname: kept\n",
    "list": "env:\n- TOKEN={}\nname: kept\n",
    "list of pairs": "env:\n  - name: TOKEN\n    value: {}\nname: kept\n",
    "flow list": "env: [TOKEN={}]\nname: kept\n",
    "no mapping at all": "env: {}\nname: kept\n",
    "tag and anchor": "env: &all !!map\n  TOKEN: &one {}\nname: kept\n",
    "comment between": "env:  # the key\n  # of the house\n  TOKEN: {}\nname: kept\n",
    "comment": "# env: {{TOKEN: {}}}\nname: kept\n",
    "carriage returns": "env:\r\n  TOKEN: {}\r\nname: kept\r\n",
    "tabs": "env:\n\tTOKEN:\t{}\nname: kept\n",
    "json": '{{"name": "kept", "env":{{"TOKEN":"{}"}}, "args": ["kept"]}}',
    "json on lines": '{{\n  "env": {{\n    "TOKEN": "{}"\n  }},\n  "name": "kept"\n}}\n',
    "deep json": '{{"env": {{"A": {{"B": ["{}"]}}}}, "name": "kept"}}',
    "escaped json": '{{"name": "kept", "\\u0065nv":{{"TOKEN":"{}"}}, "args": ["kept"]}}',
    "escaped yaml": '"e\\x6Ev":\n  TOKEN: {}\nname: kept\n',
    "escaped headers": '"\\U00000068ea\\u0064ers": {{A: {}}}\nname: kept\n',
    "escaped and folded": '? "e\\\n  n\\u0076"\n: {{A: {}}}\nname: kept\n',
    "name by alias": "name: kept\nx: &word env\n*word :\n  TOKEN: {}\nname: kept\n",
    "no end": 'env: {{TOKEN: "{}',
    "no end of a line": "env:\n  TOKEN: {}",
}
SECRETS = ["sk-planted", "two planted words", "a:b#c", "https://user:planted@host/?a=1"]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_value_is_hidden_in_every_shape_and_the_rest_stays_in_its_place(shape: str, secret: str) -> None:
    text = shape.replace("{}", secret).replace("{{", "{").replace("}}", "}")
    shown = masked(text)
    assert len(shown) == len(text)
    assert [word for word in re.findall(r"\w{4,}", secret) if word in shown] == []
    assert shown.count("kept") == text.count("kept")
    assert shown.count("name: kept") == text.count("name: kept")


def test_names_and_references_to_host_variables_stay_readable() -> None:
    assert masked("env: {TOKEN: '${GITHUB_TOKEN}', URL: 'x/${HOST:-y}z'}") == (
        "env: {TOKEN: •${GITHUB_TOKEN}•, URL: •••${HOST:-y}••}"
    )


@pytest.mark.parametrize(
    "text",
    [
        "environment: {A: b}\n",
        "my-env: {A: b}\n",
        "description: set the env of it\n",
        "name: local/env\nversion: 1\n",
        "x: 'http://headers/'\n",
        "",
    ],
)
def test_what_only_looks_alike_is_left_alone(text: str) -> None:
    assert masked(text) is text or masked(text) == text


def test_a_value_comes_with_the_name_that_it_has() -> None:
    text = 'a:\n  env: {TOKEN: one, "B": [two]}\n  headers:\n    X: three\n'
    assert [(s.name, text[s.start : s.end]) for s in secrets_in(text)] == [
        ("TOKEN", "one"),
        ("B", "two"),
        ("X", "three"),
    ]


VALUES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1).map(lambda s: f"q{s}7z")


@given(st.dictionaries(st.sampled_from("ABCD"), VALUES, min_size=1), st.sampled_from(["block", "flow", "json"]))
def test_whatever_a_writer_of_yaml_or_json_makes_of_values_is_hidden(values: dict[str, str], style: str) -> None:
    document = {"name": "kept", "env": values, "last": "kept"}
    if style == "json":
        text = json.dumps(document, ensure_ascii=False)
    else:
        text = yaml.safe_dump(document, default_flow_style=style == "flow", allow_unicode=True, sort_keys=False)
    shown = masked(text)
    assert len(shown) == len(text)
    assert "q" not in shown
    assert "7z" not in shown
    assert shown.count("kept") == 2


@given(st.text("env headers:{}[]\"'\n\t-#&!|>, ab\\$", max_size=200))
def test_any_text_at_all_keeps_its_length_and_its_lines(text: str) -> None:
    shown = masked(text)
    assert len(shown) == len(text)
    assert [at for at, char in enumerate(shown) if char == "\n"] == [at for at, char in enumerate(text) if char == "\n"]
    spans = [(secret.start, secret.end) for secret in secrets_in(text)]
    assert spans == sorted(spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))


@pytest.mark.parametrize(
    "text",
    [
        "x: &a\n  PIN: 4711\nenv: *a\n",
        "x: &a {PIN: 4711}\ny: &b {<<: *a}\nenv: *b\n",
        "env: {A: *a}\nx: &a 4711\n",
        "? env\n:\n  ? PIN\n  : 4711\n",
    ],
)
def test_a_value_is_hidden_also_behind_an_alias_or_a_question_mark(text: str) -> None:
    assert "4711" not in masked(text)


def test_anchors_deep_in_each_other_hide_all_rather_than_take_long() -> None:
    deep = "".join(f" &a{at} [" for at in range(5_000))
    text = f"x:{deep} 4711\nenv: [{', '.join(f'*a{at}' for at in range(5_000))}]\n"
    assert "4711" not in masked(text)
    assert len(masked(text)) == len(text)
