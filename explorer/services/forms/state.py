"""What a form remembers besides its value: what is open, which branch was chosen, what is half typed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from explorer.services.forms.document import Path

PAGE = 50
MOST_NESTED = 4
Spot = tuple[Path, int]


@dataclass
class ViewState:
    """Keyed by path, or by spot: path and how many branches were taken there."""

    opened: dict[Spot, bool] = field(default_factory=dict)
    variants: dict[Spot, int] = field(default_factory=dict)
    drafts: dict[Path, str] = field(default_factory=dict)
    shown: dict[Path, int] = field(default_factory=dict)
    implicit: set[Path] = field(default_factory=set)
    long: set[Path] = field(default_factory=set)

    def forget_choices(self) -> None:
        """Drop what a new value may contradict; open rows stay open."""
        self.variants.clear()
        self.drafts.clear()
        self.implicit.clear()

    def forget_below(self, path: Path) -> None:
        """Drop choices and drafts at and below ``path``."""
        self.variants = {spot: v for spot, v in self.variants.items() if not _within(spot[0], path)}
        self.drafts = {at: text for at, text in self.drafts.items() if not _within(at, path)}

    def item_removed(self, path: Path) -> None:
        """Follow the removal of the list item at ``path``: later items move up by one."""
        self.opened = _moved_spots(self.opened, path)
        self.variants = _moved_spots(self.variants, path)
        self.drafts = {at: v for old, v in self.drafts.items() if (at := _moved(old, path)) is not None}
        self.shown = {at: v for old, v in self.shown.items() if (at := _moved(old, path)) is not None}
        self.implicit = {at for old in self.implicit if (at := _moved(old, path)) is not None}
        self.long = {at for old in self.long if (at := _moved(old, path)) is not None}


def _within(path: Path, above: Path) -> bool:
    return path[: len(above)] == above


def _moved_spots(spots: dict[Spot, Any], removed: Path) -> dict[Spot, Any]:
    return {(at, spot[1]): v for spot, v in spots.items() if (at := _moved(spot[0], removed)) is not None}


def _moved(path: Path, removed: Path) -> Path | None:
    at = len(removed) - 1
    index, gone = (path[at] if len(path) > at else None), removed[at]
    if path[:at] != removed[:at] or not isinstance(index, int) or not isinstance(gone, int) or index < gone:
        return path
    return None if index == gone else (*path[:at], index - 1, *path[at + 1 :])
