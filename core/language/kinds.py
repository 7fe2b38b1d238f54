"""What a YAML file is: its wrapper says it, else the folder it lies in, else its keys (language, part 1)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from core.language.tree import Map
from core.model.dialect import SKILL_KEYS
from core.model.tool_reading import TOOL_KEYS


class FileKind(StrEnum):
    """The kinds of YAML files."""

    SKILL = "skill"
    TOOL = "tool"
    ACTOR = "actor"


_WRAPPERS = {"skill": FileKind.SKILL, "tool": FileKind.TOOL, "actor": FileKind.ACTOR}
_ACTOR_MAPS = ("actors", "agents")
WRAPPING = frozenset((*_WRAPPERS, *_ACTOR_MAPS))
FOLDERS = {"skills": FileKind.SKILL, "tools": FileKind.TOOL, "actors": FileKind.ACTOR}
_PLAIN_KEYS = frozenset(("name", "description", "version", "read_only", "input_schema", "output_schema"))
_SECTIONS = frozenset(SKILL_KEYS.canonical) - _PLAIN_KEYS
_SKILL_SECTIONS = frozenset(key for key, canonical in SKILL_KEYS.spellings.items() if canonical in _SECTIONS)
_TOOL_KEYS = frozenset(("code", "source", "entry_point", "tool_type"))
_KNOWN = {
    FileKind.SKILL: frozenset(SKILL_KEYS.spellings) | {"skill"},
    FileKind.TOOL: frozenset(TOOL_KEYS.spellings) | {"tool"},
    FileKind.ACTOR: frozenset(("name", "skills", "actor", *_ACTOR_MAPS)),
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
    folder = FOLDERS.get(hint or "")
    if folder is not None:
        strange = keys is not None and keys and _KNOWN[folder].isdisjoint(key.strip().lower() for key in keys)
        return None if strange else folder
    return _by_keys(keys) if keys else None


def _wrapper(keys: Map) -> FileKind | None:
    """An actor map, or a list of skills, outweighs the others: a skill beside it stands in an actor's file."""
    if WRAPPING.isdisjoint(keys):
        return None
    if any(isinstance(keys.get(name), Map) for name in _ACTOR_MAPS):
        return FileKind.ACTOR
    if "skills" in keys and isinstance(keys.get("skill"), Map):
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
