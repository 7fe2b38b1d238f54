"""Small workspaces that rules show as their wrong and right examples."""

from __future__ import annotations

DESCRIPTION = "Writes release notes from merged changes. Use before each release."
BODY = "1. Collect the merged changes.\n2. Group them by kind.\n"


def agent_skill(
    *extra: str,
    name: str | None = "release-notes",
    description: str | None = DESCRIPTION,
    body: str = BODY,
    folder: str = "release-notes",
) -> dict[str, str]:
    """Return an Agent Skill: ``extra`` lines follow ``name`` and ``description``, which None leaves out."""
    lines = [] if name is None else [f"name: {name}"]
    lines += [] if description is None else [f"description: {description}"]
    front = "".join(f"{line}\n" for line in (*lines, *extra))
    return {f"{folder}/SKILL.md": f"---\n{front}---\n\n{body}"}
