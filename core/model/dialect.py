"""The two dialects of skill files, read to canonical fields (language, part 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def skill_fields(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of ``Skill`` for the parsed mapping of either form."""
    return dict(config)
