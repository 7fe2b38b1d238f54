"""The net behind all widgets: whatever drew a line, no control character leaves with it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import ControlType, Segment
from textual.color import Color

from core.text import rewrite_unsafe, safe_text
from explorer.services.scrub import ScrubFilter

BLACK = Color(0, 0, 0)


def scrub(*segments: Segment) -> list[Segment]:
    return ScrubFilter().apply(list(segments), BLACK)


@given(st.text())
def test_what_leaves_is_safe_and_as_long_as_before(text: str) -> None:
    left = scrub(Segment(text))[0].text
    assert safe_text(left) == left
    assert "\n" not in left
    assert "\t" not in left
    assert len(left) == len(rewrite_unsafe(text, lambda found: "" if safe_text(found[0]) == found[0] else "?"))


def test_clean_lines_pass_untouched() -> None:
    segments = [Segment("plain "), Segment("größer 漢字 🙂")]
    assert ScrubFilter().apply(segments, BLACK) is segments


def test_an_escape_is_shown() -> None:
    assert scrub(Segment("a\x1b]52;c;eA\x1b\\b"))[0].text == "a␛]52;c;eA␛\\b"


def test_control_segments_of_the_driver_stay() -> None:
    control = Segment("\x1b[H", None, [(ControlType.HOME,)])
    assert scrub(control, Segment("\x1b"))[0] is control


def test_a_pile_of_marks_is_cut_and_takes_no_more_cells_than_before() -> None:
    pile = "e" + "\u0301" * 30
    [drawn] = scrub(Segment(f"{pile}\x1b{pile}"))
    assert safe_text(drawn.text) == drawn.text
    assert drawn.cell_length == Segment(f"{pile}?{pile}").cell_length
    assert drawn.text.count("\u0301") == 8
