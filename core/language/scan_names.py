"""What the name of a file or folder says about its part in a workspace (language, part 1)."""

from __future__ import annotations

from typing import Final

KIND_FOLDERS: Final = frozenset(("skills", "tools", "actors"))
SERVER_FILES: Final = frozenset((".mcp.json", "mcp.json"))
SETTINGS_FILE: Final = "skill-explorer.toml"

_ALWAYS_SKIPPED = frozenset((".git", "node_modules", ".venv", "__pycache__"))
_CLIENT_FOLDERS = frozenset((".agents", ".claude", ".github"))


def is_skipped(name: str, folder: str, *, only_skills: bool) -> bool:
    """Whether the entry ``name`` of ``folder`` is never looked at, whatever it is.

    Hidden files are what editors leave behind; hidden folders count where clients keep Agent Skills, and inside a
    folder of skills.
    """
    if only_skills:
        return name != "skills"
    if name in _ALWAYS_SKIPPED:
        return True
    if not name.startswith(".") or name in SERVER_FILES or name in _CLIENT_FOLDERS:
        return False
    return not holds_skills(folder) or is_yaml(name)


def holds_skills(folder: str) -> bool:
    """Whether the folder at this path is a folder of skills, which may hold hidden folders."""
    return folder.rpartition("/")[2] == "skills"


def is_client_folder(name: str) -> bool:
    """Whether clients keep a folder ``skills`` in a hidden folder of this name."""
    return name in _CLIENT_FOLDERS


def is_yaml(name: str) -> bool:
    """Whether a file of this name is YAML."""
    return name.lower().endswith((".yaml", ".yml"))


def is_skill_md(name: str) -> bool:
    """Whether this is SKILL.md in any case."""
    return name.lower() == "skill.md"


def defines_something(name: str) -> bool:
    """Whether a file of this name is read."""
    return name in SERVER_FILES or (is_yaml(name) and not name.startswith("."))


def may_be_folder(name: str) -> bool:
    """Whether a link of this name, whose target may not be looked at, could be meant as a folder."""
    return "." not in name.lstrip(".")
