"""The two designed themes: one accent, three states, everything else shades of one neutral.

State colours are told apart by lightness as well as hue (vermilion, yellow, bluish green), and never stand
alone: each goes with a word or a mark. ``VARIABLES`` are the names that styles and presenters may use beyond
Textual's own.
"""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="explorer-dark",
    dark=True,
    primary="#7fb4ff",
    secondary="#7fb4ff",
    accent="#7fb4ff",
    foreground="#d8dce3",
    background="#14171c",
    surface="#181c22",
    panel="#222831",
    boost="#2b323d",
    error="#ff8f70",
    warning="#e9c46a",
    success="#5cc8a4",
    variables={
        "muted": "#939ca9",
        "line": "#333b46",
        "cursor": "#2a4365",
        "cursor-blurred": "#262d37",
        "info": "#a9b4c2",
        "string": "#a5d6a7",
        "keyword": "#7fb4ff",
        "block-cursor-background": "#2a4365",
        "block-cursor-foreground": "#ffffff",
        "border": "#7fb4ff",
        "border-blurred": "#333b46",
        "scrollbar": "#39424f",
        "scrollbar-hover": "#4a5666",
        "scrollbar-active": "#7fb4ff",
        "scrollbar-background": "#181c22",
        "scrollbar-background-hover": "#181c22",
        "scrollbar-background-active": "#181c22",
        "input-selection-background": "#2a4365",
    },
)
LIGHT = Theme(
    name="explorer-light",
    dark=False,
    primary="#0a58b5",
    secondary="#0a58b5",
    accent="#0a58b5",
    foreground="#22272e",
    background="#fcfbf9",
    surface="#f6f4f0",
    panel="#e9e6e0",
    boost="#dedad2",
    error="#b3341a",
    warning="#7a5a00",
    success="#0b6e55",
    variables={
        "muted": "#5c6570",
        "line": "#cfcac1",
        "cursor": "#cfe2fb",
        "cursor-blurred": "#e4e0d8",
        "info": "#4c5663",
        "string": "#27632a",
        "keyword": "#0a58b5",
        "block-cursor-background": "#cfe2fb",
        "block-cursor-foreground": "#111418",
        "border": "#0a58b5",
        "border-blurred": "#cfcac1",
        "scrollbar": "#c9c4ba",
        "scrollbar-hover": "#b3ada1",
        "scrollbar-active": "#0a58b5",
        "scrollbar-background": "#f6f4f0",
        "scrollbar-background-hover": "#f6f4f0",
        "scrollbar-background-active": "#f6f4f0",
        "input-selection-background": "#cfe2fb",
    },
)
THEMES = (DARK, LIGHT)
VARIABLES = dict(DARK.variables)
