"""Trees with Agent Skills, written to disk and checked as a workspace is."""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.diagnostics import Diagnostic
from core.language.agent_skill.discovery import check_relations
from core.language.agent_skill.reader import read_agent_skill
from core.language.declarations import AgentSkillDecl
from core.language.scan import scan

NAME = "name: lamp-counter\n"
DESCRIPTION = "description: Counts the lamps in a floor plan. Use for lighting audits.\n"
BODY = "\n# Steps\n\n1. Look at the input.\n2. Do the work.\n"


def skill_md(front: str = NAME + DESCRIPTION, body: str = BODY) -> str:
    return f"---\n{front}---\n{body}"


def write_tree(root: Path, tree: Mapping[str, Mapping[str, Any]]) -> None:
    """Write each path with its ``text``, ``base64``, ``zlib_base64``, ``link`` or ``dir``."""
    root.mkdir(parents=True, exist_ok=True)
    for relative, node in tree.items():
        path = root / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        if "dir" in node:
            path.mkdir(exist_ok=True)
        elif "link" in node:
            os.symlink(node["link"], path)
        elif "text" in node:
            path.write_bytes(node["text"].encode("utf-8"))
        elif "base64" in node:
            path.write_bytes(base64.b64decode(node["base64"]))
        else:
            path.write_bytes(zlib.decompress(base64.b64decode(node["zlib_base64"])))


def check_tree(root: Path) -> tuple[list[AgentSkillDecl], list[Diagnostic]]:
    """Return the Agent Skills below ``root`` and everything found in them and between them."""
    scanned = scan(root)
    skills: list[AgentSkillDecl] = []
    found = list(scanned.diagnostics)
    for folder in scanned.agent_skill_folders:
        skill, findings = read_agent_skill(root, folder)
        found += findings
        if skill is not None:
            skills.append(skill)
    return skills, found + check_relations(skills)


def check_skill(
    tmp_path: Path,
    content: str | bytes,
    folder: str = "lamp-counter",
    files: Mapping[str, str] | None = None,
) -> tuple[AgentSkillDecl, list[Diagnostic]]:
    """Write one SKILL.md with other files beside it and return what is read and found."""
    place = tmp_path / folder
    place.mkdir(parents=True, exist_ok=True)
    (place / "SKILL.md").write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    for relative, text in (files or {}).items():
        (place / relative).parent.mkdir(parents=True, exist_ok=True)
        (place / relative).write_text(text, encoding="utf-8")
    skill, found = read_agent_skill(tmp_path, folder)
    assert skill is not None
    return skill, found


def seen(found: list[Diagnostic]) -> set[str]:
    """Return each finding as ``code line:column severity``."""
    return {f"{item.code} {item.place.line}:{item.place.column} {item.severity}" for item in found}
