"""Both themes can be read, and their states can be told apart without seeing colour."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from explorer.theme import DARK, LIGHT, THEMES

READABLE = 4.5
GROUNDS = ("background", "surface", "panel")
TEXTS = ("foreground", "accent", "error", "warning", "success")


def luminance(color: str) -> float:
    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(part) for part in Color.parse(color).normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda t: t.name)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("text", [*TEXTS, "muted", "info", "string", "keyword"])
def test_every_text_colour_is_readable_on_every_ground(theme: Theme, ground: str, text: str) -> None:
    color = theme.variables.get(text) or getattr(theme, text)
    assert contrast(color, getattr(theme, ground)) >= READABLE


@pytest.mark.parametrize("theme", THEMES, ids=lambda t: t.name)
@pytest.mark.parametrize("text", [*TEXTS, "muted"])
def test_every_text_colour_is_readable_at_the_cursor(theme: Theme, text: str) -> None:
    color = theme.variables.get(text) or getattr(theme, text)
    for cursor in ("cursor", "cursor-blurred"):
        assert contrast(color, theme.variables[cursor]) >= 3.5


def test_both_themes_name_the_same_colours() -> None:
    assert DARK.variables.keys() == LIGHT.variables.keys()
