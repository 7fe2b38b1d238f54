"""What executing an Agent Skill gives: what an actor's model would be given, and how much that is."""

from __future__ import annotations

from typing import Any

from core.language.agent_skill.body import tokens_of
from core.language.agent_skill.metadata import split_tools
from core.language.declarations import AgentSkillDecl


def preview(skill: AgentSkillDecl) -> dict[str, Any]:
    """Return instructions, steps, resources, allowed tools and the estimate of tokens (design: language, part 6).

    ``tokens`` counts the instructions. Nothing is read and no script runs.
    """
    return {
        "instructions": skill.body,
        "steps": list(skill.steps),
        "resources": list(skill.resources),
        "allowed_tools": split_tools(skill.allowed_tools or ""),
        "tokens": tokens_of(skill.body),
    }
