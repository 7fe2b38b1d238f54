"""A report of the unexpected: class, message and places; never the value of a variable."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

from core.text import display

MOST_FRAMES = 12
_APOSTROPHE = r"(?<=\w)(?<!\b[bBrRuUfF])'(?=(?:t|s|re|ve|ll|d|m)\b(?!'))"
"""As in ``can't``. Anything less sure is a quote, so that no value is taken for a word."""
_QUOTED = re.compile(rf"""(?!{_APOSTROPHE})(["'`])(?:\\.|{_APOSTROPHE}|(?!\1).)*\1?""", re.DOTALL)


def crash_report(error: BaseException) -> str:
    """Return the report: what happened, and where, innermost place last."""
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    places = [f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    head = f"{type(error).__name__}: {said_by(error)}"
    return "\n".join(["Skill Explorer met something it did not expect. Please report this:", head, *places])


def said_by(error: BaseException) -> str:
    """Return the message of ``error``; what it quotes may come from a workspace or be secret, and is left out."""
    return display(_QUOTED.sub("\\1…\\1", str(error)), 500)


def _short(filename: str) -> str:
    parts = Path(filename).parts
    for root in ("explorer", "core", "textual", "rich"):
        if root in parts:
            return "/".join(parts[len(parts) - parts[::-1].index(root) - 1 :])
    return Path(filename).name
