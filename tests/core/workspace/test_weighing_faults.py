"""What weighs findings is checked itself: settings and comments that name nothing are told at their places."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.workspace.settings import read_settings
from core.workspace.toml_places import toml_places

FAULTS = {
    "misspelt table": ("\n[severty]\n", (2, 2, 9), "did you mean `severity`?"),
    "unknown setting": ("[severity]\n\n[colour]\nred = 1\n", (3, 2, 8), "delete it"),
    "trust": ('trust = "all"\n', (1, 1, 6), "delete it, as no file of a workspace can grant trust"),
    "misspelt code": ("[severity]\n'include/mising' = 'off'\n", (2, 1, 17), "did you mean `include/missing`?"),
    "misspelt severity": ("[severity]\n'include/missing' = 'eror'\n", (2, 21, 27), "did you mean `error`?"),
    "strange severity": ("severity = {'include/missing' = 5}\n", (1, 33, 34), 'write "warning", for example'),
    "dotted key": ("severity.'include/missing' = [\n 1]\n", (1, 30, None), 'write "warning", for example'),
    "severity of the wrong kind": ("# é\nseverity = 'off'\n", (2, 12, 17), "write `[severity]` above its entries"),
    "one table": ("[ignore]\npath = 'x'\n", (1, 2, 8), "write `[[ignore]]` above each entry"),
    "entry that is no table": ("ignore = ['x', 'y']\n", (1, 11, 14), None),
    "misspelt key of an entry": (
        "[[ignore]]\npath = 'a'\ncodes = []\n[[ignore]]\npaths = 'x'\ncodes = []\n",
        (5, 1, 6),
        "did you mean `path`?",
    ),
    "entry without codes": ("\n[[ignore]]\npath = 'x'\n", (2, 3, 9), None),
    "path that is no text": ("[[ignore]]\npath = 5\ncodes = []\n", (2, 8, 9), None),
    "codes that are no list": ("[[ignore]]\npath = ''\ncodes = 'skill'\n", (3, 9, 16), None),
    "unknown code of an entry": (
        "[[ignore]]\npath = '*'\ncodes = [\n  'skill',  # a family\n  \"include/cicle\",\n]\n",
        (5, 3, 18),
        "did you mean `include/cycle`?",
    ),
    "code that is no text": ("[[ignore]]\npath = '*'\ncodes = ['skill', 5]\n", (3, 19, 20), None),
    "no TOML": ("[severity]\nx = = 1\n", (2, 5, None), "correct it"),
    "unclosed": ("[severity\n", (1, 10, None), "correct it"),
}


@pytest.mark.parametrize(("text", "at", "hint"), FAULTS.values(), ids=FAULTS)
def test_a_fault_of_the_settings_is_told_at_its_place(
    tmp_path: Path, text: str, at: tuple[int, int, int | None], hint: str | None
) -> None:
    (tmp_path / "skill-explorer.toml").write_text(text, "utf-8")
    found = read_settings(tmp_path)[1][0]
    place = found.place
    assert (found.code, place.path) == ("workspace/settings", "skill-explorer.toml")
    assert (place.line, place.column) == at[:2]
    assert at[2] is None or place.end_column == at[2]
    assert hint is None or found.hint == hint
    assert found.hint
    assert found.message.endswith((".", "?"))


def test_what_can_be_used_of_the_settings_is_used(tmp_path: Path) -> None:
    text = "[severity]\n'nope' = 'off'\n'include/cycle' = 'info'\n[[ignore]]\npath = '*'\ncodes = ['no', 'skill']\n"
    (tmp_path / "skill-explorer.toml").write_text(text, "utf-8")
    settings, found = read_settings(tmp_path)
    assert (dict(settings.severities), settings.ignores[0].codes) == ({"include/cycle": "info"}, ("skill",))
    assert [item.place.line for item in found] == [2, 6]


KEYS = st.sampled_from(["a", "'b.c'", '"d"', "e.f", "1"])
SCALARS = st.sampled_from(["1", "'x'", '"a # \\" b"', "1979-05-27 07:32:00", '"""\n[a]\n"""', "'''x\ny = 1'''", "true"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: "[ " + ", # c\n".join(items) + " ]")
        | st.dictionaries(KEYS, inner, max_size=2).map(lambda d: "{" + ", ".join(map(" = ".join, d.items())) + "}")
    ),
    max_leaves=8,
)
LINES = (
    st.tuples(KEYS, VALUES).map(lambda pair: f"{pair[0]} = {pair[1]}")
    | KEYS.map("[{}]".format)
    | KEYS.map("[[{}]]".format)
)


@given(st.lists(LINES, max_size=6).map("\n".join))
def test_every_value_of_a_document_has_a_place_that_holds_it(text: str) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    places = toml_places(text)
    pending: list[tuple[tuple[Any, ...], Any]] = [((), data)]
    while pending:
        path, value = pending.pop()
        if path and isinstance(path[-1], str):
            assert path in places.keys
        if isinstance(value, dict | list):
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            pending += [((*path, key), item) for key, item in inner]
        else:
            span = places.values[path]
            written = text[span >> 32 : span & 0xFFFFFFFF]
            if not isinstance(value, str | bool | int):
                continue  # a date with a blank in it: its first part is enough
            assert tomllib.loads(f"x = {written}")["x"] == value


COMMENTS = {
    "misspelt code": (
        "includes: []  # skill-explorer: ignore[include/mising]\n",
        (3, 40),
        "did you mean `include/missing`?",
    ),
    "second of two": ("includes: [] # skill-explorer: ignore[skill, nope/x]\n", (3, 46), None),
    "nothing like a code": ("# skill-explorer: ignore[nope]\nincludes: []\n", (3, 26), None),
    "no code": ("# skill-explorer: ignore[ ]\nincludes: []\n", (3, 1), "write the code between the brackets"),
    "misspelt word": (
        "# skill-explorer: ignroe[skill]\nincludes: []\n",
        (3, 1),
        "write `# skill-explorer: ignore[code]`",
    ),
}


@pytest.mark.parametrize(("text", "at", "hint"), COMMENTS.values(), ids=COMMENTS)
def test_a_comment_that_silences_nothing_is_told_at_its_place(
    make_workspace: Any, text: str, at: tuple[int, int], hint: str | None
) -> None:
    from core.language.load import load_declarations

    root = make_workspace({"skills/a.yaml": f"name: local/a\ndescription: A.\n{text}tools: [builtin/read_file]\n"})
    (found,) = load_declarations(root).diagnostics
    assert (found.code, (found.place.line, found.place.column)) == ("workspace/ignore", at)
    assert hint is None or found.hint == hint


def test_a_comment_in_an_agent_skill_is_checked_as_well(make_workspace: Any) -> None:
    from core.language.load import load_declarations

    text = "---\nname: notes\ndescription: Writes notes. # skill-explorer: ignore[agent-skil]\n---\n1. Go.\n"
    found = load_declarations(make_workspace({"notes/SKILL.md": text})).diagnostics
    assert [(d.code, d.place.line, d.place.column) for d in found if d.code == "workspace/ignore"] == [
        ("workspace/ignore", 3, 53)
    ]
