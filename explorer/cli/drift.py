"""What the commands of the registry share: how an entry differs from the workspace, and what could not be done."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from explorer.cli.output import brief, cell, say, style
from explorer.cli.text import error_lines

if TYPE_CHECKING:
    from core.protocol import SkillError
    from core.registry.drift import Difference, Drift

_SHOWN = 60


def drift_document(drift: Drift) -> dict[str, Any]:
    """Return a drift as JSON."""
    return {
        "added": list(drift.added),
        "removed": list(drift.removed),
        "changed": [
            {"tool": one.tool, "field": one.field, "registered": one.registered, "current": one.current}
            for one in drift.changed
        ],
    }


def drift_lines(drift: Drift) -> Iterable[str]:
    """Yield a line for each difference."""
    yield from (f"  + {style(name, 'green')}" for name in drift.added)
    yield from (f"  - {style(name, 'red')}" for name in drift.removed)
    yield from (f"  ~ {_place(one)}: {_value(one.registered)} -> {_value(one.current)}" for one in drift.changed)


def _place(one: Difference) -> str:
    return style(one.field, "yellow") if one.tool is None else f"{cell(one.tool, 120)}  {style(one.field, 'yellow')}"


def _value(value: Any) -> str:
    if isinstance(value, list | dict):
        return brief(json.dumps(value, ensure_ascii=False), _SHOWN)
    return cell(value, _SHOWN)


def failed_document(failed: Sequence[SkillError]) -> dict[str, Any]:
    """Return the rows of what failed, and the first error where any program looks for it."""
    rows = [
        {"name": error.skill_name, "reason": error.message, "error": error.model_dump(mode="json")} for error in failed
    ]
    return {"failed": rows, **({"error": rows[0]["error"]} if rows else {})}


def say_failed(failed: Iterable[SkillError]) -> None:
    """Print on stderr what failed and why."""
    for error in failed:
        for line in error_lines(error):
            say(line, err=True)
