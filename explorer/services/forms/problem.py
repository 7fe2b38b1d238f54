"""A finding about one value of a form."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.services.forms.document import Path


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at one path. ``advice`` marks what the call itself does not refuse, such as a format."""

    path: Path
    message: str
    keyword: str
    advice: bool = False
