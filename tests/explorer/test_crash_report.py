"""What a report of the unexpected says: the message without anything that it quotes."""

from __future__ import annotations

import pytest

from explorer.services.crash import said_by


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Can't mount widget(s) before Switcher() is mounted", "Can't mount widget(s) before Switcher() is mounted"),
        ("the tool's name isn't 'hunter2' here", "the tool's name isn't '…' here"),
        ("it's neither 'it's hunter2' nor `hunter2`", "it's neither '…' nor `…`"),
        ("no b'hunter2' and no b't hunter2'", "no b'…' and no b'…'"),
        ("key='s hunter2' and foo's'", "key='…' and foo'…'"),
        ("""got "can't hunter2", that's all""", """got "…", that's all"""),
        (r"got 'x\'s \' hunter2'", "got '…'"),
        ("it wasn't closed: 'hunter2", "it wasn't closed: '…'"),
    ],
)
def test_an_apostrophe_in_a_word_quotes_nothing_and_what_is_quoted_is_left_out(message: str, said: str) -> None:
    assert said_by(ValueError(message)) == said
