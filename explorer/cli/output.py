"""The printer: safe text, colour only on a terminal that wants it, JSON as one ASCII document."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any
from unicodedata import combining, east_asian_width

import click

from core.text import display, safe_text


def emit_json(document: Any) -> None:
    """Print one JSON document; ASCII escapes keep hostile characters and lone surrogates off the terminal."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False))


def coloured(stream: Any = None) -> bool:
    """Whether to use colour: a terminal, no ``NO_COLOR``, not ``TERM=dumb``."""
    stream = stream or sys.stdout
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def say(line: str = "", *, err: bool = False) -> None:
    """Print one line made of safe pieces."""
    stream = sys.stderr if err else sys.stdout
    click.echo(line, err=err, color=coloured(stream))


def style(text: str, colour: str | None = None, *, bold: bool = False, dim: bool = False) -> str:
    """Return untrusted ``text`` made safe and styled; without colour the style is dropped when printed."""
    return click.style(safe_text(text), fg=colour, bold=bold or None, dim=dim or None)


def cell(value: Any, limit: int = 60) -> str:
    """Return ``value`` as the text of a table cell."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(cell(v, limit) for v in value) or "-"
    return brief(json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value), limit)


def brief(text: str, limit: int) -> str:
    """Return ``text`` as one safe line of at most ``limit`` characters, an ellipsis where it goes on."""
    line = " ".join(text[: limit * 4].split())
    return display(line, limit) if len(line) <= limit else display(line[: limit - 1], limit) + "…"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    """Yield aligned lines; cells are already safe."""
    found = [tuple(header), *(tuple(row) for row in rows)]
    widths = [max(width(row[at]) for row in found) for at in range(len(header))]
    for at, row in enumerate(found):
        line = "  ".join(pad(text, wide) for text, wide in zip(row, widths, strict=True)).rstrip()
        yield click.style(line, bold=True) if at == 0 else line


def width(text: str) -> int:
    """Return how many terminal cells ``text`` takes."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def pad(text: str, wide: int) -> str:
    """Return ``text`` filled with blanks to ``wide`` cells."""
    return text + " " * max(0, wide - width(text))
