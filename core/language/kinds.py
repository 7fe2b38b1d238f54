"""What a YAML file is: its wrapper says it, else the folder it lies in, else its keys (language, part 1)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from core.language.tree import Map


class FileKind(StrEnum):
    """The kinds of YAML files."""

    SKILL = "skill"
    TOOL = "tool"
    ACTOR = "actor"


_WRAPPERS = {"skill": FileKind.SKILL, "tool": FileKind.TOOL, "actor": FileKind.ACTOR}
_ACTOR_MAPS = ("actors", "agents")
_FOLDERS = {"skills": FileKind.SKILL, "tools": FileKind.TOOL, "actors": FileKind.ACTOR}
_SKILL_SECTIONS = frozenset(
    (
        *("builtin_groups", "builtins", "tools", "tool_refs", "anonymous_tools", "inline_tools", "inlineTools"),
        *("includes", "mcp_servers", "mcpServers", "overrides"),
        *("agent_skill_folders", "agent_skills", "agent_skills_dirs", "agentSkillFolders"),
    )
)
_TOOL_KEYS = frozenset(("code", "source", "entry_point", "tool_type"))
_COMMON_KEYS = frozenset(("name", "description", "version", "read_only", "input_schema", "output_schema"))
_KNOWN = {
    FileKind.SKILL: _COMMON_KEYS | _SKILL_SECTIONS | {"skill"},
    FileKind.TOOL: _COMMON_KEYS | _TOOL_KEYS | {"capability", "resource_slots", "resources", "lifecycle", "tool"},
    FileKind.ACTOR: frozenset(("name", "skills", "actor", "actors", "agents")),
}


def classify(hint: str | None, root: Any) -> FileKind | None:
    """Return what the file with the document ``root`` is; ``hint`` is the folder that ``ScannedFile.kind_hint`` names.

    None: it is none of these. With a hint that is worth a finding (``rules.file.UNRECOGNISED``); without one the file,
    and whatever is wrong with its YAML, belongs to somebody else.
    """
    keys = root if isinstance(root, Map) else None
    wrapped = _wrapper(keys) if keys else None
    if wrapped is not None:
        return wrapped
    folder = _FOLDERS.get(hint or "")
    if folder is not None:
        strange = keys is not None and keys and _KNOWN[folder].isdisjoint(keys)
        return None if strange else folder
    return _by_keys(keys) if keys else None


def _wrapper(keys: Map) -> FileKind | None:
    """An actor map outweighs the others: a skill beside it stands in an actor's file."""
    if any(isinstance(keys.get(name), Map) for name in _ACTOR_MAPS):
        return FileKind.ACTOR
    return next((kind for name, kind in _WRAPPERS.items() if isinstance(keys.get(name), Map)), None)


def _by_keys(keys: Map) -> FileKind | None:
    if "name" not in keys:
        return None
    if "skills" in keys:
        return FileKind.ACTOR
    if not _SKILL_SECTIONS.isdisjoint(keys):
        return FileKind.SKILL
    return None if _TOOL_KEYS.isdisjoint(keys) else FileKind.TOOL
