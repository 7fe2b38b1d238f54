"""What an Agent Skill takes and gives: what an actor's model would be given, and how much that is."""

from __future__ import annotations

from typing import Any, Final

from core.language.agent_skill.body import tokens_of
from core.language.agent_skill.metadata import split_tools
from core.language.declarations import AgentSkillDecl

FILE: Final = "file"
_TEXTS: Final = {"type": "array", "items": {"type": "string"}}
_GIVEN_FILE: Final = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "content": {"type": "string"}, "tokens": {"type": "integer"}},
    "required": ["path", "content", "tokens"],
}
OUTPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "instructions": {"type": "string"},
        "steps": _TEXTS,
        "resources": _TEXTS,
        "allowed_tools": _TEXTS,
        "tokens": {"type": "integer"},
        FILE: _GIVEN_FILE,
    },
    "required": ["instructions", "steps", "resources", "allowed_tools", "tokens"],
    "additionalProperties": False,
}


def input_schema(skill: AgentSkillDecl) -> dict[str, Any]:
    """Return what the tool takes: nothing, or the one of its files that is wanted too."""
    schema: dict[str, Any] = {"type": "object", "additionalProperties": False}
    names = [path for path in skill.resources if path.isascii() or _is_text(path)]
    if names:
        says = "A file of the skill to be given as well."
        schema["properties"] = {FILE: {"type": "string", "enum": names, "description": says}}
    return schema


def _is_text(path: str) -> bool:
    """Whether a file name can be said in JSON; one that isn't UTF-8 can't."""
    return not any("\ud800" <= char <= "\udfff" for char in path)


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


def given_file(path: str, content: str) -> dict[str, Any]:
    """Return a file of the skill as it is given beside the rest."""
    return {"path": path, "content": content, "tokens": tokens_of(content)}
