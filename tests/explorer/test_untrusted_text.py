"""Nasty text through every widget, without the net behind them: shown, never passed on, never taken for markup."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from nasty_widgets import NASTY, WIDGETS, Bare, Show
from pty_driver import running
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget
from workers_at_rest import workers_at_rest

import explorer.screens
import explorer.widgets
from core.text import safe_text

HOLDERS = {
    **dict.fromkeys(("MainScreen", "Live", "Routes", "Areas"), "lay out areas that are tried here one by one"),
    "Detail": "lays out panes that are tried here one by one",
}
"""Classes that draw nothing themselves, each with the reason why it is not among the widgets."""
GROUPS = {
    "controls": "\x1b]52;c;RVZJTA==\x07 \x1b]8;;http://evil\x1b\\x\x1b]8;;\x1b\\ "
    "\x1b[2J\x1b[31m\x1bc \x9b31m\x9d52;c;RVZJTA==\x9c\x90q"
    " \x00\x05\x08\x0e\x7f\r\x0b\x0c one\ntwo\ttabbed \udc80\ud800",
    "hidden": "\u202eabc\u2066\u2069\u200e\u061c \u200b\ufeff\u00ad\u2060 \U000e0041\U000e007f \u2028\u2029\ufff9"
    " e" + "\u0301" * 30 + " \u3164\uffa0\u115f \ufdd0\uffff",
    "markup": "[@click=app.quit]press[/] [/] a[/red]b [link=http://evil]x[/link] [on red] [foo=bar] [ ] [[x]] \\[y]",
    "shapes": "漢字" * 40 + "👩‍👩‍👧🏽" * 10 + "a\u0301e\u0308" * 20 + "x" * 3_000,
}
CSI = re.compile(rb"\x1b\[[0-9;:?<>=]*[ $]?[ABCDHJKmhltupq]|\x1b\]22;[a-z]+\x07")
TEXT = re.compile(rb"[^\x00-\x1f\x7f]+|\r*\n")


async def drawn_by(pilot: Pilot[None], *, silent: bool) -> list[Strip]:
    """Return the lines of the screen once it has settled and something is on it."""
    for _ in range(50):
        await workers_at_rest(pilot.app)
        await pilot.pause()
        await pilot.pause()
        strips = pilot.app.screen._compositor.render_strips()
        if silent or any(strip.text.strip() for strip in strips):
            return strips
    raise AssertionError("nothing was ever drawn")


@pytest.mark.parametrize("show", WIDGETS.values(), ids=WIDGETS.keys())
async def test_nasty_text_is_shown_and_neither_passed_on_nor_obeyed(show: Show) -> None:
    silent = show is WIDGETS["keys"]
    for name, text in NASTY.items():
        app = Bare(show(text))
        async with app.run_test(size=(100, 40)) as pilot:
            strips = await drawn_by(pilot, silent=silent)
            for strip in strips:
                for segment in strip:
                    assert safe_text(segment.text) == segment.text, (name, segment.text)
                    assert "@click" not in str(segment.style and segment.style.meta), name
            drawn = "\n".join(strip.text for strip in strips)
            if name in ("closing tag", "action") and show in LITERAL:
                assert text in drawn.replace("\n", ""), (name, drawn)
            if name == "everything" and show in LITERAL and show not in CUT:
                assert "␛" in drawn, drawn


LITERAL = [show for name, show in WIDGETS.items() if name not in ("keys", "Markdown", "filter", "broken JSON")]
"""Those that show a text as it stands; the others draw it, or show it only in part."""
CUT = [WIDGETS[name] for name in ("picker", "bar", "comparison", "arguments", "approvals")]
"""Those whose lines are too short for the longest sample."""


def widget_classes() -> Iterator[type[Widget]]:
    """Yield each class of the explorer that stands on the screen."""
    for package in (explorer.widgets, explorer.screens):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    todo: list[type[Widget]] = [Widget]
    while todo:
        found = todo.pop()
        below = found.__subclasses__()
        todo += below
        if found.__module__.startswith(("explorer.widgets", "explorer.screens")):
            yield found


def tokens(written: bytes) -> Iterator[bytes]:
    """Yield what was written, piece by piece: texts, and the sequences that a screen is drawn with; nothing else is."""
    at = 0
    while at < len(written):
        match = CSI.match(written, at) or TEXT.match(written, at)
        assert match, (written[at : at + 20], written[max(0, at - 60) : at])
        yield match[0]
        at = match.end()


@pytest.mark.parametrize("name", GROUPS)
def test_what_reaches_the_terminal_is_text_and_the_sequences_of_the_screen_byte_by_byte(
    name: str, tmp_path: Path
) -> None:
    sample, shown = tmp_path / "sample.json", tmp_path / "shown.json"
    sample.write_text(json.dumps(GROUPS[name]), "utf-8")
    script = Path(__file__).with_name("nasty_program.py").read_text("utf-8")
    with running(str(sample), str(shown), script=script, size=(100, 40)) as terminal:
        assert terminal.ended() == 0, terminal.text
        for token in tokens(terminal.written):
            text = token.decode("utf-8")
            assert token.startswith(b"\x1b") or token.endswith(b"\n") or safe_text(text) == text, token
    report = json.loads(shown.read_text("utf-8"))
    assert list(report["shown"]) == list(WIDGETS)
    missing = {found.__name__ for found in widget_classes()} - set(report["classes"]) - set(HOLDERS)
    assert not missing
