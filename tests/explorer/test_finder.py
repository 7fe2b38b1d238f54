"""Finding by words: all of them, in any order, case ignored; a longer query narrows a shorter one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.services.finder import Entry, Finder


def finder() -> Finder:
    found = Finder()
    for entry in (
        Entry("local/release-desk"),
        Entry("local/release-desk", "local/changelog-reader"),
        Entry("team/triage"),
        Entry("team/triage", "GitHub/create_issue"),
    ):
        found.add(entry)
    return found


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("release", ["local/release-desk"]),
        ("issue git", ["GitHub/create_issue"]),
        ("RELEASE desk", ["local/release-desk"]),
        ("local", ["local/release-desk", "local/changelog-reader"]),
        ("  ", []),
        ("nothing", []),
    ],
)
def test_every_word_must_occur(query: str, names: list[str]) -> None:
    assert [entry.tool or entry.skill for entry in finder().find(query, 9)[0]] == names


@given(st.lists(st.text("ab/ ", max_size=4), max_size=6))
def test_typing_on_gives_what_asking_at_once_gives(queries: list[str]) -> None:
    kept = finder()
    for query in queries:
        assert kept.find(query, 3) == finder().find(query, 3)
