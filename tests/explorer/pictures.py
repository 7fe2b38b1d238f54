"""A screen as text that can be read and compared: each line, below it its styles, at the end what these are."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from string import ascii_letters

from rich.style import Style
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual.strip import Strip


class PictureExtension(SingleFileSnapshotExtension):
    """Keeps each picture in a text file of its own."""

    file_extension = "txt"
    _file_extension = "txt"
    _write_mode = WriteMode.TEXT


def picture(strips: Iterable[Strip]) -> str:
    """Return the lines of a screen; ``a12 b3`` below a line means twelve cells in style a, then three in style b."""
    names: dict[str, str] = {}
    lines: list[str] = []
    for strip in strips:
        lines.append(f"|{strip.text}|")
        runs = []
        for look, segments in groupby(strip, key=lambda segment: _look(segment.style)):
            name = names.setdefault(look, _name(len(names)))
            runs.append(f"{name}{sum(segment.cell_length for segment in segments)}")
        lines.append(f" {' '.join(runs)}")
    return "\n".join([*lines, *(f"{name} = {look}" for look, name in names.items()), ""])


def _name(number: int) -> str:
    return ascii_letters[number] if number < len(ascii_letters) else f"{ascii_letters[number % 52]}'"


def _look(style: Style | None) -> str:
    """Return colours and attributes, without what is invisible: links and meta data."""
    return (
        ""
        if style is None
        else str(Style.from_color(style.color, style.bgcolor) + style.without_color.clear_meta_and_links())
    )
