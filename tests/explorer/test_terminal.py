"""Where no screen can be opened, one line says so."""

from __future__ import annotations

import io

from explorer.services.terminal import refusal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_can_hold_a_screen() -> None:
    assert refusal({"TERM": "xterm-256color"}, Terminal(), Terminal()) is None


def test_a_pipe_on_either_side_cannot() -> None:
    for stdin, stdout in ((io.StringIO(), Terminal()), (Terminal(), io.StringIO())):
        said = refusal({"TERM": "xterm"}, stdin, stdout)
        assert said is not None
        assert "needs a terminal" in said
        assert "\n" not in said


def test_a_dumb_terminal_cannot() -> None:
    said = refusal({"TERM": "dumb"}, Terminal(), Terminal())
    assert said is not None
    assert "TERM=dumb" in said
