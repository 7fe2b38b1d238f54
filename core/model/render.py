"""Models as the command line shows them: canonical sections, fixed order, secrets masked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.model.skill import Skill


def skill_as_cli_dict(skill: Skill) -> dict[str, Any]:
    """Return the canonical sections of ``skill`` in their fixed order."""
    return skill.model_dump(mode="json", exclude_defaults=True)
